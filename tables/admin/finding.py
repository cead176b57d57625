"""The console's list of rounds: found by what people know of them, the last that came in first, a page at a time.

It counts nothing and leafs by the round's id, so that it is as quick in the ten-millionth round as in the first.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, ClassVar
from urllib.parse import urlencode

from django import forms
from django.utils import timezone

from jackpot.admin.base import caller_of, check_served
from jackpot.selectors import sites
from tables.admin.drawn import words
from tables.domain.hands import HandName
from tables.domain.round_state import Phase
from tables.models.rounds import Round
from tables.models.tables import Table
from tables.selectors import rounds
from tables.selectors.rounds import Filters

MOST = 50
LOOKS_BACK = timedelta(days=31)
"""How far back hands and late rounds are looked for where nothing else narrows the search: no index knows them."""

_ANY = ("", "any")
_HANDS = [_ANY, *((hand.value, words(hand.value)) for hand in HandName)]
_YES_NO = [_ANY, ("yes", "yes"), ("no", "no")]


class Moment(forms.DateTimeField):
    """A time in UTC, to the minute."""

    default_validators = [check_served]
    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")


class Finding(forms.Form):
    """What is known of the rounds wanted; everything may be left out."""

    number = forms.CharField(label="Game number or id", required=False, max_length=100)
    table = forms.ChoiceField(required=False)
    site = forms.ChoiceField(required=False)
    phase = forms.ChoiceField(required=False, choices=[_ANY, *((phase.value, phase.value) for phase in Phase)])
    player = forms.CharField(label="Player", required=False, max_length=64, strip=False)
    hand = forms.ChoiceField(label="A box had", required=False, choices=_HANDS)
    progressive_hand = forms.ChoiceField(label="Its Progressive had", required=False, choices=_HANDS)
    since = Moment(label="Started from (UTC)", required=False)
    until = Moment(label="Started before (UTC)", required=False)
    late = forms.ChoiceField(required=False, choices=_YES_NO)
    corrected = forms.ChoiceField(required=False, choices=_YES_NO)
    before = forms.UUIDField(required=False, widget=forms.HiddenInput)

    NARROW: ClassVar = ("number", "player", "since")

    def __init__(self, data: Mapping[str, Any], *, request: Any) -> None:
        super().__init__(data)
        self.caller = caller_of(request)
        tables = Table.objects.order_by("code").values_list("code", flat=True)
        self._choose("table", [(code, code) for code in tables])
        self._choose("site", [(site.code, site.code) for site in sites.seen_by(self.caller).order_by("code")])

    def _choose(self, name: str, choices: list[tuple[str, str]]) -> None:
        field: Any = self.fields[name]
        field.choices = [_ANY, *choices]

    def wanted(self) -> Filters:
        """What is asked for; of a form that is valid."""
        said = {name: value or None for name, value in self.cleaned_data.items() if name != "before"}
        for name in ("late", "corrected"):
            said[name] = None if said[name] is None else said[name] == "yes"
        if self.looks_back:
            said["since"] = (said["until"] or timezone.now()) - LOOKS_BACK
        return Filters(**said)

    @property
    def looks_back(self) -> bool:
        """Whether a hand or what came late is looked for, with nothing that narrows the search."""
        said = self.cleaned_data
        rare = said["hand"] or said["progressive_hand"] or said["late"] == "yes"
        return bool(rare) and not any(said[name] for name in self.NARROW)

    def found(self) -> dict[str, Any]:
        """The page of rounds asked for, and the address of the next one."""
        wanted = self.wanted()
        visible = rounds.indexed(rounds.seen_by(self.caller), wanted)
        page, last = rounds.newest(rounds.filtered(visible, wanted), before=self.cleaned_data["before"], most=MOST)
        said = {name: value for name, value in self.data.items() if value and name in self.fields}
        older = urlencode(said | {"before": str(last)}) if last else ""
        first = urlencode({name: value for name, value in said.items() if name != "before"})
        since: datetime | None = wanted.since if self.looks_back else None
        return {"rounds": page, "older": older, "first": first if "before" in said else None, "since": since}


def list_of(request: Any) -> tuple[dict[str, Any], int]:
    """What the list shows, and its status: a question that can't be read finds nothing and says why."""
    form = Finding(request.GET, request=request)
    if not form.is_valid():
        return {"form": form, "rounds": list[Round]()}, 400
    return {"form": form, **form.found()}, 200
