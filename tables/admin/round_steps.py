"""What is done to a round in the console: its correction or void asked for, a void that waits decided on, a retry."""

from dataclasses import replace

from django import forms

from jackpot.admin.steps import Acting, Fact, Note, Reason, Step
from jackpot.money import show_stored
from tables import tasks
from tables.admin.box_forms import VOIDS
from tables.admin.correcting import Correction, fits
from tables.admin.drawn import words
from tables.domain.corrections import Recorded
from tables.domain.facts import VoidReason
from tables.models.rounds import Round
from tables.models.voids import WaitingVoid
from tables.selectors import results
from tables.selectors.people import Names
from tables.services import corrections, settlement, void_decisions, voiding

_ASKED = "asked for; nothing changes before another person has approved it"
VOID_MISSED = "void_missed"
"""The reason of a correction that voids a settled round."""
_NOTE = 200
"""Characters that a void's note may have."""


class Decide(Note):
    """A remark to a decision on a void."""

    note = forms.CharField(required=False, max_length=_NOTE, widget=forms.Textarea(attrs={"rows": 3}))


class VoidSettled(Reason):
    """Why a settled round is to be void."""

    void = forms.ChoiceField(label="Why it is void", choices=[("", "choose"), *VOIDS[1:]])
    note = forms.CharField(label="What happened", max_length=_NOTE, widget=forms.Textarea(attrs={"rows": 3}))


def _correct(acting: Acting) -> str:
    form: Correction = acting.said["form"]
    corrections.ask(
        caller=acting.caller, round_id=acting.record.pk, corrected=form.corrected(), reason=acting.said["reason"],
        note=acting.said["note"], now=acting.now,
    )  # fmt: skip
    return f"The correction is {_ASKED}."


def _void(acting: Acting) -> str:
    said, standing = acting.said, corrections.standing(acting.record.pk)
    facts = replace(standing.facts, void=VoidReason(said["void"]))
    corrections.ask(
        caller=acting.caller, round_id=acting.record.pk, corrected=Recorded(facts, said["note"], standing.notes),
        reason=VOID_MISSED, note=said["note"], now=acting.now,
    )  # fmt: skip
    return f"The void is {_ASKED}."


def _confirm(acting: Acting) -> str:
    _decide(acting, void_decisions.confirm)
    return "The void stands."


def _decline(acting: Acting) -> str:
    _decide(acting, void_decisions.decline)
    return "The void fell; the round goes on as it was."


def _decide(acting: Acting, decide: void_decisions.Decide) -> None:
    step = decide(caller=acting.caller, round_id=acting.record.pk, note=acting.said["note"], now=acting.now)
    tasks.wake_on_commit([step.round.lane_id])


def _take_up(acting: Acting) -> str:
    void_decisions.take_up(caller=acting.caller, round_id=acting.record.pk, now=acting.now)
    return "You ask for this void; another person decides on it."


def _retry(acting: Acting) -> str:
    settlement.retry(acting.record.pk, caller=acting.caller)
    tasks.wake_on_commit([acting.record.lane_id])
    return "The round has its place in the queue back; a worker settles it."


def _undecided(rnd: Round) -> list[WaitingVoid]:
    return list(WaitingVoid.objects.filter(round=rnd, decided=None).order_by("id"))


def _may_be_decided(rnd: Round) -> bool:
    return voiding.waits_for_second_person(rnd) and bool(_undecided(rnd))


def _may_be_taken_up(rnd: Round) -> bool:
    return voiding.waits_for_second_person(rnd) and not _undecided(rnd)


def _waiting(rnd: Round) -> list[Fact]:
    waits = _undecided(rnd)
    names = Names(one.asked_by for one in waits)
    return [
        *_given_up(rnd, waits),
        *(
            fact
            for one in waits
            for fact in (
                ("What is void", "the round" if one.box is None else f"box {one.box}"),
                ("Asked for by", names.of(one.asked_by)),
                ("Asked at (UTC)", f"{one.asked_at:%Y-%m-%d %H:%M:%S}"),
            )
        ),
    ]


def _given_up(rnd: Round, waits: list[WaitingVoid]) -> list[Fact]:
    """The Progressive hands that would go unpaid. A share of a meter has no amount before its round is settled."""
    if rnd.policy is None:
        return []
    facts = corrections.standing(rnd.pk).facts
    voided = {box.box for box in facts.boxes for one in waits if one.box in (None, box.box)}
    hands = voiding.hands_given_up(facts, voided, rnd.policy.read())
    return [("It cancels", "; ".join(f"box {box}: {words(hand)}" for box, hand in hands) or "Envy")]


def _staked(rnd: Round) -> list[Fact]:
    staked, returned = results.of_round(rnd)
    return [
        ("Round", rnd.game_number),
        ("Staked, which goes back", show_stored(staked, rnd.table.currency)),
        ("Returned so far, Envy apart", show_stored(returned, rnd.table.currency)),
    ]


def _problem(rnd: Round) -> list[Fact]:
    return [("Why it failed", (rnd.problem or {}).get("detail", "–"))]


STEPS = (
    Step(
        name="correct",
        label="Correct",
        about="Write the facts of the round as they were. First it is shown what would change; then you ask for it. "
        "Nothing changes before another person has approved it. Both versions stay.",
        needs="jackpot.ask_correction",
        act=_correct,
        offered=fits,
        form=Correction,
        template="tables/correct.html",
    ),
    Step(
        name="void",
        label="Ask to void the round",
        about="All bets go back, awards that are not paid are withdrawn, and what was posted is reversed: once another "
        "person has approved it.",
        needs="jackpot.ask_correction",
        act=_void,
        offered=lambda rnd: rnd.version > 0 and not rnd.void_reason,
        form=VoidSettled,
        facts=_staked,
        grave=True,
    ),
    Step(
        name="confirm",
        label="Confirm the void",
        about="The void stands: its bets go back, and the prize or Envy it cancels is not paid. Not for who asked.",
        needs="tables.decide_void",
        act=_confirm,
        offered=_may_be_decided,
        form=Decide,
        facts=_waiting,
        grave=True,
    ),
    Step(
        name="decline",
        label="Decline the void",
        about="The void falls: the round goes on as if nobody had asked for it. Not for who asked.",
        needs="tables.decide_void",
        act=_decline,
        offered=_may_be_decided,
        form=Decide,
        facts=_waiting,
    ),
    Step(
        name="take-up",
        label="Take the void up",
        about="Who asked for this void is not on record. You ask for it now, and another person decides.",
        needs="tables.decide_void",
        act=_take_up,
        offered=_may_be_taken_up,
    ),
    Step(
        name="retry",
        label="Retry",
        about="The round could not be settled. Once the cause is removed it is given its place in the queue back.",
        needs="tables.change_round",
        act=_retry,
        offered=settlement.may_be_retried,
        facts=_problem,
    ),
)
