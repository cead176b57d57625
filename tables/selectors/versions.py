"""The rule sets in force."""

from collections.abc import Iterable
from datetime import datetime
from functools import cached_property

from tables.domain import record
from tables.domain.rules import RuleSet as Rules
from tables.models.rulesets import RuleSetVersion
from tables.models.tables import Table


class RuleBook:
    """The rule-set versions of some tables, read once they are asked for: the one in force at a lock-out."""

    def __init__(self, tables: Iterable[Table]) -> None:
        self._wanted = {table.rule_set_id for table in tables}
        self._read: dict[tuple[int, str], Rules] = {}
        self._documents: dict[int, bytes] = {}

    @cached_property
    def _by_rule_set(self) -> dict[int, list[RuleSetVersion]]:
        versions: dict[int, list[RuleSetVersion]] = {}
        found = RuleSetVersion.objects.filter(rule_set_id__in=self._wanted).select_related("rule_set")
        for version in found.order_by("-version"):
            versions.setdefault(version.rule_set_id, []).append(version)
        return versions

    def at(self, table: Table, instant: datetime) -> RuleSetVersion:
        """The version in force at an instant; the first one where the instant lies before it."""
        versions = self._by_rule_set[table.rule_set_id]
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
