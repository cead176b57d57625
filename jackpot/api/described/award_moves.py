"""Moves of awards, and what an award shows of them."""

from jackpot.api.award_moves import LONGEST_REFERENCE, LONGEST_TEXT
from jackpot.domain.awards import DECISIONS, Move, State
from jackpot.http.calls import Answer, Call
from jackpot.http.schemas import Schema, integer, nullable, one_of, ref, said, sent, shown, text

_REFERENCE = sent({"reference": said(text(LONGEST_REFERENCE), "Where the payment is found, such as a slip.")})
_REASON = sent({"reason": text(LONGEST_TEXT)})
_NOTE = sent(optional={"note": text(LONGEST_TEXT, empty=True)})

MOVE_SCHEMAS: dict[str, Schema] = {
    "AwardMove": shown(
        {
            "move": one_of(Move),
            "state": said(one_of(State), "Where the award stood after it."),
            "by": said({"type": "string", "maxLength": 160}, "`key:` and its prefix, or `staff`."),
            "at": ref("Time"),
            "approvals": said(integer(0), "How many people have decided so, with this one; 0 where none need to."),
            "reference": said(nullable(text(LONGEST_REFERENCE)), "Of a payment."),
            "reason": said(nullable(text(LONGEST_TEXT)), "Of a dispute or a rejection."),
            "note": said(nullable(text(LONGEST_TEXT)), "Of an approval; shown to staff."),
        }
    ),
}


def _move(name: Move, summary: str, says: str, body: Schema, example: dict[str, object]) -> Call:
    return Call(
        id=f"{name}Award",
        tag="Awards",
        summary=summary,
        says=says,
        path={"award_id": ref("Uuid")},
        body=body,
        examples={str(name): example},
        refusals=["illegal_move", *(["second_person_required"] if name in DECISIONS else [])],
        repeatable=True,
        answers={200: Answer(says="The award as it stands then.", schema=ref("Award"), replayable=True)},
    )


_ALL = {
    Move.APPROVE: _move(
        Move.APPROVE, "Approve an award", "One person finds a pending hit right; its Envy goes with it. It is approved"
        " once as many people as the policy asks for have said so.", _NOTE, {"note": "seen on tape"},
    ),
    Move.DISPUTE: _move(
        Move.DISPUTE, "Dispute an award", "A pending or approved hit, and its unpaid Envy, is not to be paid until it"
        " was looked into.", _REASON, {"reason": "a card was exposed"},
    ),
    Move.UPHOLD: _move(
        Move.UPHOLD, "Uphold a disputed award", "One person finds a disputed hit right after all; counted as for"
        " approving.", _NOTE, {"note": "the deck was complete"},
    ),
    Move.REJECT: _move(
        Move.REJECT, "Reject a disputed award", "One person finds that a disputed hit is not owed; counted as for"
        " approving. Then its share goes back to the meter, and with it what its reset put in.", _REASON,
        {"reason": "a card was exposed"},
    ),
    Move.PAY: _move(
        Move.PAY, "Pay an award", "An approved award, hit or Envy, was paid out of the cage of the table's site.",
        _REFERENCE, {"reference": "slip 4711"},
    ),
}  # fmt: skip
MOVE_CALLS: dict[str, Call] = {f"POST /awards/{{award_id}}/{name}/": call for name, call in _ALL.items()}
