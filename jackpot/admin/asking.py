"""Asking, from the page of a jackpot, for what another person then decides on; and stopping it, which one person may.

A policy is asked for at the tables (`tables.admin.policies`), which know the hands.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from django import forms
from django.urls import reverse

from jackpot.admin.base import amount, exact
from jackpot.admin.steps import NONE, Acting, Asking, Done, Fact, Reason, Step
from jackpot.domain.accounts import Pot
from jackpot.domain.change_postings import Place
from jackpot.domain.change_requests import REASONS, ChangeKind
from jackpot.models.change_requests import ChangeRequest
from jackpot.models.jackpots import Jackpot, Level
from jackpot.selectors import jackpots
from jackpot.services.changes import adjustments, jackpot_states, retiring, transfers


class AdjustmentForm(Asking):
    reasons = REASONS[ChangeKind.ADJUSTMENT]
    pot = forms.ChoiceField()
    amount = forms.CharField(
        max_length=24, help_text="By how much it changes, such as 12.50 or -0.20000000: exact to the sixth decimal "
        "more than the currency has. The house bears it."
    )  # fmt: skip

    def __init__(self, data: Any = None, *, record: Jackpot, **kwargs: Any) -> None:
        super().__init__(data, record=record, **kwargs)
        self.fields["pot"] = forms.ChoiceField(choices=[NONE, *_pots(record)])
        self.order_fields(["pot"])


class TransferForm(Asking):
    reasons = REASONS[ChangeKind.TRANSFER]
    source = forms.ChoiceField()
    to = forms.ChoiceField()
    amount = forms.CharField(max_length=24, help_text="An amount above zero, such as 12.50")

    def __init__(self, data: Any = None, *, record: Jackpot, **kwargs: Any) -> None:
        super().__init__(data, record=record, **kwargs)
        self.fields["source"] = forms.ChoiceField(label="From", choices=[NONE, *_pots(record)])
        grouped = [(str(other), list(_pots(other))) for other in [record, *jackpots.that_take_from(record)]]
        self.fields["to"] = forms.ChoiceField(label="To", choices=[NONE, *grouped])
        self.order_fields(["source", "to"])

    def field_of(self, pointer: str) -> str | None:
        return "source" if pointer == "/from" else super().field_of(pointer)


class RetirementForm(Asking):
    """For each level of the jackpot, the level of another one that gets what it has."""

    reasons = REASONS[ChangeKind.RETIREMENT]

    def __init__(self, data: Any = None, *, record: Jackpot, **kwargs: Any) -> None:
        super().__init__(data, record=record, **kwargs)
        grouped = [
            (str(other), [(f"{other}:{level.code}", f"{other}, level {level.code}") for level in other.levels.all()])
            for other in jackpots.that_take_from(record)
        ]
        for level in record.levels.all():
            label = f"What level {level.code} has goes to"
            self.fields[f"level_{level.code}"] = forms.ChoiceField(label=label, choices=[NONE, *grouped])
        self.order_fields(name for name in self.fields if name.startswith("level_"))

    def clean(self) -> dict[str, Any]:
        said = super().clean() or {}
        goes = {name[6:]: place for name, place in said.items() if name.startswith("level_")}
        if len({place.partition(":")[0] for place in goes.values()}) > 1:
            raise forms.ValidationError("All levels go to one and the same jackpot")
        said["levels"] = {own: place.partition(":")[2] for own, place in goes.items()}
        said["to"] = next((place.partition(":")[0] for place in goes.values()), "")
        return said


def _pots(jackpot: Jackpot) -> Iterator[tuple[str, str]]:
    """The pots of a jackpot with what lies in them."""
    for level in jackpot.levels.all():
        for pot in Pot:
            lies = exact(getattr(level, pot), jackpot.currency)
            yield str(Place(jackpot.code, level.code, pot)), f"{jackpot.code} {level.code}, {pot}: {lies}"


def _adjustment(acting: Acting) -> Done:
    place = Place.named(acting.said["pot"])
    level = Level.objects.select_related("jackpot").get(jackpot=acting.record, code=place.level)
    return asked(acting, adjustments.ask_adjustment(
        caller=acting.caller, level=level, pot=place.pot, amount=acting.said["amount"], **_why(acting)
    ))  # fmt: skip


def _transfer(acting: Acting) -> Done:
    said = acting.said
    return asked(acting, transfers.ask_transfer(
        caller=acting.caller, source=said["source"], target=said["to"], amount=said["amount"], **_why(acting)
    ))  # fmt: skip


def _retirement(acting: Acting) -> Done:
    said = acting.said
    return asked(acting, retiring.ask_retirement(
        caller=acting.caller, jackpot=acting.record.code, to=said["to"], levels=said["levels"], **_why(acting)
    ))  # fmt: skip


def _why(acting: Acting) -> dict[str, Any]:
    return {"reason": acting.said["reason"], "note": acting.said["note"], "now": acting.now}


def asked(acting: Acting, request: ChangeRequest) -> Done:
    """Where asking leads: to the request, which says what it would change."""
    to = reverse("admin:jackpot_changerequest_change", args=[request.pk])
    return Done(message=f"Asked for: {request}. Another person decides on it", to=to)


def _suspend(acting: Acting) -> str:
    jackpot_states.suspend_jackpot(
        caller=acting.caller, jackpot_id=acting.record.pk, note=acting.said["note"], now=acting.now
    )
    return f"Jackpot {acting.record} is suspended: it takes no new bets"


def _resume(acting: Acting) -> str:
    jackpot_states.resume_jackpot(
        caller=acting.caller, jackpot_id=acting.record.pk, note=acting.said["note"], now=acting.now
    )
    return f"Jackpot {acting.record} takes bets again"


def stands(jackpot: Jackpot) -> Sequence[Fact]:
    """How a jackpot stands now."""
    facts: list[Fact] = [("Jackpot", f"{jackpot.code} · {jackpot.name}"), ("State", jackpot.state)]
    currency = jackpot.currency
    for level in jackpot.levels.all():
        limit = "no limit" if level.limit is None else f"limit {amount(level.limit, currency)}"
        facts.append((f"Level {level.code}", f"{exact(level.meter, currency)}, {limit}"))
        beside = f"reserve {exact(level.reserve, currency)}, overflow {exact(level.overflow, currency)}"
        facts.append((f"Level {level.code}, beside it", beside))
    return facts


def in_service(jackpot: Jackpot) -> bool:
    """Whether something may be asked of a jackpot: it is not retired."""
    return jackpot.state != Jackpot.State.RETIRED


STEPS = (
    Step(name="suspend", label="Suspend", needs="jackpot.suspend_jackpot", act=_suspend, form=Reason, facts=stands,
         about="No new Progressive bets are taken from now on. Rounds in play settle; the meters stay.",
         offered=lambda jackpot: jackpot.state == Jackpot.State.ACTIVE, grave=True),
    Step(name="resume", label="Resume", needs="jackpot.suspend_jackpot", act=_resume, form=Reason, facts=stands,
         about="Progressive bets are taken again.", offered=lambda jackpot: jackpot.state == Jackpot.State.SUSPENDED),
    Step(name="adjust", label="Ask for an adjustment", needs="jackpot.ask_adjustment", act=_adjustment,
         form=AdjustmentForm, facts=stands, offered=in_service,
         about="One pot is changed by an amount, once another person has approved it."),
    Step(name="transfer", label="Ask for a transfer", needs="jackpot.ask_transfer", act=_transfer, form=TransferForm,
         facts=stands, offered=in_service,
         about="An amount goes from one pot to another, once another person has approved it."),
    Step(name="retire", label="Ask to retire it", needs="jackpot.ask_retirement", act=_retirement,
         form=RetirementForm, facts=stands, offered=in_service,
         about="What it has goes to another jackpot, and it takes no bets any more, once another person has approved "
         "it. By then it must be suspended, and everything settled and paid."),
)  # fmt: skip
