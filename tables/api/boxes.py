"""The boxes of a round: read in pages, and while betting is open placed, replaced and removed."""

from uuid import UUID

from django.http import Http404
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.http.views import ApiView
from jackpot.money import Currency
from jackpot.services import Caller, Scope
from tables.api import reading_steps
from tables.api.rounds import page_of_boxes, round_of
from tables.api.steps import answer
from tables.selectors import rounds
from tables.services import betting, voiding


class Boxes(ApiView):
    """All boxes of a round."""

    reads = Scope.ROUNDS_READ
    writes = Scope.ROUNDS_WRITE
    takes_query = True

    def get(self, request: Request, round_id: UUID) -> Response:
        return Response(page_of_boxes(request, round_of(self.caller, round_id)))

    def put(self, request: Request, round_id: UUID) -> Response:
        currency = _currency_of(self.caller, round_id)
        boxes = reading_steps.many_boxes(self.body, currency)
        return answer(betting.place(caller=self.caller, round_id=round_id, boxes=boxes, now=timezone.now()))


class OneBox(ApiView):
    """One box's bets."""

    writes = Scope.ROUNDS_WRITE

    def put(self, request: Request, round_id: UUID, box: int) -> Response:
        currency = _currency_of(self.caller, round_id)
        bets = reading_steps.one_box(self.body, box, currency)
        with reading_steps.pointing_from("/boxes/0"):
            step = betting.place(caller=self.caller, round_id=round_id, boxes=[bets], now=timezone.now())
        return answer(step, box=box)

    def delete(self, request: Request, round_id: UUID, box: int) -> Response:
        reading_steps.nothing(self.body)
        return answer(betting.remove(caller=self.caller, round_id=round_id, box=box, now=timezone.now()), box=box)


class VoidBox(ApiView):
    """One box is dead, and its bets go back."""

    writes = Scope.ROUNDS_WRITE

    def post(self, request: Request, round_id: UUID, box: int) -> Response:
        reason, note = reading_steps.void(self.body)
        step = voiding.void_box(
            caller=self.caller, round_id=round_id, box=box, reason=reason, note=note, now=timezone.now()
        )
        return answer(step, box=box)


def _currency_of(caller: Caller, round_id: UUID) -> Currency:
    """The currency of the caller's round. Raises Http404 where it has no such round."""
    currency = rounds.currency_of(caller, round_id)
    if currency is None:
        raise Http404
    return currency
