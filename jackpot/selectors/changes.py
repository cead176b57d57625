"""What was changed of jackpots, by whom and why: policies, terms of levels, states, and whatever else was asked for."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

from django.db.models import Q

from jackpot.domain.change_requests import ChangeKind, Decision
from jackpot.domain.changes import Changed, changed
from jackpot.models.change_requests import ChangeDecision, ChangeRequest
from jackpot.models.jackpot_states import JackpotStateChange
from jackpot.models.jackpots import Jackpot, PolicyVersion
from jackpot.models.sites import Site
from jackpot.models.terms import TermsChange
from jackpot.money import Currency, show

__all__ = ["Change", "Version", "of_jackpots", "of_requests", "of_versions", "people_behind", "waiting"]

_WITH_VERSIONS = (ChangeKind.POLICY, ChangeKind.OPENING, ChangeKind.RULE_SET)


class People(NamedTuple):
    """Who stands behind a change: the names of who asked and who approved (or refused) it, and the reason given."""

    by: str | None = None
    approver: str | None = None
    reason: str | None = None


class Change(NamedTuple):
    """One setting that changed: when, of what ("policy MAIN@2"), from what to what, and who stands behind it."""

    at: datetime
    what: str
    subject: str
    parameter: str
    before: str | None
    after: str | None
    people: People = People()


class Version(Protocol):
    """A version of a document, in force from an instant on."""

    version: int
    document: Any
    in_force_at: datetime


def of_jackpots(jackpots: Collection[Jackpot], since: datetime, until: datetime) -> list[Change]:
    """The changes of policy, terms and state in [since, until)."""
    versions: dict[int, list[PolicyVersion]] = {jackpot.pk: [] for jackpot in jackpots}
    wanted = PolicyVersion.objects.filter(jackpot__in=jackpots).order_by("version")
    for version in wanted.select_related("change__by", "change__request__asked_by"):
        versions[version.jackpot_id].append(version)
    found: list[Change] = []
    for jackpot in jackpots:
        people = {v.version: people_behind(v.change) for v in versions[jackpot.pk] if v.change is not None}
        found += of_versions("policy", jackpot.code, versions[jackpot.pk], since, until, people)
    opened = {pk: known[0].terms for pk, known in versions.items()}
    return [*found, *_of_terms(opened, since, until), *_of_states(jackpots, since, until)]


def of_versions(
    what: str, code: str, versions: Iterable[Version], since: datetime, until: datetime,
    people: Mapping[int, People] | None = None,
) -> list[Change]:  # fmt: skip
    """What the versions of one document, oldest first, changed in [since, until): each setting that differs from the
    version before; of a first version that it came. `people` stand behind a version.
    """
    found: list[Change] = []
    for before, after in pairwise([None, *versions]):
        if after is None or not since <= after.in_force_at < until:
            continue
        subject, behind = f"{code}@{after.version}", (people or {}).get(after.version, People())
        settings = [Changed("version", None, str(after.version))]
        if before is not None:
            settings = changed(before.document, after.document)
        found += [Change(after.in_force_at, what, subject, *setting, behind) for setting in settings]
    return found


def of_requests(jackpots: Collection[Jackpot], site: Site | None, since: datetime, until: datetime) -> Iterator[Change]:
    """What was decided in [since, until) on requests of these jackpots, and of the site where they are of none: each
    setting of an approval, and that others were refused or withdrawn. Approved policies and rule sets
    are versions (`of_versions`).
    """
    wanted = Q(request__jackpot__in=jackpots)
    if site is not None:
        wanted |= Q(request__jackpot=None, request__site=site)
    decisions = ChangeDecision.objects.filter(wanted, at__gte=since, at__lt=until)
    decisions = decisions.exclude(request__kind__in=_WITH_VERSIONS, decision=Decision.APPROVED)
    for decision in decisions.select_related("by", "request__asked_by").order_by("at", "pk"):
        kind, subject = decision.request.kind, decision.request.subject
        settings = changed(decision.before or {}, decision.after or {})
        for setting in settings or [Changed(decision.decision, None, None)]:
            yield Change(decision.at, kind, subject, *setting, people_behind(decision))


def _of_terms(opened: Mapping[int, Any], since: datetime, until: datetime) -> Iterator[Change]:
    """Terms that came into force with a reset: which figures of a level, when it was posted, and the reset's entry.

    `opened` are the terms that jackpots were opened with.
    """
    changes = TermsChange.objects.filter(level__jackpot__in=opened, entry__posted_at__lt=until)
    changes = changes.select_related(
        "level__jackpot", "entry", "policy__jackpot", "policy__change__by", "policy__change__request__asked_by"
    )
    present: dict[int, dict[str, Any]] = {}
    for change in changes.order_by("entry_id"):
        level, after = change.level, change.policy.terms[change.level.code]
        before = present.get(level.pk, opened[level.jackpot_id][level.code])
        present[level.pk] = after
        if change.entry.posted_at < since:
            continue
        currency = level.jackpot.currency
        people = people_behind(change.policy.change) if change.policy.change else People()
        subject = f"{change.policy}, {level.code}, reset {change.entry.source_ref}"
        for name in after:
            if before[name] != after[name]:
                was, became = (_figure(name, figures[name], currency) for figures in (before, after))
                yield Change(change.entry.posted_at, "terms", subject, name, was, became, people)


def _of_states(jackpots: Collection[Jackpot], since: datetime, until: datetime) -> Iterator[Change]:
    """Jackpots that one person suspended or resumed, or that were retired by a request, which names two."""
    changes = JackpotStateChange.objects.filter(jackpot__in=jackpots, at__gte=since, at__lt=until)
    for change in changes.select_related("jackpot", "by", "request__asked_by").order_by("at", "pk"):
        people = People(change.by.get_username(), None, change.note or None)
        if change.request is not None:
            people = People(change.request.asked_by.get_username(), change.by.get_username(), change.request.reason)
        yield Change(change.at, "state", change.jackpot.code, "state", change.before, change.after, people)


def _figure(name: str, figure: int | None, currency: Currency) -> str | None:
    if figure is None:
        return None
    return str(figure) if name.endswith("_ppm") else show(figure, currency)


def people_behind(decision: ChangeDecision) -> People:
    asked = decision.request
    decided_by = None if decision.decision == Decision.WITHDRAWN else decision.by.get_username()
    reason = f"{asked.reason}: {asked.note}" if asked.note else asked.reason
    return People(asked.asked_by.get_username(), decided_by, reason)


def waiting(kind: ChangeKind, subject: str) -> list[ChangeRequest]:
    """The requests of a kind on a subject that wait for their decision, oldest first."""
    found = ChangeRequest.objects.filter(kind=kind, subject=subject, decided=None)
    return list(found.select_related("asked_by").order_by("asked_at"))
