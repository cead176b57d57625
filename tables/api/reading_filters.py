"""The filters of lists, from the query."""

from jackpot.http.reading import ObjectReader
from jackpot.http.values import choice, day, text, time
from tables.domain.hands import HandName
from tables.domain.round_state import Phase
from tables.selectors.rounds import Filters

_CODE = text(32)


def round_filters(query: ObjectReader) -> Filters:
    """`from` and `to` are instants between which rounds started; `to` itself is outside."""
    return Filters(
        table=query.optional("table", _CODE),
        site=query.optional("site", _CODE),
        phase=query.optional("phase", choice(Phase)),
        day=query.optional("day", day),
        player=query.optional("player", text(64)),
        hand=query.optional("hand", choice(HandName)),
        external_id=query.optional("external_id", text(100)),
        game_number=query.optional("game_number", text(60)),
        since=query.optional("from", time),
        until=query.optional("to", time),
    )
