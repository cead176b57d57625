"""The form of a jackpot's next policy: every setting of domain.md section 5, prefilled with the version approved last.

It makes the complete document; what a policy allows is the jackpot's to say, and its refusals stand at the field.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from django import forms
from django.forms import BoundField

from jackpot import services as jackpot
from jackpot.admin.base import percent, words
from jackpot.admin.policy_words import named
from jackpot.admin.steps import Asking
from jackpot.money import PPM, AmountTooLarge, Currency, InvalidMoney, parse
from tables.domain.hands import HandName

Json = dict[str, Any]
Basis = jackpot.Basis
VALUE = {Basis.FOR_ONE: "odds", Basis.FIXED: "amount", Basis.METER_SHARE: "ppm"}
_BASES = [("", "no prize"), (Basis.FOR_ONE, "odds for one"), (Basis.FIXED, "fixed amount"),
          (Basis.METER_SHARE, "share of a meter")]  # fmt: skip
_PERCENT = re.compile(r"([0-9]{1,3})(?:\.([0-9]{1,4}))?%", re.ASCII)


class Cell(NamedTuple):
    """A field in a table, with what its value comes to."""

    field: BoundField
    hint: str = ""


class Row(NamedTuple):
    label: str
    cells: list[Cell]


class MoneyField(forms.CharField):
    """An amount as people write it, of whole minor units; it stays text, as a policy's document has it."""

    def __init__(self, currency: Currency, **kwargs: Any) -> None:
        super().__init__(max_length=20, **kwargs)
        self.currency = currency

    def clean(self, value: Any) -> str | None:
        text = super().clean(value)
        return money(text, self.currency) if text else None


def money(text: str, currency: Currency) -> str:
    try:
        parse(text, currency)
    except (InvalidMoney, AmountTooLarge) as error:
        raise forms.ValidationError(str(error)) from None
    return text


def ppm(text: str) -> int:
    """Parts of a million, written so or as per cent: "200000" and "20%" are one."""
    if written := _PERCENT.fullmatch(text.replace(" ", "")):
        found = int(written[1]) * 10_000 + int((written[2] or "").ljust(4, "0"))
    else:
        found = int(text) if text.isascii() and text.isdigit() and len(text) < 9 else PPM + 1
    if found > PPM:
        raise forms.ValidationError("Parts of a million, such as 200000, or per cent, such as 20%")
    return found


class PpmField(forms.CharField):
    def clean(self, value: Any) -> int:
        return ppm(super().clean(value))


