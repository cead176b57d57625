"""Writing rounds, boxes, events and results: many rows at once, the same for one round as for a thousand."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from uuid import UUID

from django.db import connection

from jackpot import services as jackpot
from tables.domain.facts import BoxFacts, Decision
from tables.domain.results import Outcome, WagerKind, WagerResult
from tables.models.rounds import Box, Round

_ROUND = (
    ("id", "uuid"), ("integrator_id", "int8"), ("external_id", "varchar"), ("content", "bytea"), ("table_id", "int8"),
    ("site_id", "int8"), ("game_number", "varchar"), ("phase", "varchar"), ("resumes_to", "varchar"),
    ("version", "int2"), ("rule_set_id", "int8"), ("policy_id", "int8"), ("lane_id", "int8"), ("live", "bool"),
    ("started_at", "timestamptz"), ("locked_at", "timestamptz"), ("completed_at", "timestamptz"),
    ("deadline", "timestamptz"), ("gaming_day", "date"), ("late", "bool"), ("flop", "varchar"), ("turn", "varchar"),
    ("river", "varchar"), ("dealer", "varchar"), ("player_cards", "varchar"), ("void_reason", "varchar"),
    ("void_note", "varchar"), ("problem", "jsonb"),
)  # fmt: skip
_BOX = (
    ("round_id", "uuid"), ("box", "int4"), ("player", "varchar"), ("ante", "int8"), ("trips", "int8"),
    ("progressive", "int8"), ("cards", "varchar"), ("action", "varchar"), ("street", "varchar"),
    ("multiplier", "int2"), ("automatic", "bool"), ("checked", "varchar"), ("void_reason", "varchar"),
    ("void_note", "varchar"),
)  # fmt: skip
_EVENT = (("round_id", "uuid"), ("kind", "varchar"), ("at", "timestamptz"), ("data", "jsonb"))
_RESULT = (
    ("round_id", "uuid"), ("version", "int2"), ("box", "int4"), ("hand", "varchar"), ("progressive_hand", "varchar"),
    ("outcomes", "varchar"), ("capped", "varchar"), ("ante", "int8"), ("blind", "int8"), ("play", "int8"),
    ("trips", "int8"), ("progressive", "int8"), ("basis", "varchar"),
)  # fmt: skip

LETTER = {Outcome.WIN: "w", Outcome.LOSE: "l", Outcome.PUSH: "p", Outcome.REFUND: "r"}
"""How `BoxResult.outcomes` writes an outcome."""
PLACE = {kind: place for place, kind in enumerate(WagerKind)}
"""Where a bet stands among those of a box."""


def store_rounds(rounds: Iterable[Round]) -> None:
    """New rounds. Raises IntegrityError where a game number or an external id is taken."""
    rows = ([getattr(rnd, name) for name, _ in _ROUND] for rnd in rounds)
    jackpot.copy_rows("tables_round", _ROUND, rows)


def store_boxes(round_id_and_boxes: Iterable[tuple[UUID, BoxFacts]]) -> None:
    """The boxes of whole rounds, with their decisions."""
    jackpot.copy_rows("tables_box", _BOX, (_box_row(round_id, box) for round_id, box in round_id_and_boxes))


def store_pairs(round_id: UUID, cards: Mapping[int, Iterable[str]]) -> None:
    """The cards of a round's boxes, by number; one statement for all."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            UPDATE tables_box AS held SET cards = dealt.cards
              FROM unnest(%s::int[], %s::text[]) AS dealt (box, cards)
             WHERE held.round_id = %s AND held.box = dealt.box
            """,
            [list(cards), [joined(pair) for pair in cards.values()], round_id],
        )


def store_events(events: Iterable[tuple[UUID, str, Any, dict[str, Any]]]) -> None:
    """Events as (round, kind, at, data), in order."""
    jackpot.copy_rows("tables_roundevent", _EVENT, events)


def store_results(rows: Iterable[tuple[Any, ...]]) -> None:
    """Rows made by `result_row`."""
    jackpot.copy_rows("tables_boxresult", _RESULT, rows)


def stored_box(round_id: UUID, box: BoxFacts) -> Box:
    """The box as `store_boxes` stores it."""
    return Box.from_db(None, [name for name, _ in _BOX], _box_row(round_id, box))


def joined(cards: Iterable[str] | None) -> str:
    """Cards as they are stored, one after the other."""
    return "".join(cards or ())


def result_row(
    round_id: UUID, version: int, box: int, hands: tuple[str, str], wagers: Iterable[WagerResult], basis: str
) -> tuple[Any, ...]:
    """One box's result as a row; `hands` are the names of the best hand and of the Progressive's, or empty."""
    outcomes, capped, returned = ["-"] * len(PLACE), ["-"] * len(PLACE), [0] * len(PLACE)
    for wager in wagers:
        place = PLACE[wager.kind]
        outcomes[place], returned[place] = LETTER[wager.outcome], wager.returned
        if wager.capped:
            capped[place] = "c"
    return (
        round_id, version, box, *hands, "".join(outcomes), "".join(capped) if "c" in capped else "", *returned, basis,
    )  # fmt: skip


def box_columns(box: BoxFacts) -> dict[str, Any]:
    """A box's columns as its facts say them, but the note of its void; `checked` is a step's, and is none of them."""
    names = (name for name, _ in _BOX)
    columns = dict(zip(names, _box_row(UUID(int=0), box), strict=True))
    return {name: columns[name] for name in columns if name not in ("round_id", "checked", "void_note")}


def _box_row(round_id: UUID, box: BoxFacts) -> tuple[Any, ...]:
    return (
        round_id, box.box, box.player, box.ante, box.trips, box.progressive, joined(box.cards),
        *_decision(box.decision), "", box.void.value if box.void else "", "",
    )  # fmt: skip


def _decision(decision: Decision) -> Iterator[Any]:
    yield from (decision.action.value, decision.street.value, decision.multiplier or 0, decision.automatic)
