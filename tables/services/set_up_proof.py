"""Whether tables and rule sets are as two people decided, looked for in the whole database."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

from jackpot import services as jackpot
from tables.models.rulesets import RuleSetVersion
from tables.models.tables import Table, TableSetup


class Difference(NamedTuple):
    what: str
    where: str
    expected: object
    stored: object


def differences() -> Iterator[Difference]:
    """Tables that are not as their last setup says, and what setups and rule-set versions say otherwise than their
    approvals.
    """
    setups: dict[int, list[TableSetup]] = {}
    found = TableSetup.objects.select_related("rule_set", "jackpot", "change__request", "table__site")
    for setup in found.order_by("table_id", "number"):
        setups.setdefault(setup.table_id, []).append(setup)
    for table in Table.objects.select_related("site").order_by("code"):
        known = setups.get(table.pk, [])
        yield from _of_table(table, known[-1] if known else None)
        yield from _of_setups(table, known)
    yield from _of_rule_sets()


def missing() -> Iterator[jackpot.ChangeRequest]:
    """What was approved and is not there."""
    return jackpot.approved_of_tables(table_setup=None, rule_set_version=None)


def by_command() -> list[str]:
    """What a command set up, and no two people: tables by their codes."""
    first = TableSetup.objects.filter(number=1, change=None)
    return list(first.order_by("table__code").values_list("table__code", flat=True))


def _of_table(table: Table, last: TableSetup | None) -> Iterator[Difference]:
    stands = (table.rule_set_id, table.jackpot_id, table.lane_id, table.set_up_at)
    said = None
    if last is not None:
        said = (last.rule_set_id, last.jackpot_id, last.lane_id, last.in_force_at if last.number > 1 else None)
    if stands != said:
        yield Difference("setup", f"table {table}", said, stands)


def _of_setups(table: Table, setups: list[TableSetup]) -> Iterator[Difference]:
    last: datetime | None = None
    for number, setup in enumerate(setups, start=1):
        where = f"table {setup}"
        if setup.number != number:
            yield Difference("setup number", where, number, setup.number)
        yield from _of_lane(table, setup)
        if setup.change is None:
            if number > 1:
                yield Difference("setup approval", where, "an approved change", None)
        else:
            asked, decided = setup.change.request, setup.change
            wanted = (asked.document, max(filter(None, (decided.at, last))))
            stored = (_document(table, setup), setup.in_force_at)
            if asked.kind != jackpot.ChangeKind.TABLE or wanted != stored:
                yield Difference("setup approval", where, wanted, stored)
        last = setup.in_force_at


def _of_lane(table: Table, setup: TableSetup) -> Iterator[Difference]:
    lane = setup.lane
    stands = (lane.jackpot_id, lane.site_id)
    due = (setup.jackpot_id, None if setup.jackpot_id else table.site_id)
    if stands != due:
        yield Difference("setup lane", f"table {setup}", due, stands)


def _document(table: Table, setup: TableSetup) -> dict[str, Any]:
    return {
        "table": table.code, "name": table.name, "site": table.site.code, "currency": table.currency_code,
        "rule_set": setup.rule_set.code, "jackpot": setup.jackpot.code if setup.jackpot else None,
    }  # fmt: skip


def _of_rule_sets() -> Iterator[Difference]:
    last: RuleSetVersion | None = None
    versions = RuleSetVersion.objects.select_related("rule_set", "change__request")
    for version in versions.order_by("rule_set_id", "version"):
        before = last if last and last.rule_set_id == version.rule_set_id else None
        last = version
        where, number = f"rule set {version}", before.version + 1 if before else 1
        if version.version != number:
            yield Difference("rule set version", where, number, version.version)
        if version.change is None:
            if version.version > 1:
                yield Difference("rule set approval", where, "an approved change", None)
            continue
        asked, decided = version.change.request.document, version.change
        asked_at = asked.get("in_force_at")
        since = (decided.at, datetime.fromisoformat(asked_at) if asked_at else None,
                 before.in_force_at if before else None)  # fmt: skip
        wanted = (asked.get("rule_set"), asked.get("version"), asked.get("rules"), max(filter(None, since)))
        stored = (version.rule_set.code, version.version, version.document, version.in_force_at)
        if wanted != stored:
            yield Difference("rule set approval", where, wanted, stored)