class PolicyForm(Asking):
    reasons = jackpot.REASONS[jackpot.ChangeKind.POLICY]
    LEVEL_COLUMNS = ("Base", "Increment rate", "Reserve rate", "Limit")
    HAND_COLUMNS = ("Paid by", "How much", "Of level", "Envy to each other player")
    version = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, record: jackpot.Jackpot, **kwargs: Any) -> None:
        super().__init__(data, record=record, **kwargs)
        self.last = record.policies.latest("version")
        self.initial["version"] = self.last.version
        self.begin(self.last.document, record.currency)

    def begin(self, document: Json, currency: Currency) -> None:
        """Every setting of a policy, as this document has it."""
        self.was, self.counted = document, currency
        self._add_settings(currency)
        for n, level in enumerate(self.was["levels"]):
            self._add_level(n, level, currency)
        for hand in HandName:
            self._add_hand(hand, currency)

    def _add_settings(self, currency: Currency) -> None:
        self._add("stake", MoneyField(currency), self.was["stake"])
        for key, choices in jackpot.POLICY_CHOICES.items():
            options = [(one.value, words(one)) for one in choices]
            self._add(key, forms.ChoiceField(choices=options), self.was.get(key, options[0][0]))
        everything = "0: every hit waits for approval. Smaller hits are paid at once."
        self._add("verify_from", MoneyField(currency, help_text=everything), self.was.get("verify_from", "0"))
        self._add("approvals", forms.IntegerField(min_value=1, max_value=9), self.was.get("approvals", 2))

    def _add_level(self, n: int, level: Json, currency: Currency) -> None:
        code = level["code"]
        none = "Empty: no limit"
        for key, field in (
            ("base", MoneyField(currency)), ("increment_ppm", PpmField(max_length=9)),
            ("reserve_ppm", PpmField(max_length=9)), ("limit", MoneyField(currency, required=False, help_text=none)),
        ):  # fmt: skip
            value = level.get(key, 0 if key == "reserve_ppm" else None)
            self._add(f"level_{n}_{key}", field, value, f"Level {code}: {named(key)}")

    def _add_hand(self, hand: HandName, currency: Currency) -> None:
        line: Json = next((one for one in self.was["progressive_table"] if one["hand"] == hand), {})
        basis = line.get("basis", Basis.FOR_ONE) if line else ""
        name, value = words(hand), line.get(VALUE[Basis(basis)]) if line else None
        levels = [("", "–"), *((level["code"], level["code"]) for level in self.was["levels"])]
        self._add(f"{hand}_basis", forms.ChoiceField(choices=_BASES, required=False), basis, f"{name}: paid by")
        self._add(f"{hand}_value", forms.CharField(required=False, max_length=20), value, f"{name}: how much")
        self._add(f"{hand}_level", forms.ChoiceField(choices=levels, required=False), line.get("level"),
                  f"{name}: of level")  # fmt: skip
        envy = self.was.get("envy_table", {}).get(hand)
        self._add(f"{hand}_envy", MoneyField(currency, required=False), envy, f"{name}: Envy")

    def _add(self, name: str, field: forms.Field, initial: object, label: str = "") -> None:
        field.label = label or named(name)
        if label:
            field.widget.attrs["aria-label"] = label
        self.fields[name], self.initial[name] = field, initial

    def settings(self) -> list[BoundField]:
        return [self[name] for name in ("stake", "verify_from", "approvals", *jackpot.POLICY_CHOICES)]

    def why(self) -> list[BoundField]:
        return [self["reason"], self["note"]]

    def levels(self) -> Iterator[Row]:
        for n, level in enumerate(self.was["levels"]):
            keys = ("base", "increment_ppm", "reserve_ppm", "limit")
            yield Row(level["code"], [self._cell(f"level_{n}_{key}", key.endswith("_ppm")) for key in keys])

    def hands(self) -> Iterator[Row]:
        for hand in HandName:
            share = self[f"{hand}_basis"].value() == Basis.METER_SHARE
            cells = [self._cell(f"{hand}_{part}", share and part == "value")
                     for part in ("basis", "value", "level", "envy")]  # fmt: skip
            yield Row(words(hand), cells)

    def _cell(self, name: str, rate: bool) -> Cell:
        field = self[name]
        try:
            return Cell(field, percent(ppm(str(field.value()))) if rate else "")
        except forms.ValidationError:
            return Cell(field)

    def clean(self) -> Json:
        said = super().clean() or {}
        self.check_made_of(said.get("version"))
        lines = [line for hand in HandName if (line := self._line(hand, said))]
        if not self.errors:
            said["document"] = self._document(said, lines)
        return said

    def check_made_of(self, version: int | None) -> None:
        """The form stands on the version approved last."""
        if version not in (None, self.last.version):
            raise forms.ValidationError(f"The policy was changed meanwhile, to {self.last}: open this page anew")

    def _line(self, hand: HandName, said: Mapping[str, Any]) -> Json | None:
        basis, text = said.get(f"{hand}_basis"), said.get(f"{hand}_value") or ""
        if not basis:
            if text:
                self.add_error(f"{hand}_basis", "Choose by what it is paid")
            return None
        try:
            line: Json = {"hand": hand.value, "basis": basis, VALUE[Basis(basis)]: self._value(Basis(basis), text)}
        except forms.ValidationError as error:
            self.add_error(f"{hand}_value", error)
            return None
        if basis == Basis.METER_SHARE:
            if not said.get(f"{hand}_level"):
                self.add_error(f"{hand}_level", "Choose of which meter")
            line["level"] = said.get(f"{hand}_level")
        return line

    def _value(self, basis: Basis, text: str) -> object:
        if basis is Basis.FIXED:
            return money(text, self.counted)
        if basis is Basis.METER_SHARE:
            return ppm(text)
        if not (text.isascii() and text.isdigit() and len(text) < 9):
            raise forms.ValidationError("A whole number, such as 300: the stake is inside")
        return int(text)

    def _document(self, said: Mapping[str, Any], lines: list[Json]) -> Json:
        levels = [
            {"code": level["code"]} | {key: said[f"level_{n}_{key}"] for key in ("base", "increment_ppm")}
            | self._set(level, {key: said[f"level_{n}_{key}"] for key in ("reserve_ppm", "limit")}, 0, None)
            for n, level in enumerate(self.was["levels"])
        ]  # fmt: skip
        wanted = {key: said[key] for key in DEFAULTS}
        envy = {hand.value: said[f"{hand}_envy"] for hand in HandName if said[f"{hand}_envy"]}
        return {
            "stake": said["stake"], "progressive_table": [self._as_written(line) for line in lines],
            "envy_table": envy, "levels": levels, **self._set(self.was, wanted, *DEFAULTS.values()),
        }  # fmt: skip

    def _set(self, was: Mapping[str, Any], wanted: Json, *defaults: object) -> Json:
        """What is set, without what nobody set and stays as it is by default."""
        return {
            key: value for (key, value), default in zip(wanted.items(), defaults, strict=True)
            if key in was or value != default
        }  # fmt: skip

    def _as_written(self, line: Json) -> Json:
        """A line that was written without its basis stays so."""
        was: Json = next((one for one in self.was["progressive_table"] if one["hand"] == line["hand"]), {})
        bare = {key: value for key, value in line.items() if key != "basis"}
        return bare if was == bare else line

    def field_of(self, pointer: str) -> str | None:
        """ "/document/levels/0/limit" stands at that level's limit."""
        found = re.fullmatch(r"/document/levels/([0-9]+)/([a-z_]+)", pointer)
        name = f"level_{found[1]}_{found[2]}" if found else pointer.removeprefix("/document/").removeprefix("/")
        return name if name in self.fields else None


DEFAULTS: Json = {
    **{key: next(iter(choices)).value for key, choices in jackpot.POLICY_CHOICES.items()},
    "verify_from": "0",
    "approvals": 2,
}
"""What holds where a policy does not say it."""
