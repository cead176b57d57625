"""Rounds as canonical documents: to tell a repeat from a conflict, and to keep what a settlement was made from.

Canonical: keys sorted, no blanks, UTF-8 as sent, amounts in ledger units, times in UTC with microseconds.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

import orjson

from tables.domain.facts import BoxFacts, Decision, Reported, RoundFacts
from tables.domain.results import RoundResult


def canonical(document: Mapping[str, Any]) -> bytes:
    """The one byte form of a document of text, whole numbers of 64 bits, booleans, None, lists and objects."""
    return orjson.dumps(document, option=orjson.OPT_SORT_KEYS)


def fingerprint(document: Mapping[str, Any]) -> bytes:
    """SHA-256 of a document's canonical form."""
    return sha256(canonical(document)).digest()


def reported(report: Reported) -> dict[str, Any]:
    """What an integrator reported, after normalisation: equal content gives an equal document.

    A pair and a flop are cards without an order: no rule knows one (known failure 16).
    """
    return facts_document(_without_order(report.facts)) | {
        "table": report.table_code,
        "started_at": instant(report.started_at),
        "locked_at": instant(report.lock_out_at),
        "locked": report.locked_at is not None or report.facts.void is None,
        "completed_at": instant(report.completed_at),
        "void_note": report.void_note,
    }


def facts_document(facts: RoundFacts) -> dict[str, Any]:
    """The facts of a round."""
    return {
        "boxes": [_box(box) for box in sorted(facts.boxes, key=lambda box: box.box)],
        "flop": facts.flop,
        "turn": facts.turn,
        "river": facts.river,
        "dealer": facts.dealer,
        "player_cards": facts.player_cards,
        "void": facts.void,
    }


def settled(facts: RoundFacts, result: RoundResult, **context: Any) -> bytes:
    """What a settlement was made from and came to, in canonical form; `context` names round, table and versions, and
    what no rule reads: notes, who decided by himself.
    """
    results = [
        [box.box, box.hand, box.progressive_hand, [[w.kind, w.outcome, w.returned] for w in box.wagers]]
        for box in result.boxes
    ]
    return canonical(facts_document(facts) | context | {"results": results})


def rule_set(code: str, version: int, document: Mapping[str, Any], in_force_at: datetime) -> bytes:
    """A version of a rule set as it is sealed, in canonical form."""
    return canonical({"rule_set": code, "version": version, "in_force_at": instant(in_force_at), "document": document})


def automatic(facts: RoundFacts) -> list[int]:
    """The boxes whose decision the clock took, which makes no difference to what they win."""
    return [box.box for box in facts.boxes if box.decision.automatic]


def instant(at: datetime) -> str:
    """An instant in UTC to the microsecond."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def without_order(cards: Iterable[str] | None) -> tuple[str, ...]:
    """Cards that are dealt together, as they compare: two deals of the same cards are the same deal."""
    return tuple(sorted(cards or ()))


def _without_order(facts: RoundFacts) -> RoundFacts:
    return replace(
        facts,
        boxes=tuple(box._replace(cards=without_order(box.cards)) for box in facts.boxes),
        flop=without_order(facts.flop),
        dealer=without_order(facts.dealer),
        player_cards=without_order(facts.player_cards),
    )


def _box(box: BoxFacts) -> dict[str, Any]:
    return {
        "box": box.box,
        "player": box.player,
        "cards": box.cards,
        "ante": box.ante,
        "trips": box.trips,
        "progressive": box.progressive,
        "decision": _decision(box.decision),
        "void": box.void,
    }


def _decision(decision: Decision) -> list[Any]:
    return [decision.action, decision.street, decision.multiplier]
