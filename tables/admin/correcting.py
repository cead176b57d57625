"""The form in which a correction is asked for: all facts of the round as they stand, to be written as they should be.

It is sent twice: first it shows what would change, of the facts and in money, and nothing is asked; sent again
unchanged with what was shown (`seen`) it is asked for.
"""

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django import forms

from jackpot.admin.steps import LONGEST_NOTE, Note
from jackpot.domain.errors import Refused
from jackpot.services import CORRECTION_REASONS
from tables.admin.box_forms import VOIDS, BoxForm, cards_of
from tables.admin.correction_facts import Compared, compared, correction_figures
from tables.admin.drawn import words
from tables.domain import record
from tables.domain.corrections import Recorded
from tables.domain.facts import RoundFacts, VoidReason
from tables.http import texts
from tables.models.rounds import Round
from tables.selectors.on_show import boxes_of
from tables.services import corrections, previews

MOST_BOXES = 60
"""Of a round that is corrected in this form."""
SPARE = 2
"""Empty boxes at the end of the form, for those that were forgotten."""

_CARDS = ("flop", "turn", "river", "dealer", "player_cards")


@dataclass(frozen=True, slots=True)
class Shown:
    """What would change; `seen` is by what it is known that it was looked at."""

    facts: Compared
    figures: Compared
    seen: str


class Correction(Note):
    """The round's facts, its boxes', and why they are corrected."""

    reason = forms.ChoiceField(choices=[("", "choose"), *((reason, words(reason)) for reason in CORRECTION_REASONS)])
    note = forms.CharField(required=False, max_length=LONGEST_NOTE, widget=forms.Textarea(attrs={"rows": 3}))
    flop = forms.CharField(required=False, max_length=60, help_text="three cards, such as Qs Js Ts")
    turn = forms.CharField(required=False, max_length=10)
    river = forms.CharField(required=False, max_length=10)
    dealer = forms.CharField(label="Dealer's cards", required=False, max_length=40)
    player_cards = forms.CharField(label="The one hand of all boxes", required=False, max_length=40)
    void = forms.ChoiceField(label="Whole round", required=False, choices=VOIDS)
    void_note = forms.CharField(label="Note of the void", required=False, max_length=200)

    field_order = ("flop", "turn", "river", "dealer", "player_cards", "void", "void_note", "reason", "note")

    def __init__(self, data: Any = None, *, record: Round, **kwargs: Any) -> None:
        standing = corrections.standing(record.pk)
        facts = standing.facts
        joined = {name: getattr(facts, name) for name in _CARDS}
        initial = {name: " ".join([cards] if isinstance(cards, str) else cards or ()) for name, cards in joined.items()}
        initial |= {"void": facts.void or "", "void_note": standing.void_note}
        super().__init__(data, record=record, initial=initial, **kwargs)
        self.shown: Shown | None = None
        self.currency = record.table.currency
        rules = (record.rule_set or record.table.rule_set.versions.earliest("version")).read(self.currency.code)
        if not rules.shared_hand and facts.player_cards is None:
            del self.fields["player_cards"]
        boxes = sorted(facts.boxes, key=lambda box: box.box)
        self.boxes = [
            BoxForm(data, prefix=f"b{n}", rules=rules, currency=self.currency, stands=box, note=standing.notes)
            for n, box in enumerate([*boxes, *[None] * SPARE])
        ]

    def is_valid(self) -> bool:
        """All of it is looked at, so that everything wrong is said at once."""
        parts = [form.is_valid() for form in self.boxes]
        if not (super().is_valid() and all(parts)):
            return False
        try:
            self.shown = self._show(self.corrected())
        except Refused as refused:
            for violation in refused.violations:
                self.add_error(self.field_of(violation.pointer), violation.detail)
        return not self.errors and not any(form.errors for form in self.boxes)

    def clean(self) -> dict[str, Any]:
        said: dict[str, Any] = self.cleaned_data | {"form": self}
        for name in _CARDS:
            if name in said:
                said[name] = self._cards(name, said[name])
        for name in ("turn", "river"):
            if len(said.get(name) or ()) > 1:
                self.add_error(name, "one card")
        try:
            said["void_note"] = texts.note(said.get("void_note", ""))
        except Refused as refused:
            self.add_error("void_note", refused.violations[0].detail)
        if said.get("reason") == "other" and not said.get("note", "").strip():
            self.add_error("note", "the reason other needs a note that says which")
        return said

    def corrected(self) -> Recorded:
        """The facts as the form has them."""
        said = self.cleaned_data
        taken = [form for form in self.boxes if form.taken]
        self._places = taken
        facts = RoundFacts(
            boxes=tuple(form.facts for form in taken),
            flop=said["flop"],
            turn=(said["turn"] or (None,))[0],
            river=(said["river"] or (None,))[0],
            dealer=said["dealer"],
            player_cards=said.get("player_cards"),
            void=VoidReason(said["void"]) if said["void"] else None,
        )
        notes = {form.facts.box: form.cleaned_data["void_note"] for form in taken if form.cleaned_data["void_note"]}
        return Recorded(facts, said["void_note"] if said["void"] else "", notes)

    def complete(self) -> bool:
        return self.shown is not None and "again" not in self.data and self.data.get("seen") == self.shown.seen

    def add_error(self, field: str | None, error: Any) -> None:
        """A fault of a box is said beside it."""
        prefix, _, name = (field or "").partition("-")
        for form in self.boxes:
            if form.prefix == prefix:
                return form.add_error(name or None, error)
        return super().add_error(field, error)

    def field_of(self, pointer: str) -> str | None:
        parts = pointer.strip("/").split("/")
        if parts[0] == "boxes" and len(parts) > 1 and int(parts[1]) < len(self._places):
            form = self._places[int(parts[1])]
            name = parts[2] if len(parts) > 2 else ""
            return f"{form.prefix}-{name if name in form.fields else ''}"
        return parts[0] if parts[0] in self.fields else None

    def _cards(self, name: str, text: str) -> tuple[str, ...] | None:
        try:
            return cards_of(text)
        except ValueError as error:
            self.add_error(name, str(error))
            return None

    def _show(self, corrected: Recorded) -> Shown:
        wanted = corrections.wanted_of(round_id=self.record.pk, corrected=corrected)
        figures = correction_figures(previews.preview(wanted), self.currency)
        rows = [*map(list, figures.rows)]
        seen = record.canonical({"before": wanted.before, "after": wanted.document, "figures": rows})
        return Shown(compared(wanted.before, wanted.document), figures, sha256(seen).hexdigest())


def fits(rnd: Round) -> bool:
    """Whether a settled round is small enough for this form."""
    return rnd.version > 0 and boxes_of(rnd).count() <= MOST_BOXES
