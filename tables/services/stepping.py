"""What every step of a live round shares: the round under its lock, its rules, its next phase, its event."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from jackpot import services as jackpot
from jackpot.domain.errors import Refused, refuse
from jackpot.selectors import jackpots as policies
from tables.domain import round_state
from tables.domain.facts import BoxFacts, RoundFacts
from tables.domain.round_state import Move, Phase
from tables.domain.rules import RuleSet
from tables.models.rounds import Round
from tables.selectors import loading
from tables.selectors import rounds as found_rounds
from tables.selectors.versions import RuleBook
from tables.services import telling, writing


@dataclass(slots=True)
class Step:
    """A round locked for one step: read it, change it, `save` it with the event that says so."""

    round: Round
    now: datetime

    @property
    def phase(self) -> Phase:
        return Phase(self.round.phase)

    @property
    def rules(self) -> RuleSet:
        """The rule set of the round: pinned at the lock-out, before it the one in force now."""
        rnd = self.round
        version = rnd.rule_set or RuleBook([rnd.table]).at(rnd.table, self.now)
        return version.read(rnd.table.currency_code)

    def policy(self) -> jackpot.Policy | None:
        """The jackpot policy of the round, None where its table is linked to none."""
        rnd = self.round
        if rnd.policy is not None:
            return rnd.policy.read()
        if rnd.locked_at is not None or rnd.table.jackpot_id is None:
            return None
        return policies.policy_in_force(rnd.table.jackpot_id, self.now).read()

    def progressive_stake(self) -> int | None:
        """The one stake of the Progressive in ledger units; None where the table takes no Progressive bets now."""
        linked, policy = self.round.table.jackpot, self.policy()
        return policy.stake if policy and linked and linked.takes_bets(self.now) else None

    def boxes(self) -> list[BoxFacts]:
        return loading.boxes_of(self.round.id)

    def facts(self) -> RoundFacts:
        return loading.facts_of(self.round, self.boxes())

    def was_taken(self, event: str) -> bool:
        """Whether the step with this event was taken before."""
        return self.round.events.filter(kind=event).exists()

    def check_clock(self) -> None:
        """Raises Refused (`time_expired`) once the clock of the phase has run out."""
        if self.round.deadline is not None and self.now > self.round.deadline:
            raise refuse("time_expired", "the time for this has run out")

    def move(self, move: Move) -> None:
        """Go to the phase the move leads to. Raises Refused where it is out of order."""
        before = Phase(self.round.resumes_to) if self.round.resumes_to else None
        self.round.phase = round_state.move(self.phase, move, before=before)

    def start_clock(self, seconds: int | None) -> None:
        self.round.deadline = None if seconds is None else self.now + timedelta(seconds=seconds)

    def save(self, event: str, *fields: str, **data: Any) -> "Step":
        """Store the phase, the clock and these fields, with the one event of the step."""
        self.round.save(update_fields=["phase", "deadline", *fields])
        writing.store_events([(self.round.id, event, self.now, data)])
        return self

    def tell(self, kind: jackpot.EventType) -> "Step":
        """Tell the integrator of it: the last thing of the step."""
        telling.publish([telling.of_round(kind, self.round, at=self.now)])
        return self


def take(round_id: UUID, *, caller: jackpot.Caller, now: datetime) -> Step:
    """The round under its lock, for one step in the caller's transaction.

    Raises Refused (`not_found`) where the caller has no such round.
    """
    mine = found_rounds.seen_by(caller).defer(None).filter(pk=round_id)
    # Locked first and read afterwards: a locking SELECT that had to wait answers with the round's new row, but joins
    # to it what its old row pointed to, so that versions pinned meanwhile would be missing.
    if not mine.select_related(None).select_for_update(no_key=True).values_list("pk"):
        raise refuse("not_found", "there is no such round")
    # With what nearly every step asks for; a policy, a site or a jackpot is read where one does.
    return Step(mine.select_related(None).select_related("table", "rule_set__rule_set").get(), now)


def conflict(step: str) -> Refused:
    """The refusal of a step that was taken before with other content."""
    return refuse("step_conflict", f"{step} was recorded before with other content")
