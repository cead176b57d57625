"""How a rule set reads: its settings in words, its pay tables line by line."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from jackpot.admin.base import words
from tables.domain.hands import HandName

Json = Mapping[str, Any]


class Setting(NamedTuple):
    """A setting as people read it, with its key in the document."""

    key: str
    name: str
    value: str


def settings(document: Json) -> Iterator[Setting]:
    """Everything of a document but the lines of its pay tables."""
    limits = document["bet_limits"]
    payout = document["payout_limit"]
    yield Setting("progressive_offered", "Progressive", "offered" if document["progressive_offered"] else "not offered")
    yield Setting("fold_streets", "A box may fold", ", ".join(map(words, document["fold_streets"])))
    yield Setting("preflop_multipliers", "Play before the flop", _times(document["preflop_multipliers"]))
    yield Setting("boxes_per_player", "Boxes of one player", _or(document["boxes_per_player"], "any empty box"))
    yield Setting("max_boxes", "Boxes at the table", _or(document["max_boxes"], "unlimited"))
    shared = document["hand_mode"] == "shared"
    yield Setting("hand_mode", "Hands", "one shared by all boxes" if shared else "one a box")
    yield Setting("trips_survives_fold", "Trips after a fold", _lives(document["trips_survives_fold"]))
    progressive = _lives(document["progressive_survives_fold"])
    yield Setting("progressive_survives_fold", "Progressive after a fold", progressive)
    yield Setting("odds_rounding", "Odds on odd stakes", f"rounded {words(document['odds_rounding'])}")
    limit = f"{payout['amount']} a {payout['scope']}" if payout else "none"
    yield Setting("payout_limit", "Payout limit", limit)
    for bet in ("ante", "trips"):
        yield Setting(f"bet_limits.{bet}", f"{bet.title()} limits", f"{limits[bet]['min']} to {limits[bet]['max']}")
    yield Setting("bet_limits.box", "Most a box stakes before the cards", _or(limits["box"]["max"], "no limit"))
    yield Setting("betting_seconds", "Time for bets", _clock(document["betting_seconds"]))
    yield Setting("decision_seconds", "Time for a decision", _clock(document["decision_seconds"]))


def lines(table: Json) -> dict[HandName, str]:
    """A pay table's odds as a layout prints them: "500 to 1"; hands that are not paid are left out."""
    return {hand: odds(table["lines"][hand]) for hand in HandName if hand in table["lines"]}


def odds(text: str) -> str:
    won, _, staked = text.partition(":")
    return f"{won} to {staked}"


def _times(multiples: list[int]) -> str:
    return " or ".join(f"{multiple}x" for multiple in multiples)


def _or(value: object, none: str) -> str:
    return none if value is None else str(value)


def _lives(lives: bool) -> str:
    return "lives on" if lives else "ends"


def _clock(seconds: int | None) -> str:
    return "no clock" if seconds is None else f"{seconds} s"
