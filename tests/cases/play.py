"""Whole rounds written down in a line and played over the API: cards as "9h Ks", Ante and Blind 5.00, Play 20.00."""

from typing import Any

from django.test import Client

from tests.api.floor import EXAMPLE, Json, settled

PLAY_4X = {"action": "play", "street": "preflop", "multiplier": 4}
FOLD = {"action": "fold", "street": "river"}
Wagers = dict[str, tuple[str, str]]


def seat(cards: str | None, number: int = 1, **bets: Any) -> Json:
    """A box that plays four times its Ante; a bet or decision set to `...` is left out."""
    made: Json = {"box": number, "player": f"P-{number}", "ante": "5.00", "decision": PLAY_4X} | bets
    if cards is not None:
        made["cards"] = cards.split()
    return {name: value for name, value in made.items() if value is not ...}


def round_of(*seats: Json, board: str, dealer: str | None = "2d 2h", external_id: str = "case", **more: Any) -> Json:
    """A round at UTH-01; the first three of the board are the flop."""
    *flop, turn, river = board.split()
    times = {name: EXAMPLE[name] for name in ("started_at", "locked_at", "completed_at")}
    body: Json = {"table": "UTH-01", "external_id": external_id, "boxes": list(seats), **times}
    body |= {"flop": flop, "turn": turn, "river": river}
    if dealer is not None:
        body["dealer"] = dealer.split()
    return body | more


def losing(**changes: Any) -> Json:
    """A round whose one box loses everything, with some fields changed or added; its Progressive adds 0.20."""
    return round_of(seat("2c 7d", progressive="1.00"), board="Qs Js Ts 3c 8h", dealer="Kd Kh") | changes


def duel(client: Client, player: str, dealer: str, board: str, **bets: Any) -> Json:
    """One box against the dealer: its part of the settlement, with the dealer's under `dealer`."""
    found = settled(client, round_of(seat(player, **bets), board=board, dealer=dealer))
    assert found["phase"] == "settled", found["problem"]
    part: Json = found["settlement"]["boxes"][0]
    return part | {"dealer": found["settlement"]["dealer"]}


def wagers(part: Json) -> Wagers:
    """What became of each bet: outcome, and what came back with the stake inside."""
    return {wager["kind"]: (wager["outcome"], wager["returned"]) for wager in part["wagers"]}


def best(part: Json) -> str:
    return " ".join(part["best"])
