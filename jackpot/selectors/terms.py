"""Which base, rates and limit a level was run by when: what was posted then is reckoned by them, not by today's."""

from collections import defaultdict
from collections.abc import Collection

from jackpot.domain.policy import LevelTerms
from jackpot.models.jackpots import Level, PolicyVersion
from jackpot.models.terms import TermsChange


class History:
    """The terms of some jackpots' levels from the first on; two queries."""

    def __init__(self, jackpot_ids: Collection[int]) -> None:
        self._versions: dict[int, list[PolicyVersion]] = defaultdict(list)
        versions = PolicyVersion.objects.filter(jackpot__in=jackpot_ids).select_related("change").defer("document")
        for version in versions.order_by("version"):
            self._versions[version.jackpot_id].append(version)
        self._changes: dict[int, list[TermsChange]] = defaultdict(list)
        changes = TermsChange.objects.filter(level__jackpot__in=jackpot_ids).select_related("policy")
        for change in changes.order_by("entry_id"):
            self._changes[change.level_id].append(change)
        self._read: dict[tuple[int, int], LevelTerms] = {}

    def at(self, level: Level, entry_id: int | None) -> LevelTerms:
        """The terms of a level just before an entry of its lane; those of now where none is named."""
        return self._terms(level, self.version(level, entry_id))

    def version(self, level: Level, entry_id: int | None) -> PolicyVersion:
        """The version that these terms are of: the one that the last reset brought, or the first."""
        came = [change.policy for change in self._changes[level.pk] if entry_id is None or change.entry_id < entry_id]
        return came[-1] if came else self._versions[level.jackpot_id][0]

    def approved(self, level: Level, entry_id: int | None) -> LevelTerms:
        """The terms that a reset by this entry brings: those approved last before it."""
        known = [v for v in self._versions[level.jackpot_id] if entry_id is None or _approved_before(v, entry_id)]
        return self._terms(level, known[-1])

    def _terms(self, level: Level, version: PolicyVersion) -> LevelTerms:
        """A level's terms in a version, read once."""
        key = (level.pk, version.pk)
        if key not in self._read:
            self._read[key] = LevelTerms.of(level.code, version.terms[level.code])
        return self._read[key]


def _approved_before(version: PolicyVersion, entry_id: int) -> bool:
    return version.change is None or version.change.entry_id < entry_id
