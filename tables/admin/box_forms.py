"""One box of a correction's form: its facts, written as people write them."""

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms

from jackpot import money
from jackpot.domain.errors import Refused
from jackpot.money import Currency
from tables.admin.drawn import words
from tables.domain import cards
from tables.domain.facts import AUTOMATIC_FOLD, Action, BoxFacts, Decision, Street, VoidReason
from tables.domain.rules import MAX_BOX_NUMBER, RuleSet
from tables.http import texts

VOIDS = [("", "not void"), *((reason.value, words(reason.value)) for reason in VoidReason)]


class BoxForm(forms.Form):
    """A box as it should be. Without a number there is no such box."""

    box = forms.IntegerField(label="Box", required=False, min_value=1, max_value=MAX_BOX_NUMBER)
    player = forms.CharField(required=False, max_length=64, strip=False)
    cards = forms.CharField(required=False, max_length=40)
    ante = forms.CharField(required=False, max_length=20)
    trips = forms.CharField(required=False, max_length=20)
    progressive = forms.CharField(required=False, max_length=20)
    decision = forms.ChoiceField()
    void = forms.ChoiceField(label="This box", required=False, choices=VOIDS)
    void_note = forms.CharField(label="Note of its void", required=False, max_length=200)

    def __init__(
        self, data: Any, *, prefix: str, rules: RuleSet, currency: Currency, stands: BoxFacts | None,
        note: Mapping[int, str],
    ) -> None:  # fmt: skip
        self.stands, self.currency = stands, currency
        decision = stands.decision if stands else AUTOMATIC_FOLD
        initial: dict[str, Any] = {"decision": _written(decision)}
        if stands is not None:
            amounts = {name: getattr(stands, name) for name in ("ante", "trips", "progressive")}
            initial |= {name: money.show_stored(units, currency) if units else "" for name, units in amounts.items()}
            initial |= {"box": stands.box, "player": stands.player, "cards": " ".join(stands.cards or ())}
            initial |= {"void": stands.void or "", "void_note": note.get(stands.box, "")}
        super().__init__(data, prefix=prefix, initial=initial, use_required_attribute=False)
        choices = dict.fromkeys([*_decisions(rules), decision])
        field: Any = self.fields["decision"]
        field.choices = [(_written(one), _said(one)) for one in choices]

    @property
    def title(self) -> str:
        return f"Box {self.stands.box}" if self.stands else "A box that is missing"

    @property
    def taken(self) -> bool:
        """Whether there is such a box; of a form that is valid."""
        return self.cleaned_data["box"] is not None

    @property
    def facts(self) -> BoxFacts:
        said = self.cleaned_data
        void = VoidReason(said["void"]) if said["void"] else None
        return BoxFacts(
            said["box"], said["player"], said["ante"], said["trips"], said["progressive"], said["cards"],
            _read(said["decision"]), void,
        )  # fmt: skip

    def clean(self) -> dict[str, Any]:
        said: dict[str, Any] = self.cleaned_data
        for name in ("ante", "trips", "progressive"):
            try:
                said[name] = money.parse(said.get(name) or "0", self.currency)
            except ValueError as error:
                self.add_error(name, str(error))
        try:
            said["cards"] = cards_of(said.get("cards") or "")
        except ValueError as error:
            self.add_error("cards", str(error))
        for name, read in (("player", texts.player), ("void_note", texts.note)):
            try:
                said[name] = read(said.get(name, ""))
            except Refused as refused:
                self.add_error(name, refused.violations[0].detail)
        if said.get("box") is None and self.stands is None and any(said.get(name) for name in ("player", "ante")):
            self.add_error("box", "which box is it?")
        return said


def cards_of(text: str) -> tuple[str, ...] | None:
    """Cards as people write them, with blanks or commas between. Raises ValueError, which names what is none."""
    return tuple(map(cards.parse, text.replace(",", " ").split())) or None


def _decisions(rules: RuleSet) -> Iterator[Decision]:
    """How a box may have ended under these rules."""
    for street in Street:
        for times in sorted(rules.multipliers(street), reverse=True):
            yield Decision(Action.PLAY, street, times)
    for street in rules.fold_streets:
        yield Decision(Action.FOLD, Street(street))
    yield AUTOMATIC_FOLD


def _said(decision: Decision) -> str:
    times = f" {decision.multiplier}×" if decision.multiplier else ""
    return f"{decision.action}{times}, {decision.street}{', automatic' if decision.automatic else ''}"


def _written(decision: Decision) -> str:
    parts = (decision.action, decision.street, decision.multiplier or "", "automatic" if decision.automatic else "")
    return ":".join(map(str, parts))


def _read(written: str) -> Decision:
    """A decision that `_written` wrote; one of the choices."""
    action, street, times, automatic = written.split(":")
    return Decision(Action(action), Street(street), int(times) if times else None, bool(automatic))
