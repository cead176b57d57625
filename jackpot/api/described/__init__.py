"""How the calls of jackpots, awards, reports and events are described, for `config.description`."""

from jackpot.api.described.award_moves import MOVE_CALLS, MOVE_SCHEMAS
from jackpot.api.described.awards import AWARD_CALLS, AWARD_SCHEMAS
from jackpot.api.described.events import EVENT_CALLS, EVENT_SCHEMAS, WEBHOOKS
from jackpot.api.described.jackpots import JACKPOT_CALLS, JACKPOT_SCHEMAS
from jackpot.api.described.reports import REPORT_CALLS, REPORT_SCHEMAS
from jackpot.api.described.streams import STREAM_CALLS, STREAM_SCHEMAS
from jackpot.http.calls import Call
from jackpot.http.schemas import Schema

__all__ = ["CALLS", "SCHEMAS", "WEBHOOKS"]

CALLS: dict[str, Call] = {
    **JACKPOT_CALLS,
    **STREAM_CALLS,
    **AWARD_CALLS,
    **MOVE_CALLS,
    **REPORT_CALLS,
    **EVENT_CALLS,
}
SCHEMAS: dict[str, Schema] = {
    **JACKPOT_SCHEMAS,
    **STREAM_SCHEMAS,
    **AWARD_SCHEMAS,
    **MOVE_SCHEMAS,
    **REPORT_SCHEMAS,
    **EVENT_SCHEMAS,
}
