"""The console's home: the charts of meters, of handle and hold by day, and of hits."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple

from django.urls import reverse
from django.utils.http import urlencode

from jackpot.admin.base import exact, grouped, moment
from jackpot.admin.charts import Chart, Column, Point, bars, over_time
from jackpot.money import Currency, currency
from jackpot.selectors import awards, days, meter_history
from jackpot.selectors.days import day_of
from jackpot.services import Jackpot, Site
from tables.admin.home_figures import hold
from tables.admin.home_tiles import list_of
from tables.reports import handle
from tables.reports.handle import Bet, SiteDay

PERIODS = {"day": ("24 hours", timedelta(days=1)), "week": ("7 days", timedelta(days=7))}
"""How far back the meters' charts go, by what the address says."""
DAYS = 7
HIT_DAYS = 30


def meters(found: Sequence[Jackpot], period: str, now: datetime) -> Iterator[Chart]:
    """How each level went; those that were never funded have nothing to draw."""
    words, back = PERIODS[period]
    levels = [(jackpot, level) for jackpot in found for level in jackpot.levels.all()]
    rows = meter_history.meters_since([level.pk for _, level in levels], now - back)
    for jackpot, level in levels:
        if stood := rows.get(level.pk):
            yield _meter(jackpot, level.code, words, stood, now - back, now)


def _meter(
    jackpot: Jackpot, level: str, words: str, stood: Sequence[meter_history.Stood], since: datetime, now: datetime
) -> Chart:
    cur = jackpot.currency
    address = reverse("admin:jackpot_jackpot_statement", args=[jackpot.pk])
    points = [
        Point(row.at, row.units, moment(row.at), (exact(row.units, cur), row.kind.replace("_", " ")),
              row.kind == "award")
        for row in stood
    ]  # fmt: skip
    hits = sum(point.mark for point in points)
    seen = f"{len(points)} of its statement's rows, every hit among them ({hits}, upright lines); last posted "
    values = [row.units for row in stood]
    return over_time(
        f"{jackpot.code} · {level}, {words}", f"{seen}{moment(stood[-1].at)}.", points, since=since, now=now,
        columns=("Posted", "Meter", "Kind"),
        ends=(moment(since), moment(now)), high=grouped(max(values), cur), low=grouped(min(values), cur),
        proof=("Statement", f"{address}?{urlencode({'level': level})}"),
    )  # fmt: skip


def last_days(now: datetime) -> dict[Site, list[handle.Day]]:
    """The last gaming days of each site up to the present one, oldest first."""
    found: dict[Site, list[handle.Day]] = defaultdict(list)
    for row in days.opened_since((now - timedelta(days=DAYS + 1)).date()):
        if row.day <= day_of(row.site, now):
            found[row.site].append(handle.Day(row.site_id, row.day, row.closed_at))
    return {site: opened[-DAYS:] for site, opened in found.items()}


class Total(NamedTuple):
    """All bets of a day in one currency."""

    handle: int
    won: int


def handle_and_hold(
    last: Mapping[Site, Sequence[handle.Day]], played: Mapping[SiteDay, Sequence[Bet]]
) -> Iterator[Chart]:
    """What was staked on each of the last days, and what the house kept of it, of each site and currency."""
    for site, opened in last.items():
        for code in sorted({bet.currency_code for day in opened for bet in played[day.key]}):
            yield from _handle(site.code, [(day.day, _total(played[day.key], code)) for day in opened], currency(code))


def _total(bets: Sequence[Bet], code: str) -> Total:
    ours = [bet for bet in bets if bet.currency_code == code]
    return Total(sum(bet.handle for bet in ours), sum(bet.won for bet in ours))


def _handle(site: str, by_day: Sequence[tuple[date, Total]], cur: Currency) -> Iterator[Chart]:
    """Two charts, of what was staked and of what the house kept; both with the same figures."""
    address = f"{reverse('console:days')}?{urlencode({'site': site})}"
    for name, values in (("handle", [one.handle for _, one in by_day]), ("result", [one.won for _, one in by_day])):
        found = [
            Column(day.isoformat(), value, (grouped(one.handle, cur), grouped(one.won, cur), hold(one.won, one.handle)))
            for (day, one), value in zip(by_day, values, strict=True)
        ]
        yield bars(
            f"{site}, {name} by day", "All bets of the day; today's as far as it is settled.", found,
            columns=("Gaming day", "Handle", "Result", "Hold"), high=grouped(max(0, *values), cur),
            low=grouped(min(0, *values), cur), proof=("Gaming days", address),
        )  # fmt: skip


def hits(now: datetime) -> Iterator[Chart]:
    """How many hits there were on each of the last days."""
    found = awards.hits_since(now - timedelta(days=HIT_DAYS))
    if not found:
        return
    counted = Counter(day_of(hit.jackpot.home_site, hit.hit_at) for hit in found)
    won: dict[date, Counter[str]] = defaultdict(Counter)
    for hit in found:
        won[day_of(hit.jackpot.home_site, hit.hit_at)][hit.jackpot.currency_code] += hit.amount
    first, last = min(counted), max(*counted, now.date())  # a site's day may be ahead of UTC's
    every = [first + timedelta(days=n) for n in range((last - first).days + 1)]
    columns = [Column(day.isoformat(), counted[day], (str(counted[day]), _won(won[day]))) for day in every]
    yield bars(
        f"Hits by day, {HIT_DAYS} days", "Hits of all jackpots, whatever became of them.", columns,
        columns=("Gaming day", "Hits", "Won"), high=str(max(counted.values())), low="0",
        proof=("Hits", list_of("jackpot.award", kind__exact="hit") or ""),
    )  # fmt: skip


def _won(amounts: Counter[str]) -> str:
    return " and ".join(grouped(units, currency(code)) for code, units in sorted(amounts.items())) or "–"
