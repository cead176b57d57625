"""The console's pages of changes that need two people: what waits, what is asked, and the decision on it.

They stand here because a correction and a retirement are carried out by way of the tables.
"""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import admin
from django.db.models import Case, F, OrderBy, Q, QuerySet, Value, When
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from jackpot import services as jackpot
from jackpot.admin.base import age, words
from jackpot.admin.steps import Acting, Fact, Note, Reason, Step, Stepped
from tables.admin import change_pages
from tables.services import corrections, retiring, rule_sets, table_setups

_APPROVE: Mapping[str, Callable[..., object]] = {
    jackpot.ChangeKind.POLICY: jackpot.approve_policy,
    jackpot.ChangeKind.ADJUSTMENT: jackpot.approve_adjustment,
    jackpot.ChangeKind.TRANSFER: jackpot.approve_transfer,
    jackpot.ChangeKind.RETIREMENT: retiring.approve_retirement,
    jackpot.ChangeKind.CORRECTION: corrections.approve,
    jackpot.ChangeKind.OPENING: jackpot.approve_opening,
    jackpot.ChangeKind.TABLE: table_setups.approve_table,
    jackpot.ChangeKind.RULE_SET: rule_sets.approve_version,
}


def _decide(decide: Callable[..., object], told: str) -> Callable[[Acting], str]:
    def act(acting: Acting) -> str:
        request = acting.record
        decide(caller=acting.caller, request_id=request.pk, note=acting.said["note"], now=acting.now)
        return f"The {words(request.kind)} of {change_pages.subject_of(request)} {told}"

    return act


def _approve(acting: Acting) -> str:
    return _decide(_APPROVE[acting.record.kind], "is carried out")(acting)


def _waits(request: jackpot.ChangeRequest) -> bool:
    return change_pages.decision_of(request) is None


def _facts(request: jackpot.ChangeRequest) -> list[Fact]:
    return change_pages.asked(request, now=timezone.now())


def _step(name: str, label: str, about: str, act: Callable[[Acting], str], *, form: type[Note], grave: bool) -> Step:
    return Step(
        name=name, label=label, about=about, needs="jackpot.view_changerequest", act=act, offered=_waits, form=form,
        facts=_facts, grave=grave, template="tables/change_step.html",
    )  # fmt: skip


STEPS = (
    _step("approve", "Approve",
          "You say that this change is right. It is carried out at once, on what stands by then.", _approve, form=Note,
          grave=False),
    _step("refuse", "Refuse", "The change is not made. Who asked may ask again.",
          _decide(jackpot.refuse_change, "is refused; nothing was changed"), form=Reason, grave=True),
    _step("withdraw", "Withdraw", "You take back what you asked for. Nothing is changed.",
          _decide(jackpot.withdraw_change, "is withdrawn; nothing was changed"), form=Note, grave=False),
)  # fmt: skip


class Standing(admin.SimpleListFilter):
    """Whether a request waits, and else what was decided."""

    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("waiting", "waiting"), *((one.value, one.value) for one in jackpot.Decision)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() == "waiting":
            return queryset.filter(decided=None)
        return queryset.filter(decided__decision=self.value()) if self.value() else queryset


@admin.register(jackpot.ChangeRequest)
class ChangeRequestAdmin(Stepped):
    list_display = ("asked_at", "kind", "subject", "why", "asked_by", "standing", "waits_for")
    list_select_related = ("asked_by", "decided__by", "jackpot")
    list_filter = (Standing, "kind", "jackpot")
    search_fields = ("subject", "note", "asked_by__username")
    steps = STEPS

    def get_queryset(self, request: HttpRequest) -> QuerySet[jackpot.ChangeRequest]:
        found: QuerySet[jackpot.ChangeRequest] = super().get_queryset(request)
        return found.select_related("asked_by", "jackpot", "site", "decided__by", "decided__entry")

    def get_ordering(self, request: HttpRequest) -> list[OrderBy]:
        """What waits first, the oldest of it on top; then the newest decision."""
        waits = Case(When(decided=None, then=Value(0)), default=Value(1))
        return [waits.asc(), F("decided__at").desc(), Case(When(Q(decided=None), then="asked_at")).asc()]

    @admin.display(description="reason")
    def why(self, request: jackpot.ChangeRequest) -> str:
        return words(request.reason)

    @admin.display(description="state")
    def standing(self, request: jackpot.ChangeRequest) -> str:
        decided = change_pages.decision_of(request)
        return f"{decided.decision} by {decided.by.get_username()}" if decided else "waiting"

    @admin.display(description="waits since")
    def waits_for(self, request: jackpot.ChangeRequest) -> str:
        return age(request.asked_at, timezone.now()) if _waits(request) else "–"

    def may(self, request: HttpRequest, step: Step, record: jackpot.ChangeRequest) -> bool:
        """Each kind has its own permissions: to ask for it, and so to withdraw it; and to decide on it."""
        verb = "ask" if step.name == "withdraw" else "decide"
        return super().may(request, step, record) and request.user.has_perm(f"jackpot.{verb}_{record.kind}")

    def offered(self, request: HttpRequest, record: jackpot.ChangeRequest) -> list[Step]:
        """Who asked withdraws, another person approves or refuses; the service refuses it in any case."""
        mine = record.asked_by_id == request.user.pk
        return [step for step in super().offered(request, record) if (step.name == "withdraw") is mine]

    def beside(self, request: HttpRequest, step: Step, record: jackpot.ChangeRequest) -> dict[str, Any]:
        return {"compared": change_pages.compared(record, now=timezone.now())}

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """A request: what is asked, before and after, and what was decided."""
        record, now = self.looked_at(request, object_id), timezone.now()
        title = f"{words(record.kind).capitalize()} of {change_pages.subject_of(record)}"
        return self.page(
            request, record, "tables/change.html", title,
            mine=_waits(record) and record.asked_by_id == request.user.pk, facts=change_pages.asked(record, now=now),
            decided=change_pages.decided(record), compared=change_pages.compared(record, now=now),
        )  # fmt: skip
