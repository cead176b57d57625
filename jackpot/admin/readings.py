"""The console's pages of readings: what a sign showed against what was true then, and who signs that it was off."""

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html

from jackpot.admin.base import amount, exact, percent, person_of, when, words
from jackpot.admin.reading_form import ReadingForm
from jackpot.admin.steps import Acting, Done, Fact, Note, Step, Stepped
from jackpot.domain.errors import refuse
from jackpot.domain.readings import SIGNATURES
from jackpot.models.jackpots import Jackpot, Level
from jackpot.models.readings import Reading
from jackpot.money import AmountTooLarge, Currency, InvalidMoney, parse
from jackpot.selectors import readings
from jackpot.selectors.readings import Placed
from jackpot.services.readings import enter_reading, sign_reading

LONGEST_NOTE = 200
_WITHIN = format_html('<span class="{}">within its tolerance</span>', "console-good")
_BEYOND = format_html('<span class="{}">beyond its tolerance</span>', "console-wrong")


class Remark(Note):
    note = forms.CharField(required=False, max_length=LONGEST_NOTE, widget=forms.Textarea(attrs={"rows": 3}))


def _enter(acting: Acting) -> Done:
    said, jackpot = acting.said, acting.record
    level = Level.objects.select_related("jackpot").get(jackpot=jackpot, code=said["level"])
    reading, _ = enter_reading(
        level=level, shown=_shown(said["shown"], jackpot.currency), read_at=said["read_at"],
        by=person_of(acting.request), now=acting.now, note=said["note"],
    )  # fmt: skip
    (found,) = readings.placed(Reading.objects.filter(pk=reading.pk).select_related("level__jackpot"))
    to = reverse("admin:jackpot_reading_change", args=[reading.pk])
    return Done(message=f"The sign showed {_compared(found)}", to=to, warns=not found.compared.within)


def _shown(text: str, currency: Currency) -> int:
    try:
        return parse(text, currency)
    except InvalidMoney as error:
        raise refuse("invalid_money", str(error), "/shown") from None
    except AmountTooLarge as error:
        raise refuse("amount_too_large", str(error), "/shown") from None


def _compared(placed: Placed) -> str:
    compared, currency = placed.compared, placed.reading.level.jackpot.currency
    if not compared.variance:
        return f"{amount(compared.shown, currency)}, which was true then"
    more = "more" if compared.variance > 0 else "less"
    off = f"{amount(abs(compared.variance), currency)} ({percent(compared.percent_ppm)}) {more} than was true then"
    return f"{off}: {'within' if compared.within else 'beyond'} the tolerance"


def _sign(acting: Acting) -> str:
    signature = sign_reading(
        reading_id=acting.record.pk, by=person_of(acting.request), now=acting.now, note=acting.said["note"]
    )  # fmt: skip
    return f"You have signed the variance, as number {signature.number} of {SIGNATURES}"


def _placed(reading: Reading) -> Placed:
    return readings.placed(Reading.objects.filter(pk=reading.pk).select_related("level__jackpot__home_site"))[0]


def _facts(reading: Reading) -> list[Fact]:
    placed = _placed(reading)
    compared, jackpot = placed.compared, placed.reading.level.jackpot
    currency, zone = jackpot.currency, jackpot.home_site.timezone
    signers = ", ".join(one.signed_by.get_username() for one in placed.signatures)
    return [
        ("Level", str(placed.reading.level)), ("Read at", when(reading.read_at, zone)),
        ("The sign showed", amount(compared.shown, currency)), ("True then", amount(compared.value, currency)),
        ("Variance", f"{amount(compared.variance, currency)} ({percent(compared.percent_ppm)})"),
        ("Tolerance", amount(compared.tolerance, currency)),
        ("So it was", _WITHIN if compared.within else _BEYOND),
        ("Exact value then", exact(placed.exact, currency)),
        ("In force", f"row {placed.seq}, since {when(placed.since, zone)}"),
        ("Next row", "none yet" if placed.until is None else f"row {placed.next_seq}, at {when(placed.until, zone)}"),
        ("Entered", f"{when(reading.entered_at, zone)} by {reading.entered_by.get_username()}"),
        ("Note", reading.note or "–"), ("Signed", f"{placed.signed}{f': {signers}' if signers else ''}"),
    ]  # fmt: skip


