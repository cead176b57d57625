"""The console's home: the charts of meters, of handle and hold by day, and of hits."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta

from jackpot.admin.base import amount, exact, moment
from jackpot.admin.charts import Chart, Column, Point, bars, over_time
from jackpot.http.reports.cells import percent
from jackpot.money import Currency, currency
from jackpot.reports import percent_of
from jackpot.selectors import awards, days, meter_history
from jackpot.selectors.days import day_of
from jackpot.services import Jackpot
from tables.reports import handle
from tables.reports.handle import DayTotal

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
            yield _meter(f"{jackpot.code} · {level.code}, {words}", stood, jackpot.currency, now - back, now)


def _meter(title: str, stood: Sequence[meter_history.Stood], cur: Currency, since: datetime, now: datetime) -> Chart:
    points = [
        Point(row.at, row.units, moment(row.at), (exact(row.units, cur), row.kind.replace("_", " ")),
              row.kind == "award")
        for row in stood
    ]  # fmt: skip
    hits = sum(point.mark for point in points)
    seen = f"{len(points)} of its statement's rows, every hit among them ({hits}, upright lines); last posted "
    values = [row.units for row in stood]
    return over_time(
        title, f"{seen}{moment(stood[-1].at)}.", points, since=since, now=now, columns=("Posted", "Meter", "Kind"),
        ends=(moment(since), moment(now)), high=amount(max(values), cur), low=amount(min(values), cur),
    )  # fmt: skip


def handle_and_hold(now: datetime) -> Iterator[Chart]:
    """What was staked on each of the last days, and the house's hold, of each site and currency."""
    opened = [day for day in days.opened_since((now - timedelta(days=DAYS + 1)).date())]
    last: dict[int, list[handle.Closed]] = defaultdict(list)
    names = {}
    for row in opened:
        if row.day <= day_of(row.site, now):
            last[row.site_id].append(handle.Closed(row.site_id, row.day, row.closed_at))
            names[row.site_id] = row.site.code
    wanted = {site_id: found[-DAYS:] for site_id, found in last.items()}
    totals = handle.by_day(day for found in wanted.values() for day in found)
    for site_id, found in wanted.items():
        for code in sorted({one.currency_code for day in found for one in totals[site_id, day.day]}):
            by_day = [(day.day, _of(code, totals[site_id, day.day])) for day in found]
            yield _handle(f"{names[site_id]}, handle and hold by day", by_day, currency(code))


def _of(code: str, totals: Sequence[DayTotal]) -> DayTotal:
    return next((one for one in totals if one.currency_code == code), DayTotal(code, 0, 0))


def _handle(title: str, by_day: Sequence[tuple[date, DayTotal]], cur: Currency) -> Chart:
    found = [Column(day.isoformat(), one.handle, _texts(one, cur)) for day, one in by_day]
    most = amount(max(one.handle for _, one in by_day), cur)
    about = "All bets of the day; today's as far as it is settled."
    return bars(title, about, found, columns=("Gaming day", "Handle", "Result", "Hold"), high=most, low=amount(0, cur))


def _texts(one: DayTotal, cur: Currency) -> tuple[str, str, str]:
    hold = percent_of(one.won, one.handle)
    return amount(one.handle, cur), amount(one.won, cur), "–" if hold is None else f"{percent(hold)} %"


def hits(now: datetime) -> Iterator[Chart]:
    """How many hits there were on each of the last days."""
    found = awards.hits_since(now - timedelta(days=HIT_DAYS))
    if not found:
        return
    counted = Counter(day_of(hit.jackpot.home_site, hit.hit_at) for hit in found)
    won: dict[date, Counter[str]] = defaultdict(Counter)
    for hit in found:
        won[day_of(hit.jackpot.home_site, hit.hit_at)][hit.jackpot.currency_code] += hit.amount
    first = min(counted)
    every = [first + timedelta(days=n) for n in range((now.date() - first).days + 1)]
    columns = [Column(day.isoformat(), counted[day], (str(counted[day]), _won(won[day]))) for day in every]
    yield bars(
        f"Hits by day, {HIT_DAYS} days", "Hits of all jackpots, whatever became of them.", columns,
        columns=("Gaming day", "Hits", "Won"), high=str(max(counted.values())), low="0",
    )  # fmt: skip


def _won(amounts: Counter[str]) -> str:
    return " and ".join(amount(units, currency(code)) for code, units in sorted(amounts.items())) or "–"
