"""The console's gaming days: the tables that their pages are made of."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from jackpot.admin.base import amount, exact, moment, stamp
from jackpot.http.reports.titles import about, title
from jackpot.selectors.closed_days import ClosedDay
from jackpot.selectors.days import GamingDay, bounds_of
from jackpot.services import Site
from tables.reports.daily_pack import EVERY

REPORTS = [(name, title(name), about(name)) for name in (*EVERY, "checks")]
"""Every report of a day: its name in addresses, its title, a sentence about it."""


class Table(NamedTuple):
    """What `jackpot/console/table.html` shows."""

    caption: str
    columns: Sequence[str]
    numbers: Collection[int]
    rows: Sequence[Sequence[object]]


def rows(site: Site, found: Sequence[GamingDay], now: datetime) -> Table:
    """Days in a table, each with what its closing left."""
    columns = ("Gaming day", "State", "Opened", "Ends", "Closed", "By", "Awards unpaid", "Rounds left open")
    caption = f"Gaming days of {site.code}, newest first; times in UTC"
    return Table(caption, columns, {6, 7}, [_row(site, row, now) for row in found])


def _row(site: Site, row: GamingDay, now: datetime) -> list[object]:
    end = bounds_of(site, row.day)[1]
    address = reverse("console:day", args=[site.code, row.day])
    closing = next(iter(row.closings.all()), None)
    left: tuple[object, ...] = ("–", "–", "–")
    if closing is not None:
        left = (by(closing.closed_by), closing.unpaid, len(closing.rounds))
    return [
        format_html('<a href="{}">{}</a>', address, row.day.isoformat()), state(row, end, now), stamp(row.opened_at),
        stamp(end), stamp(row.closed_at) if row.closed_at else "–", *left,
    ]  # fmt: skip


def state(row: GamingDay | None, end: datetime, now: datetime) -> SafeString | str:
    """How a day stands, in a word."""
    if row is None:
        return "never opened"
    if row.closed_at is not None:
        return format_html('<span class="console-good">{}</span>', "closed")
    return "running" if now < end else format_html('<span class="console-warn">{}</span>', "over, to be closed")


def by(person: Any) -> str:
    """Who closed a day: a person, or the command."""
    return "close_day command" if person is None else str(person.get_username())


def facts(row: GamingDay | None, closed: ClosedDay | None) -> Iterator[tuple[str, object]]:
    """When and by whom a day was opened and closed, and what seals it."""
    yield "Opened", moment(row.opened_at) if row else "never: nothing was entered under it"
    if closed is not None:
        yield "Closed", moment(closed.closing.closed_at)
        yield "Closed by", by(closed.closing.closed_by)
        yield "Day closed before", closed.record.previous.isoformat() if closed.record.previous else "none"
        yield "Head that seals it", closed.head


def rounds_table(documents: Sequence[Mapping[str, Any]], closed: bool) -> Table:
    """Rounds that are or were not settled, with where they go."""
    columns = ("Game number", "Table", "Phase", "Started", "Entered under", "Waits for a second person")
    caption = "Rounds that were not settled when it was closed" if closed else "Rounds that are not settled"
    return Table(caption, columns, (), [_round(one) for one in documents])


def _round(one: Mapping[str, Any]) -> list[object]:
    address = reverse("admin:tables_round_change", args=[one["ref"]])
    goes = "the open day, late" if one["comes_late"] else "the day in which it ends"
    waits = "a void" if one.get("void_waits") else "–"
    started = moment(datetime.fromisoformat(one["started_at"]))
    link = format_html('<a href="{}">{}</a>', address, one["game_number"])
    return [link, one["table"], one["phase"], started, goes, waits]


def closing_tables(closed: ClosedDay) -> list[Table]:
    """Everything a closing holds: pots, accounts, what was unpaid."""
    return [_pots(closed), _unpaid(closed), _accounts(closed)]


def _pots(closed: ClosedDay) -> Table:
    kinds = list(dict.fromkeys(kind for line in closed.record.pots for kind, units in line.by_kind.items() if units))
    named = (kind.replace("_", " ").capitalize() for kind in kinds)
    columns = ("Jackpot", "Level", "Pot", "Opening", *named, "Closing")
    found = []
    for line in sorted(closed.record.pots, key=lambda line: line.account):
        cur = closed.currencies[line.jackpot]
        units = (line.opening, *(line.by_kind.get(kind, 0) for kind in kinds), line.closing)
        found.append((line.jackpot, line.level, line.pot.value, *(exact(one, cur) for one in units)))
    return Table("Pots, as they were closed", columns, range(3, 5 + len(kinds)), found)


def _unpaid(closed: ClosedDay) -> Table:
    found = [
        (format_html('<a href="{}">{}</a>', reverse("admin:jackpot_award_change", args=[line.award_id]), line.award),
         line.award.jackpot.code, line.award.player, amount(line.amount, line.award.jackpot.currency),
         line.owed_day.isoformat(), (closed.record.day - line.owed_day).days)
        for line in closed.unpaid
    ]  # fmt: skip
    columns = ("Award", "Jackpot", "Player", "Amount", "Owed since", "Days")
    return Table("Awards that were owed and not paid at its end", columns, {3, 5}, found)


def _accounts(closed: ClosedDay) -> Table:
    found = [
        (line.account, f"{line.opening:,}", f"{line.debits:,}", f"{line.credits:,}", f"{line.closing:,}")
        for line in sorted(closed.record.accounts, key=lambda line: line.account)
    ]  # fmt: skip
    caption = "Accounts, in ledger units (millionths of the minor unit), debits positive"
    return Table(caption, ("Account", "Opening", "Debits", "Credits", "Closing"), {1, 2, 3, 4}, found)
