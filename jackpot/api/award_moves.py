"""Moves of awards: keys and staff pay and dispute, staff approve, uphold and reject. Each call may be repeated."""

from typing import ClassVar
from uuid import UUID

from django.http import Http404
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot import tasks
from jackpot.api.awards import award_of
from jackpot.api.showing import show_told
from jackpot.domain.awards import Move
from jackpot.domain.callers import Scope
from jackpot.http.keys import PERSON, Need
from jackpot.http.reading import reading
from jackpot.http.repeats import idempotency_key, replay_headers
from jackpot.http.values import text
from jackpot.http.views import ApiView
from jackpot.selectors import awards
from jackpot.services import award_moves, repeats
from jackpot.services.repeats import Asked, Done

LONGEST_REFERENCE = 100
LONGEST_TEXT = 500


class MoveView(ApiView):
    """A move is a POST with an `Idempotency-Key`; `says` names the one field of its body.

    It answers with the award as it stands then, as `GET /awards/{id}/` does.
    """

    writes: ClassVar[Need | None] = Scope.AWARDS_WRITE
    move: ClassVar[Move]
    says: ClassVar[str]
    says_always: ClassVar[bool] = True
    longest: ClassVar[int] = LONGEST_TEXT

    def post(self, request: Request, award_id: UUID) -> Response:
        key, said, now = idempotency_key(request), self.said(), timezone.now()
        if not awards.seen_by(self.caller).filter(pk=award_id).exists():
            raise Http404

        def perform() -> Done:
            told = award_moves.move(caller=self.caller, award_id=award_id, move=self.move, note=said, now=now)
            return show_told(award_of(self.caller, award_id), self.caller), told

        asked = Asked(key, "POST", request.path, {self.says: said})
        answer = repeats.once(caller=self.caller, asked=asked, perform=perform, now=now)
        tasks.wake()
        return Response(answer.document, headers=replay_headers(answer.replayed))

    def said(self) -> str:
        """The reference, reason or note that was sent; a note may be left out."""
        with reading(self.body) as body:
            if self.says_always:
                return body.required(self.says, text(self.longest))
            return body.optional(self.says, text(self.longest, empty=True), "")


class Approve(MoveView):
    """`POST /awards/{id}/approve/`: one person says that a pending award is right."""

    writes = PERSON
    permission = "jackpot.approve_award"
    move, says, says_always = Move.APPROVE, "note", False


class Dispute(MoveView):
    """`POST /awards/{id}/dispute/`: a pending or approved award is not to be paid until it was looked into."""

    permission = "jackpot.dispute_award"
    move, says = Move.DISPUTE, "reason"


class Uphold(MoveView):
    """`POST /awards/{id}/uphold/`: one person says that a disputed award is right after all."""

    writes = PERSON
    permission = "jackpot.uphold_award"
    move, says, says_always = Move.UPHOLD, "note", False


class Reject(MoveView):
    """`POST /awards/{id}/reject/`: one person says that a disputed award is not owed."""

    writes = PERSON
    permission = "jackpot.reject_award"
    move, says = Move.REJECT, "reason"


class Pay(MoveView):
    """`POST /awards/{id}/pay/`: an approved award was paid, under this reference."""

    permission = "jackpot.pay_award"
    move, says, longest = Move.PAY, "reference", LONGEST_REFERENCE
