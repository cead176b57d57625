"""The console's home: meters, what today's tables took and gave, and the heads of the chains."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser, User
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString

from jackpot.admin.base import age, exact, grouped, moment
from jackpot.http.reports.cells import percent
from jackpot.money import Currency, currency
from jackpot.reports import percent_of
from jackpot.selectors import attention, since_reset
from jackpot.selectors.days import day_of
from jackpot.services import Jackpot, Site
from tables.reports.handle import Bet, SiteDay
from tables.selectors.tables import sites_of


@dataclass(frozen=True, slots=True)
class Meter:
    """A level as its card shows it: what the sign shows, since when that is posted, and its figures."""

    name: str
    state: str
    displayed: str
    posted: str
    address: str
    statement: str
    facts: Sequence[tuple[str, str]]


def meters(found: Sequence[Jackpot], now: datetime) -> list[Meter]:
    """Every level of these jackpots, which come with their levels."""
    levels = [(jackpot, level) for jackpot in found for level in jackpot.levels.all()]
    came = since_reset.since_reset([level for _, level in levels])
    return [_meter(jackpot, level, came[level.pk], now) for jackpot, level in levels]


def _meter(jackpot: Jackpot, level: since_reset.Level, came: since_reset.Since, now: datetime) -> Meter:
    cur = jackpot.currency
    hit = f"; last {age(level.last_hit_at, now)} ago, {moment(level.last_hit_at)}" if level.last_hit_at else ""
    reset = age(level.reset_at, now) if level.reset_at else "–"
    at_its_limit = "at its limit: see the statement"
    facts = [
        ("Exact", exact(level.meter, cur)),
        ("Base", grouped(level.base, cur)),
        ("Limit", grouped(level.limit, cur) if level.limit is not None else "none"),
        ("Reserve", exact(level.reserve, cur)),
        ("Overflow", exact(level.overflow, cur)),
        ("Hits", f"{level.hits}{hit}"),
        ("Since its reset", f"{reset}; changes of the meter: {came.changes}"),
        ("Handle since its reset", at_its_limit if came.handle is None else grouped(came.handle, cur)),
    ]
    statement = reverse("admin:jackpot_jackpot_statement", args=[jackpot.pk])
    return Meter(
        name=f"{jackpot.code} · {level.code}",
        state="" if jackpot.state == Jackpot.State.ACTIVE else str(jackpot.state),
        displayed=grouped(level.meter, cur),
        posted=f"posted {moment(level.posted_at)}, {age(level.posted_at, now)} ago"
        if level.posted_at
        else "not funded",
        address=reverse("admin:jackpot_jackpot_change", args=[jackpot.pk]),
        statement=f"{statement}?{urlencode({'level': level.code})}",
        facts=facts,
    )


class Table(NamedTuple):
    """What `jackpot/console/table.html` shows."""

    caption: str
    columns: Sequence[str]
    numbers: Collection[int]
    rows: Sequence[Sequence[object]]


_SUMS = ("Handle", "Returned", "Result", "Hold")


def today(sites: Collection[Site], played: Mapping[SiteDay, Sequence[Bet]], now: datetime) -> list[Table]:
    """What each bet and each table took and gave under the present gaming day of each site."""
    days = {site.pk: day_of(site, now) for site in sites}
    found = [bet for day in days.items() for bet in played.get(day, ())]
    by_bet = _summed(found, lambda bet: (bet.bet.value, bet.currency_code))
    by_table = _summed(found, lambda bet: (bet.table, bet.currency_code))
    at = sites_of({table for table, _ in by_table})
    return [
        Table("Today by bet", ("Bet", *_SUMS), range(1, 1 + len(_SUMS)),
              [(bet, *_sums(sums, currency(code))) for (bet, code), sums in by_bet.items()]),
        Table("Today by table, with the report on it", ("Table", "Gaming day", *_SUMS), range(2, 2 + len(_SUMS)),
              [(_report(table, at[table], days), days[at[table].pk].isoformat(), *_sums(sums, currency(code)))
               for (table, code), sums in by_table.items()]),
    ]  # fmt: skip


def _summed(bets: Sequence[Bet], key: Callable[[Bet], tuple[str, str]]) -> dict[tuple[str, str], tuple[int, int]]:
    sums: dict[tuple[str, str], tuple[int, int]] = defaultdict(lambda: (0, 0))
    for bet in bets:
        staked, returned = sums[key(bet)]
        sums[key(bet)] = (staked + bet.handle, returned + bet.returned)
    return dict(sums)


def _sums(sums: tuple[int, int], cur: Currency) -> Iterator[str]:
    """Handle, returned, result and hold, as they are written."""
    staked, returned = sums
    yield from (grouped(units, cur) for units in (staked, returned, staked - returned))
    yield hold(staked - returned, staked)


def hold(won: int, staked: int) -> str:
    """What the house kept of what was staked, per cent with two decimals; a dash of nothing."""
    ppm = percent_of(won, staked)
    return "–" if ppm is None else f"{percent(_to_hundredths(ppm))[:-2]} %"


def _to_hundredths(ppm: int) -> int:
    """Parts of a million, rounded half away from zero to hundredths of a per cent."""
    rounded = (abs(ppm) + 50) // 100 * 100
    return rounded if ppm >= 0 else -rounded


def _report(table: str, site: Site, days: dict[int, date]) -> SafeString:
    """A table with the report that its figures stand in."""
    asked = urlencode({"place": f"site:{site.code}", "day": days[site.pk].isoformat()})
    return format_html('<a href="{}?{}">{}</a>', reverse("console:report", args=["tables"]), asked, table)


def chains(now: datetime) -> tuple[Table, list[str]]:
    """The last sealed link of every lane, and what is wrong with one. It says nothing of the links before it."""
    heads = attention.heads()
    wrong = [
        f"The head of lane {head.lane} is not the digest of its last link: run verify." for head in heads
        if not head.agrees
    ]  # fmt: skip
    rows = [
        (str(head.lane), head.lane.sealed or "none yet", moment(head.sealed_at), head.text if head.lane.sealed else "–",
         "–" if not head.lane.sealed else "the stored link" if head.agrees else "NOT the stored link")
        for head in heads
    ]  # fmt: skip
    caption = "Last sealed link of each lane. What the links seal is recomputed by verify, not here"
    return Table(caption, ("Lane", "Link", "Sealed", "Head, as logged", "The head is"), {1}, rows), wrong


def may_see_play(user: User | AnonymousUser) -> bool:
    """Whether this person may see what was played and paid."""
    return user.has_perms(("tables.view_round", "jackpot.view_award", "jackpot.view_jackpot"))