def _to_be_signed(reading: Reading) -> bool:
    placed = _placed(reading)
    return not placed.compared.within and len(placed.signatures) < SIGNATURES


def _levels(jackpot: Jackpot) -> list[Fact]:
    """Not what its meters show now: who enters what he saw shall not copy it."""
    tolerance = amount(jackpot.reading_tolerance, jackpot.currency)
    return [("Jackpot", f"{jackpot.code} · {jackpot.name}"), ("A sign may be off by", tolerance)]


STEPS = (
    Step(name="reading", label="Enter a reading", needs="jackpot.enter_reading", act=_enter, form=ReadingForm,
         facts=_levels, about="What a sign showed, as you saw it. It is held against what was true at that very time."),
)  # fmt: skip


@admin.register(Reading)
class ReadingAdmin(Stepped):
    list_display = ("read_at", "level", "sign", "variance", "within", "signed", "entered_by")
    list_select_related = ("level__jackpot", "entered_by")
    list_filter = ("level__jackpot", "level")
    ordering = ("-read_at", "-id")
    list_before_template = "jackpot/console/reading_links.html"
    steps = (
        Step(name="sign", label="Sign the variance", needs="jackpot.sign_reading", act=_sign, form=Remark,
             facts=_facts, offered=_to_be_signed,
             about="You know that the sign was off by this much, and have seen to it. Two people sign."),
    )  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[Reading]:
        found: QuerySet[Reading] = super().get_queryset(request)
        return found.select_related("level__jackpot__home_site", "entered_by")

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The list; its readings are held against the statement together, however many they are."""
        jackpots = Jackpot.objects.order_by("code") if request.user.has_perm("jackpot.enter_reading") else ()
        answer: HttpResponse = super().changelist_view(request, {"jackpots": jackpots} | (extra_context or {}))
        shown = getattr(answer, "context_data", None) or {}
        if listed := shown.get("cl"):
            rows = list(listed.result_list)
            found = readings.placed(Reading.objects.filter(pk__in=[row.pk for row in rows]))
            by_id = {placed.reading.pk: placed for placed in found}
            for row in rows:
                row.placed = by_id[row.pk]
            listed.result_list = rows
        return answer

    @admin.display(description="the sign showed")
    def sign(self, reading: Any) -> str:
        return amount(reading.shown, reading.level.jackpot.currency)

    @admin.display(description="variance")
    def variance(self, reading: Any) -> str:
        compared = reading.placed.compared
        return f"{amount(compared.variance, reading.level.jackpot.currency)} ({percent(compared.percent_ppm)})"

    @admin.display(description="within", boolean=True)
    def within(self, reading: Any) -> bool:
        return bool(reading.placed.compared.within)

    @admin.display(description="signed")
    def signed(self, reading: Any) -> str:
        return str(reading.placed.signed)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """A reading between the rows of its meter's statement."""
        reading = self.looked_at(request, object_id)
        shown = {"facts": _facts(reading), "rows": _rows(reading)}
        return self.page(request, reading, "jackpot/console/reading.html", f"Reading of {reading}", **shown)


def _rows(reading: Reading) -> list[list[object]]:
    placed = _placed(reading)
    jackpot = placed.reading.level.jackpot
    currency, zone = jackpot.currency, jackpot.home_site.timezone
    return [
        [row.seq, words(row.kind), when(row.entry.posted_at, zone), exact(row.amount, currency),
         exact(row.after, currency), "in force when it was read" if row.seq == placed.seq else ""]
        for row in readings.around(placed)
    ]  # fmt: skip
