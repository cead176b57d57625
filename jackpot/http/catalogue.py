"""The one list of every error a client can meet: its code, status, title and what to do about it.

`docs/api.md` fixes the codes; the documentation and the OpenAPI description are made from this list.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ErrorClass:
    """A kind of error. `remedy` tells the integrator what to do."""

    code: str
    status: int
    title: str
    remedy: str

    @property
    def type(self) -> str:
        """The stable path that names and documents this kind."""
        return f"/errors/{self.code}"


_LIST: dict[int, dict[str, tuple[str, str]]] = {
    400: {
        "malformed": ("Unreadable request", "Send UTF-8 JSON with an object at the top and a Content-Length."),
        "unknown_field": ("Unknown field", "Correct the name or leave the field out; nothing unknown is ignored."),
        "repeated_field": ("Repeated field", "Give each field or parameter once."),
        "missing_field": ("Missing field", "Add the field the pointer names."),
        "invalid_money": ("Invalid amount", 'Send amounts as strings of ASCII digits, such as "5.00".'),
        "invalid_time": ("Invalid time", 'Send RFC 3339 with an offset, such as "2026-11-29T14:22:33Z".'),
        "invalid_card": ("Invalid card", 'Send rank and suit, such as "As" or "Th".'),
        "invalid_value": ("Invalid value", "Send a value of the type and range that the detail names."),
    },
    401: {
        "unauthenticated": ("Not authenticated", "Send a live key as `Authorization: Bearer <key>`."),
    },
    403: {
        "forbidden": ("Not allowed", "Use an account that may make this call; a session also needs its CSRF token."),
        "scope_required": ("Scope required", "Use a key with the scope that the detail names."),
        "person_required": ("Person required", "Make this call in a staff member's session; keys may not."),
        "second_person_required": (
            "Second person required",
            "Have another person decide, who has not yet and did not enter the round.",
        ),
    },
    404: {
        "not_found": ("Not found", "Check the address and the id; what belongs to others does not exist for you."),
    },
    405: {
        "method_not_allowed": ("Method not allowed", "Use a method that the Allow header names."),
    },
    406: {
        "not_acceptable": ("Not acceptable", "Accept `application/json`, or a format this address offers."),
    },
    409: {
        "round_open": ("Round already open", "Finish or void the table's open round first."),
        "wrong_phase": ("Wrong phase", "Read the round; its phase does not allow this step."),
        "time_expired": ("Time expired", "The server's clock closed this; nothing was taken."),
        "already_settled": ("Already settled", "Have it corrected in the console."),
        "step_conflict": ("Step already taken otherwise", "Read the round; this step was applied with other content."),
        "idempotency_conflict": ("Repeat with other content", "Use a new external_id or key for other content."),
        "in_progress": ("First request still running", "Repeat the same request a little later."),
        "illegal_move": ("Illegal move", "Read the award; its state does not allow this move."),
        "table_suspended": ("Table suspended", "Resume the table or the round first."),
    },
    413: {
        "body_too_large": ("Body too large", "Send at most 8 MiB, or 32 MiB to the whole-round calls; split batches."),
    },
    415: {
        "unsupported_media_type": ("Unsupported media type", "Send `Content-Type: application/json` in UTF-8."),
    },
    422: {
        "wrong_card_count": ("Wrong number of cards", "Send the cards this street needs, no more and no fewer."),
        "duplicate_card": ("Card dealt twice", "Check the cards; each exists once in a round."),
        "unknown_table": ("Unknown table", "Use the code of a table of the key's sites."),
        "unknown_box": ("Unknown box", "Use a box that has bets in this round."),
        "wrong_multiple": ("Wrong multiple of the Ante", "Use a multiple that the rule set allows on this street."),
        "wrong_street": ("Wrong street", "Decide on a street of the rule set, once, at its time."),
        "blind_mismatch": ("Blind differs from the Ante", "Send the Ante's amount, or leave the Blind out."),
        "bet_limit": ("Outside the bet limits", "Stake within the table's limits and steps."),
        "too_many_boxes": ("Too many boxes", "Stay within the boxes the rule set allows."),
        "box_taken": ("Box given twice", "Give each box once in a round."),
        "ante_required": ("Ante required", "Every box stakes an Ante above zero."),
        "player_required": ("Player required", "Name the player of each box."),
        "no_progressive": ("No Progressive here", "Leave the Progressive out at a table without a jackpot."),
        "wrong_progressive_stake": ("Wrong Progressive stake", "Stake exactly the jackpot's stake."),
        "time_order": ("Times out of order", "Send started ≤ locked ≤ completed ≤ now."),
        "amount_too_large": ("Amount too large", "Send at most nine digits before the point."),
    },
    429: {
        "throttled": ("Too many requests", "Wait as long as the Retry-After header says."),
    },
    500: {
        "server_error": ("Fault of the service", "Repeat with the same external_id or key; report it if it stays."),
    },
    503: {
        "busy": ("Busy", "Repeat the same request after the time in the Retry-After header."),
    },
}

CATALOGUE: dict[str, ErrorClass] = {
    code: ErrorClass(code, status, title, remedy)
    for status, codes in _LIST.items()
    for code, (title, remedy) in codes.items()
}


def error_class(code: str) -> ErrorClass:
    """The kind of a code. Raises KeyError for a code that is not in the catalogue."""
    return CATALOGUE[code]
