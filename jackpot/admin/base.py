"""What every page of the console shares: what was posted or reported is looked at here, never changed."""

import re
from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from unfold.admin import ModelAdmin

from jackpot.domain.callers import STAFF_SCOPES, Caller
from jackpot.http.values import FIRST_YEAR, LAST_YEAR
from jackpot.money import Currency, displayed, show, show_exact

_UNITS = (("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1))
_SHOWN_UNITS = 2


class ReadOnly(ModelAdmin):
    """A list and a page of facts, without any button that changes them."""

    list_per_page = 50
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """By what the list offers, and by no other field: a question about a secret one would read it bit by bit."""
        if request is None or not super().lookup_allowed(lookup, value, request):
            return False
        filters = [one[0] if isinstance(one, (tuple, list)) else one for one in self.get_list_filter(request)]
        named = [getattr(one, "parameter_name", one) for one in (*filters, self.date_hierarchy)]
        offered = [name for name in named if isinstance(name, str)]
        return any(lookup == name or lookup.startswith(f"{name}__") for name in offered)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The list; PostgreSQL takes no zero byte, so nothing is asked by one."""
        if any("\0" in value for values in request.GET.lists() for value in (values[0], *values[1])):
            return HttpResponse("A zero byte stands in the address.", status=400, content_type="text/plain")
        answer: HttpResponse = super().changelist_view(request, extra_context)
        return answer


def is_served(day: date) -> bool:
    """Whether a day, or an instant, lies in the years that the API takes too: there is a day before and after it."""
    return FIRST_YEAR <= day.year <= LAST_YEAR


def check_served(day: date) -> None:
    """Raises ValidationError beyond those years."""
    if not is_served(day):
        raise forms.ValidationError(f"A day from {FIRST_YEAR} to {LAST_YEAR}")


class DayField(forms.DateField):
    """A gaming day in a form, "2026-11-29"."""

    default_validators = [check_served]
    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")


def caller_of(request: HttpRequest) -> Caller:
    """The member of staff who is signed in: reads everything, and does what the permissions allow."""
    return Caller(scopes=STAFF_SCOPES, user_id=request.user.pk)


def person_of(request: HttpRequest) -> User:
    """Who is signed in, for services that take a person."""
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


def amount(units: int | None, currency: Currency) -> str:
    """Money as people read it: the currency's decimals and its code; a dash for nothing."""
    return "–" if units is None else f"{show(displayed(units), currency)} {currency.code}"


def exact(units: int, currency: Currency) -> str:
    """Money to the last ledger unit, with its code."""
    return f"{show_exact(units, currency)} {currency.code}"


def words(name: object) -> str:
    """A name of a closed list as people read it: "royal flush"; a dash for nothing."""
    return "–" if name in (None, "") else str(name).replace("_", " ")


def when(at: datetime | None, zone: str = "UTC") -> str:
    """An instant by the clock of a place, and by UTC where that is another: "2026-11-29 15:24:10 (14:24:10 UTC)"."""
    if at is None:
        return "–"
    there, utc = at.astimezone(ZoneInfo(zone)), at.astimezone(UTC)
    if there.utcoffset() == utc.utcoffset():
        return f"{utc:%Y-%m-%d %H:%M:%S} UTC"
    return f"{there:%Y-%m-%d %H:%M:%S} ({utc:%H:%M:%S} UTC)"


def age(since: datetime, now: datetime) -> str:
    """How long ago something was, in its two largest units: "3 d 4 h", "5 min 12 s"."""
    left = max(0, int((now - since).total_seconds()))
    parts: list[str] = []
    for unit, seconds in _UNITS:
        number, left = divmod(left, seconds)
        if number or parts:
            parts.append(f"{number} {unit}")
        if len(parts) == _SHOWN_UNITS:
            break
    return " ".join(parts) or "0 s"


def stamp(at: datetime) -> str:
    """An instant to the second, in UTC, where the column's head says so."""
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M:%S}"


def moment(at: datetime | None) -> str:
    """An instant to the second, in UTC; a dash for none."""
    return "–" if at is None else f"{stamp(at)} UTC"


def grouped(units: int | None, currency: Currency) -> str:
    """Money as `amount` has it, its thousands set apart, for figures that are read from afar."""
    if units is None:
        return amount(None, currency)
    sign, written = "-" if units < 0 else "", amount(abs(units), currency)
    whole = re.split(r"\D", written)[0]
    return f"{sign}{int(whole):,}{written[len(whole) :]}"


def plain(units: int, currency: Currency) -> str:
    """Money to the last ledger unit, without the code, which the table says once."""
    return show_exact(units, currency)


def percent(ppm: int | None) -> str:
    """Parts of a million as per cent, exactly: "2.5%"; a dash for nothing."""
    if ppm is None:
        return "–"
    whole, rest = divmod(abs(ppm), 10_000)
    return "-" * (ppm < 0) + f"{whole}.{rest:04}".rstrip("0").rstrip(".") + "%"
