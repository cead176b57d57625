"""What was changed of jackpots: versions of their policy that came in force, and their state."""

from collections.abc import Collection, Iterable
from datetime import datetime
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

from jackpot.domain.changes import changed
from jackpot.models.jackpots import Jackpot, PolicyVersion

__all__ = ["Change", "Version", "of_jackpots", "of_versions"]


class Change(NamedTuple):
    """One setting that changed: when, of what ("policy MAIN@2"), from what to what."""

    at: datetime
    what: str
    subject: str
    parameter: str
    before: str | None
    after: str | None


class Version(Protocol):
    """A version of a document, in force from an instant on."""

    version: int
    document: Any
    in_force_at: datetime


def of_jackpots(jackpots: Collection[Jackpot], since: datetime, until: datetime) -> list[Change]:
    """The changes in [since, until). Of its state a jackpot keeps the last change only."""
    versions: dict[int, list[PolicyVersion]] = {jackpot.pk: [] for jackpot in jackpots}
    for version in PolicyVersion.objects.filter(jackpot__in=jackpots).order_by("version"):
        versions[version.jackpot_id].append(version)
    found: list[Change] = []
    for jackpot in jackpots:
        found += of_versions("policy", jackpot.code, versions[jackpot.pk], since, until)
        if jackpot.state_since is not None and since <= jackpot.state_since < until:
            before = Jackpot.State.SUSPENDED if jackpot.state == Jackpot.State.ACTIVE else None
            found.append(Change(jackpot.state_since, "state", jackpot.code, "state", before, jackpot.state))
    return found


def of_versions(what: str, code: str, versions: Iterable[Version], since: datetime, until: datetime) -> list[Change]:
    """What the versions of one document, oldest first, changed in [since, until): each setting that differs from the
    version before; of a first version that it came.
    """
    found: list[Change] = []
    for before, after in pairwise([None, *versions]):
        if after is None or not since <= after.in_force_at < until:
            continue
        subject = f"{code}@{after.version}"
        if before is None:
            found.append(Change(after.in_force_at, what, subject, "version", None, str(after.version)))
        else:
            differing = changed(before.document, after.document)
            found += [Change(after.in_force_at, what, subject, *setting) for setting in differing]
    return found
