"""The console's pages of awards: what waits, each award with its trail, and the steps from the hit to the payment."""

from collections.abc import Callable, Sequence
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path
from django.utils import timezone

from jackpot.admin import award_pages
from jackpot.admin.base import amount, caller_of, grouped, words
from jackpot.admin.steps import LONGEST_NOTE, Acting, Done, Fact, Note, Reason, Step, Stepped
from jackpot.domain.awards import DECISIONS, Move, allowed
from jackpot.models.awards import Award
from jackpot.selectors import award_queue
from jackpot.services import award_moves

LONGEST_REFERENCE = 100
_OPEN = (Award.State.PENDING, Award.State.DISPUTED)


class Reference(Note):
    """Under which reference something was paid."""

    note = forms.CharField(
        label="Payment reference", max_length=LONGEST_REFERENCE, help_text="Number of the slip, cheque or hand pay form"
    )


class Remark(Note):
    note = forms.CharField(required=False, max_length=LONGEST_NOTE, widget=forms.Textarea(attrs={"rows": 3}),
                           label="Note", help_text="What you have looked at")  # fmt: skip


def _in_order(move: Move) -> Callable[[Award], bool]:
    return lambda award: move in allowed(Award.State(award.state), envy=award.kind == Award.Kind.ENVY)


def _acts(move: Move) -> Callable[[Acting], Done]:
    def act(acting: Acting) -> Done:
        award, note = acting.record, acting.said["note"]
        told = award_moves.move(caller=acting.caller, award_id=award.pk, move=move, note=note, now=acting.now)
        return Done(message=_message(Award.objects.get(pk=award.pk), move, was=award.state), told=told)

    return act


def _message(award: Award, move: Move, *, was: str) -> str:
    owed = amount(award.amount, award.jackpot.currency)
    if award.state == was:
        return f"Your decision to {move} {owed} to {award.player} is kept; another person decides next"
    return f"{owed} to {award.player}: the award is {award.state}"


def _facts(move: Move) -> Callable[[Award], Sequence[Fact]]:
    return lambda award: award_pages.before(award, move, now=timezone.now())


def _step(move: Move, label: str, about: str, *, form: type[Note], grave: bool = False) -> Step:
    return Step(
        name=move.value, label=label, about=about, needs=f"jackpot.{move}_award", act=_acts(move),
        offered=_in_order(move), form=form, facts=_facts(move), grave=grave,
        template="jackpot/console/award_step.html",
    )  # fmt: skip


STEPS = (
    _step(Move.APPROVE, "Approve",
          "You say that the hit is right: cards, box, player, bet and amount. Once as many people have said so as the "
          "policy asks for, it may be paid, and its Envy with it.", form=Remark),
    _step(Move.PAY, "Pay",
          "The player has been paid from the cage, under this reference. What is paid is never cancelled.",
          form=Reference),
    _step(Move.UPHOLD, "Uphold",
          "You have looked into the dispute and say that the award is right after all. Once as many people have said "
          "so as the policy asks for, it may be paid.", form=Remark),
    _step(Move.DISPUTE, "Dispute",
          "Nothing is paid until it was looked into. The Envy of a hit is stopped with it.", form=Reason),
    _step(Move.REJECT, "Reject",
          "You say that the award is not owed. Once as many people have said so as the policy asks for, the money goes "
          "back as shown, the Envy of the hit with it. This can't be undone.", form=Reason, grave=True),
)  # fmt: skip


def _may_decide(request: HttpRequest) -> list[str]:
    """The states in which who looks has a permission to decide."""
    deciding = {Award.State.PENDING: ("approve",), Award.State.DISPUTED: ("uphold", "reject")}
    return [
        state for state, moves in deciding.items() if any(request.user.has_perm(f"jackpot.{m}_award") for m in moves)
    ]


@admin.register(Award)
class AwardAdmin(Stepped):
    list_display = ("hit_at", "kind", "jackpot", "table_ref", "box", "player", "hand_name", "owed", "state", "late")
    list_select_related = ("jackpot",)
    list_filter = ("state", "kind", "jackpot", "hand", "late", ("hit_at", admin.DateFieldListFilter))
    search_fields = ("player", "table_ref")
    ordering = ("-hit_at", "-id")
    list_before_template = "jackpot/console/award_links.html"
    steps = STEPS

    def get_queryset(self, request: HttpRequest) -> QuerySet[Award]:
        found: QuerySet[Award] = super().get_queryset(request)
        return found.select_related("jackpot__home_site", "level", "policy__jackpot", "entry", "hit").defer(
            "facts", "hit__facts"
        )

    def get_urls(self) -> list[URLPattern]:
        at = path("waiting/", self.admin_site.admin_view(self.waiting), name="jackpot_award_waiting")
        return [at, *super().get_urls()]

    @admin.display(description="amount", ordering="amount")
    def owed(self, award: Award) -> str:
        return amount(award.amount, award.jackpot.currency)

    @admin.display(description="hand", ordering="hand")
    def hand_name(self, award: Award) -> str:
        return words(award.hand)

    def waiting(self, request: HttpRequest) -> HttpResponse:
        """The queue: what waits for a decision or a payment."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        order = "age" if request.GET.get("order") == "age" else "amount"
        queue = award_queue.queue(actor=caller_of(request).actor, order=order)
        context = self.admin_site.each_context(request) | {
            "title": "Awards that wait", "opts": self.opts, "order": order,
            "parts": award_pages.parts(queue, may_decide=_may_decide(request), now=timezone.now()),
        }  # fmt: skip
        return render(request, "jackpot/console/award_queue.html", context)

    def offered(self, request: HttpRequest, record: Award) -> list[Step]:
        """Not what is decided on by another person: the page says why. The service refuses it in any case."""
        barred = award_queue.barred([record], caller_of(request).actor)
        return [step for step in super().offered(request, record) if not (barred and step.name in DECISIONS)]

    def beside(self, request: HttpRequest, step: Step, record: Award) -> dict[str, Any]:
        """The amount and the hand, which are what a decision is about."""
        owed = grouped(record.amount, record.jackpot.currency)
        return {"owed": owed, "drawn": self.drawn(record) if self.drawn else ""}

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """An award with all that proves it."""
        award = self.looked_at(request, object_id)
        barred = award_queue.barred([award], caller_of(request).actor).get(award.pk, "")
        drawn = self.drawn(award) if self.drawn else ""
        return self.page(
            request, award, "jackpot/console/award.html", str(award), award=award, drawn=drawn,
            barred=barred if award.kind == Award.Kind.HIT and award.state in _OPEN else "", **award_pages.page(award),
        )  # fmt: skip
