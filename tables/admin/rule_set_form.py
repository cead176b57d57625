"""The form of a rule set's next version: every setting of domain.md section 5, prefilled with the version it is made
from. What a rule set allows is the tables' to say; its refusals stand at their fields.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django import forms
from django.forms import BoundField
from django.urls import reverse

from jackpot import services as jackpot
from jackpot.admin.base import words
from jackpot.admin.steps import Asking
from jackpot.domain.errors import Refused
from tables.admin.rule_set_figures import Shown, of_document
from tables.domain.facts import Street
from tables.domain.hands import HandName
from tables.domain.paytables import Odds, OddsRounding
from tables.domain.rules import HandMode, LimitScope
from tables.models.rulesets import RuleSetVersion
from tables.services import rule_sets

Json = dict[str, Any]
TABLES = ("blind", "trips")
_SWITCHES = {
    "progressive_offered": "The Progressive is offered",
    "trips_survives_fold": "Trips lives on after a fold",
    "progressive_survives_fold": "The Progressive lives on after a fold",
}
_NUMBERS = {
    "boxes_per_player": ("Boxes of one player", "Empty: any empty box"),
    "max_boxes": ("Boxes at the table", "Empty: unlimited, with one hand shared by all"),
    "betting_seconds": ("Seconds for bets", "Empty: no clock"),
    "decision_seconds": ("Seconds for a decision", "Empty: no clock"),
}
_AMOUNTS = {
    "ante_min": ("Lowest Ante", ""), "ante_max": ("Highest Ante", ""), "trips_min": ("Lowest Trips", ""),
    "trips_max": ("Highest Trips", ""),
    "box_max": ("Most a box stakes before the cards", "Empty: no limit"),
    "payout_limit_amount": ("Payout limit", "Empty: none. The most that Ante, Blind, Play and Trips win together"),
}  # fmt: skip
_MAY_LACK = ("box_max", "payout_limit_amount")
_OWN_NAME = "A table with other lines than a known one has a name of its own"
_INSTANT = "%Y-%m-%d %H:%M"


class Line(NamedTuple):
    """A hand with its odds in both pay tables."""

    label: str
    cells: list[BoundField]


class RuleSetForm(Asking):
    reasons = jackpot.REASONS[jackpot.ChangeKind.RULE_SET]
    base = forms.IntegerField(widget=forms.HiddenInput)
    preflop_multipliers = forms.CharField(label="Play before the flop, times the Ante", max_length=20)
    fold_streets = forms.MultipleChoiceField(
        label="A box may fold", choices=[(street.value, words(street)) for street in Street],
        widget=forms.CheckboxSelectMultiple,
    )  # fmt: skip
    hand_mode = forms.ChoiceField(
        label="Hands", choices=[(HandMode.PER_BOX, "one a box"), (HandMode.SHARED, "one shared by all boxes")]
    )
    odds_rounding = forms.ChoiceField(
        label="Odds such as 3:2 on odd stakes are rounded", choices=[(one.value, words(one)) for one in OddsRounding]
    )
    payout_limit_scope = forms.ChoiceField(
        label="Payout limit counts the wins of", choices=[(one.value, f"a {one}") for one in LimitScope]
    )
    in_force_at = forms.DateTimeField(
        label="In force from (UTC)", required=False, input_formats=[_INSTANT, "%Y-%m-%dT%H:%M"],
        widget=forms.DateTimeInput(format=_INSTANT, attrs={"placeholder": "2026-12-01 06:00"}),
        help_text="Empty: from the approval on. Rounds locked out before keep their version",
    )  # fmt: skip

    def __init__(self, data: Any = None, *, record: RuleSetVersion, **kwargs: Any) -> None:
        super().__init__(data, record=record, **kwargs)
        for name in TABLES:
            label = f"Name of the {name.title()} table"
            self.fields[f"{name}_name"] = forms.CharField(label=label, max_length=60, help_text=_OWN_NAME)
            for hand in HandName:
                self.fields[f"{name}_{hand}"] = _odds(f"{name.title()}, {words(hand)}")
        for name, label in _SWITCHES.items():
            self.fields[name] = forms.BooleanField(label=label, required=False)
        for name, (label, about) in _NUMBERS.items():
            self.fields[name] = forms.IntegerField(label=label, required=False, min_value=1, help_text=about)
        for name, (label, about) in _AMOUNTS.items():
            lacks = name in _MAY_LACK
            self.fields[name] = forms.CharField(label=label, max_length=20, required=not lacks, help_text=about)
        self.initial = {**_initial(record), **self.initial}

    def lines(self) -> Iterator[Line]:
        for hand in HandName:
            yield Line(words(hand), [self[f"{name}_{hand}"] for name in TABLES])

    def names(self) -> list[BoundField]:
        return [self[f"{name}_name"] for name in TABLES]

    def play(self) -> list[BoundField]:
        return [self[name] for name in ("preflop_multipliers", "hand_mode", "odds_rounding", *_NUMBERS)]

    def limits(self) -> list[BoundField]:
        return [self[name] for name in (*_AMOUNTS, "payout_limit_scope")]

    def switches(self) -> list[BoundField]:
        return [self[name] for name in _SWITCHES]

    def why(self) -> list[BoundField]:
        return [self[name] for name in ("in_force_at", "reason", "note")]

    def clean_in_force_at(self) -> datetime | None:
        found: datetime | None = self.cleaned_data["in_force_at"]
        return found.replace(tzinfo=UTC) if found else None

    def clean_preflop_multipliers(self) -> list[int]:
        return multiples(self.cleaned_data["preflop_multipliers"])

    def clean(self) -> Json:
        said = super().clean() or {}
        if said.get("base") not in (None, self.record.version):
            raise forms.ValidationError("This form was made of another version: open it anew")
        if self.errors:
            return said
        said["document"] = self._document(said)
        try:
            rule_sets.check_document(self.record.rule_set, said["document"])
        except Refused as refused:
            for violation in refused.violations:
                self.add_error(self.field_of(violation.pointer), violation.detail)
        return said

    def figures(self) -> list[Shown]:
        """What the pay tables return as they stand in the form, right or wrong as yet."""
        return of_document(self._edited())

    def figures_at(self) -> str:
        return reverse("console:rule_set_figures", args=[self.record.pk])

    def _edited(self) -> Json:
        values = {name: self[name].value() for name in self.fields}
        try:
            preflop = multiples(str(values["preflop_multipliers"] or ""))
        except forms.ValidationError:
            preflop = []
        tables = {f"{name}_table": self._table(name, values) for name in TABLES}
        return {**tables, "preflop_multipliers": preflop, "trips_survives_fold": bool(values["trips_survives_fold"])}

    def _table(self, name: str, values: Mapping[str, Any]) -> Json:
        lines = {hand.value: values[f"{name}_{hand}"] for hand in HandName if values[f"{name}_{hand}"]}
        return {"name": values[f"{name}_name"], "lines": {hand: written(text) for hand, text in lines.items()}}

    def _document(self, said: Mapping[str, Any]) -> Json:
        payout = said["payout_limit_amount"]
        return {
            **{f"{name}_table": self._table(name, said) for name in TABLES},
            **{name: said[name] for name in (*_SWITCHES, *_NUMBERS, "hand_mode", "odds_rounding")},
            "fold_streets": said["fold_streets"],
            "preflop_multipliers": said["preflop_multipliers"],
            "payout_limit": {"amount": payout, "scope": said["payout_limit_scope"]} if payout else None,
            "bet_limits": {
                "ante": {"min": said["ante_min"], "max": said["ante_max"]},
                "trips": {"min": said["trips_min"], "max": said["trips_max"]},
                "box": {"max": said["box_max"] or None},
            },
        }

    def field_of(self, pointer: str) -> str | None:
        """ "/rules/blind_table/lines/flush" stands at that hand, "/rules/bet_limits/ante/max" at that limit."""
        parts = pointer.removeprefix("/rules").strip("/").split("/")
        if parts[0] in ("blind_table", "trips_table"):
            name = f"{parts[0].removesuffix('_table')}_{parts[-1] if len(parts) > 2 else 'name'}"
        elif parts[0] in ("bet_limits", "payout_limit"):
            name = "_".join(parts[1:] if parts[0] == "bet_limits" else parts)
        else:
            name = parts[0]
        return name if name in self.fields else None


def multiples(text: str) -> list[int]:
    """The multiples of the Ante in a text such as "4, 3"."""
    parts = text.replace(",", " ").split()
    if not parts or not all(part.isascii() and part.isdigit() and len(part) < 4 for part in parts):
        raise forms.ValidationError("Whole numbers, such as 4, 3")
    return [int(part) for part in parts]


def written(text: Any) -> str:
    """Odds as a document has them: "7" and "7 to 1" are "7:1"."""
    whole = str(text).replace("to", ":").replace(" ", "")
    return whole if ":" in whole else f"{whole}:1"


def _odds(label: str) -> forms.CharField:
    widget = forms.TextInput(attrs={"size": 8, "aria-label": label})
    return forms.CharField(label=label, required=False, max_length=12, validators=[_check_odds], widget=widget)


def _check_odds(text: str) -> None:
    try:
        Odds.parse(written(text))
    except ValueError:
        raise forms.ValidationError("Odds to 1, such as 30, or 3:2") from None


def _initial(version: RuleSetVersion) -> Json:
    document = version.document
    limits, payout = document["bet_limits"], document["payout_limit"] or {}
    simple = ("hand_mode", "odds_rounding", "fold_streets", *_SWITCHES, *_NUMBERS)
    found = {name: document[name] for name in simple} | {
        "base": version.version, "preflop_multipliers": ", ".join(map(str, document["preflop_multipliers"])),
        "payout_limit_amount": payout.get("amount"), "payout_limit_scope": payout.get("scope", LimitScope.PLAYER),
        "box_max": limits["box"]["max"],
    }  # fmt: skip
    for bet in ("ante", "trips"):
        found |= {f"{bet}_{end}": limits[bet][end] for end in ("min", "max")}
    for name in TABLES:
        table = document[f"{name}_table"]
        found[f"{name}_name"] = table["name"]
        found |= {f"{name}_{hand}": odds.removesuffix(":1") for hand, odds in table["lines"].items()}
    return found
