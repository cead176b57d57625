"""What a page of reports was asked for: a day of a site or a jackpot, chosen from those there are."""

from datetime import date
from typing import Any

from django import forms
from django.utils import timezone

from jackpot.admin.base import DayField
from jackpot.reports import Asked
from jackpot.selectors import jackpots, sites
from jackpot.selectors.days import day_of
from jackpot.services import Caller, Scope
from tables.selectors.tables import jackpots_linked

Choices = list[tuple[str, list[tuple[str, str]]]]


def staff(user_id: int) -> Caller:
    """A signed-in member of staff, who reads everything."""
    return Caller(scopes=frozenset({Scope.REPORTS_READ}), user_id=user_id)


class Question(forms.Form):
    """The place and the day; the place is written as `site:CODE` or `jackpot:CODE`."""

    place = forms.ChoiceField(label="Site or jackpot")
    day = DayField(label="Gaming day")

    def __init__(self, data: Any, *, caller: Caller) -> None:
        self.caller = caller
        self.sites = {site.code: site for site in sites.seen_by(caller).order_by("code")}
        found = jackpots.seen_by(caller, linked=jackpots_linked).order_by("code")
        self.jackpots = {jackpot.code: jackpot for jackpot in found}
        choices: Choices = [
            ("Sites", [(f"site:{code}", f"{code} · {site.name}") for code, site in self.sites.items()]),
            ("Jackpots", [(f"jackpot:{code}", f"{code} · {jackpot.name}") for code, jackpot in self.jackpots.items()]),
        ]
        super().__init__(data or None, initial=self._first())
        self.fields["place"] = forms.ChoiceField(label="Site or jackpot", choices=choices)

    def asked(self, *, made_by: str) -> Asked:
        """The question put; of a form that is valid."""
        kind, _, code = self.cleaned_data["place"].partition(":")
        return Asked(
            caller=self.caller,
            day=self.cleaned_data["day"],
            made_at=timezone.now(),
            made_by=made_by,
            linked=jackpots_linked,
            site=self.sites[code] if kind == "site" else None,
            jackpot=self.jackpots[code] if kind == "jackpot" else None,
        )

    def _first(self) -> dict[str, str | date]:
        """What stands in the form before anybody chose: the first site, and its present day."""
        site = next(iter(self.sites.values()), None)
        return {"place": f"site:{site.code}", "day": day_of(site, timezone.now())} if site else {}
