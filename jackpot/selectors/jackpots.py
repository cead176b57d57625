"""Reading jackpots: the policy in force, and meters as the sign shows them."""

from collections.abc import Callable, Collection, Iterable
from datetime import datetime

from django.db.models import Count, Prefetch, QuerySet

from jackpot.domain.callers import Caller
from jackpot.domain.policy import Policy
from jackpot.models.awards import Award
from jackpot.models.jackpots import Jackpot, Level, PolicyVersion


def policy_in_force(jackpot_id: int, at: datetime) -> PolicyVersion:
    """The policy version in force at an instant; the first one where the instant lies before it."""
    return policies_in_force([jackpot_id])[jackpot_id].at(at)


class Versions:
    """The policy versions of one jackpot, newest first."""

    def __init__(self, versions: Iterable[PolicyVersion]) -> None:
        self._versions = sorted(versions, key=lambda version: version.version, reverse=True)

    def at(self, instant: datetime) -> PolicyVersion:
        """The version in force at an instant; the first one where the instant lies before it."""
        return next((v for v in self._versions if v.in_force_at <= instant), self._versions[-1])


def policies_in_force(jackpot_ids: Iterable[int]) -> dict[int, Versions]:
    """All versions of some jackpots, to be asked for the one in force at a round's lock-out."""
    found: dict[int, list[PolicyVersion]] = {}
    for version in PolicyVersion.objects.filter(jackpot_id__in=jackpot_ids).select_related("jackpot"):
        found.setdefault(version.jackpot_id, []).append(version)
    return {jackpot_id: Versions(versions) for jackpot_id, versions in found.items()}


def policies(ids: Iterable[int]) -> dict[int, Policy]:
    """Some versions of policies, read; one query."""
    found = PolicyVersion.objects.select_related("jackpot").in_bulk(list(ids))
    return {pk: version.read() for pk, version in found.items()}


def seen_by(caller: Caller, *, linked: Callable[[Collection[int]], Collection[int]]) -> QuerySet[Jackpot]:
    """The jackpots a caller may look at: those to which a table of its sites is linked, for staff all.

    `linked` knows the tables: it answers which jackpots those of some sites are linked to.
    """
    jackpots = on_show()
    return jackpots if caller.site_ids is None else jackpots.filter(pk__in=linked(caller.site_ids))


def that_take_from(jackpot: Jackpot) -> QuerySet[Jackpot]:
    """The others that may get something of this jackpot: in service, in its currency, both sandboxes or both live."""
    others = on_show().exclude(pk=jackpot.pk).exclude(state=Jackpot.State.RETIRED)
    return others.filter(
        currency_code=jackpot.currency_code, home_site__sandbox=jackpot.home_site.sandbox
    ).order_by("code")  # fmt: skip


def pending_hits(jackpot_ids: Iterable[int]) -> dict[int, int]:
    """How many hits of each jackpot wait for approval."""
    hits = Award.objects.filter(jackpot_id__in=list(jackpot_ids), kind=Award.Kind.HIT, state=Award.State.PENDING)
    return dict(hits.values_list("jackpot_id").annotate(Count("id")))


def on_show() -> QuerySet[Jackpot]:
    """Jackpots with their levels, in order."""
    levels = Prefetch("levels", Level.objects.order_by("position"))
    return Jackpot.objects.prefetch_related(levels, "policies").select_related("home_site")
