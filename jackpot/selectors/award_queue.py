"""What waits for people: awards to be decided on, looked into and paid, and why somebody may not decide on one."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, F, Q, QuerySet, Sum

from jackpot.domain.awards import State
from jackpot.models.awards import Award, CarriedAward
from jackpot.selectors import award_moves
from jackpot.selectors.awards import all_awards

ORDERS = {"amount": ("-amount", "hit_at", "id"), "age": ("hit_at", "id")}
"""Biggest first, or oldest first."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """An award in the queue. `envies` and `envy` (ledger units) are what goes along with a hit; `approvals` how many
    people have decided since it came to its state, of as many as are `needed`; `barred` why this person may not.
    """

    award: Award
    envies: int
    envy: int
    approvals: int
    needed: int
    barred: str


@dataclass(frozen=True, slots=True)
class Queue:
    """Hits to be approved, disputed hits, and approved awards that are not paid. An Envy is decided on with its hit."""

    pending: Sequence[Waiting]
    disputed: Sequence[Waiting]
    unpaid: Sequence[Waiting]


def queue(*, actor: str, order: str = "amount") -> Queue:
    """All that waits, as it stands for `actor` (`Caller.actor`); a few queries, however much it is."""
    hits = Q(kind=Award.Kind.HIT, state__in=(State.PENDING, State.DISPUTED))
    found = list(_read().filter(hits | Q(state=State.APPROVED)).order_by(*ORDERS[order]))
    why = barred([award for award in found if award.state != State.APPROVED], actor)
    given = {UUID(case.ref): len(case.standing.decided) for case in award_moves.cases(found)}
    waiting = [_waiting(award, given[award.pk], why.get(award.pk, "")) for award in found]

    def of(state: State) -> list[Waiting]:
        return [one for one in waiting if one.award.state == state]

    return Queue(of(State.PENDING), of(State.DISPUTED), of(State.APPROVED))


def barred(found: Collection[Award], actor: str) -> dict[UUID, str]:
    """Those of some awards (read with their entries) that this person may not decide on, and why."""
    carried = CarriedAward.objects.filter(award__in=found, entry__actor=actor)
    corrected = set(carried.values_list("award_id", flat=True))
    why: dict[UUID, str] = {}
    for award, case in zip(found, award_moves.cases(list(found)), strict=True):
        mine = [move for move, by in case.standing.decided if by == actor]
        if award.entry.actor == actor:
            first = award.entry.source_ref.endswith(":v1")
            why[award.pk] = "you entered the round" if first else "you asked for the correction that made it"
        elif award.pk in corrected:
            why[award.pk] = "you asked for a correction of its round"
        elif mine:
            why[award.pk] = f"you decided already: {mine[0]}"
    return why


def _read() -> QuerySet[Award]:
    along = Q(envy__state=F("state"))
    found = all_awards().defer(None).defer("facts", "hit__facts")
    return found.annotate(envies=Count("envy", filter=along), envy_sum=Sum("envy__amount", filter=along))


def _waiting(award: Award, given: int, why: str) -> Waiting:
    # The fields that the query added, which Django's types know nothing of.
    added = vars(award)
    needed = int(award.policy.document.get("approvals", 2))
    return Waiting(award, added["envies"], int(added["envy_sum"] or 0), given, needed, why)
