"""How tables are set up and which rule sets are in force, at an instant."""

from collections.abc import Iterable
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

from tables.domain import record
from tables.domain.rules import RuleSet as Rules
from tables.models.rulesets import RuleSetVersion
from tables.models.tables import Table, TableSetup


class Setup(NamedTuple):
    """What a table plays: a rule set, a jackpot or none, in a lane; all by id."""

    rule_set_id: int
    jackpot_id: int | None
    lane_id: int


class Setups:
    """How some tables are, and were, set up. Tables that always were as they are cost no query."""

    def __init__(self, tables: Iterable[Table]) -> None:
        self._tables = {table.pk: table for table in tables}

    @cached_property
    def _earlier(self) -> dict[int, list[tuple[datetime, Setup]]]:
        """What tables that are otherwise by now were from when on, newest first."""
        earlier: dict[int, list[tuple[datetime, Setup]]] = {}
        changed = [pk for pk, table in self._tables.items() if table.set_up_at is not None]
        if changed:
            for row in TableSetup.objects.filter(table_id__in=changed).order_by("-number"):
                setup = Setup(row.rule_set_id, row.jackpot_id, row.lane_id)
                earlier.setdefault(row.table_id, []).append((row.in_force_at, setup))
        return earlier

    def at(self, table: Table, instant: datetime) -> Setup:
        """The setup in force at an instant; the first one where the instant lies before it."""
        if table.set_up_at is None or instant >= table.set_up_at:
            return Setup(table.rule_set_id, table.jackpot_id, table.lane_id)
        known = self._earlier[table.pk]
        return next((setup for since, setup in known if since <= instant), known[-1][1])

    def ever(self) -> set[Setup]:
        """Every setup that any of them has or had."""
        now = {Setup(table.rule_set_id, table.jackpot_id, table.lane_id) for table in self._tables.values()}
        return now | {setup for known in self._earlier.values() for _, setup in known}


class RuleBook:
    """The rule-set versions of some tables, read once they are asked for: the one in force at a lock-out."""

    def __init__(self, tables: Iterable[Table]) -> None:
        self.setups = Setups(tables)
        self._read: dict[tuple[int, str], Rules] = {}
        self._documents: dict[int, bytes] = {}

    @cached_property
    def _by_rule_set(self) -> dict[int, list[RuleSetVersion]]:
        versions: dict[int, list[RuleSetVersion]] = {}
        wanted = {setup.rule_set_id for setup in self.setups.ever()}
        found = RuleSetVersion.objects.filter(rule_set_id__in=wanted).select_related("rule_set")
        for version in found.order_by("-version"):
            versions.setdefault(version.rule_set_id, []).append(version)
        return versions

    def at(self, table: Table, instant: datetime) -> RuleSetVersion:
        """The version in force at a table at an instant; the first one where the instant lies before it."""
        versions = self._by_rule_set[self.setups.at(table, instant).rule_set_id]
        return next((version for version in versions if version.in_force_at <= instant), versions[-1])

    def rules(self, version: RuleSetVersion, currency_code: str) -> Rules:
        """A version as the pure rule set, read once for each currency."""
        key = (version.pk, currency_code)
        if key not in self._read:
            self._read[key] = version.read(currency_code)
        return self._read[key]

    def document(self, version: RuleSetVersion) -> bytes:
        """A version in canonical form, as it is sealed; made once."""
        if version.pk not in self._documents:
            self._documents[version.pk] = document_of(version)
        return self._documents[version.pk]


def document_of(version: RuleSetVersion) -> bytes:
    """A version of a rule set in canonical form, as it is sealed."""
    return record.rule_set(version.rule_set.code, version.version, version.document, version.in_force_at)
