"""Ante, Blind, Play and Trips of one round, bet by bet, straight from the table of outcomes.

Input is the whole-round body of the REST contract and a dict of rule-set settings; results are in cents.
"""

from fractions import Fraction
from typing import Any

from tests.reference.amounts import cents, half_up
from tests.reference.hands import CATEGORIES, best_five, card, category, score

Json = dict[str, Any]

KINDS = ("ante", "blind", "play", "trips")
PAIR = CATEGORIES.index("pair")


def settle_round(round_: Json, rules: Json) -> Json:
    """Dealer and boxes; each box with hand, best, progressive_hand, alive and its wagers (stake, outcome, returned).

    `alive` says whether the box's Progressive wager can win, trigger and receive Envy.
    """
    if round_.get("void"):
        return {"dealer": None, "boxes": [_refunded(box) for box in round_["boxes"]]}
    board = _board(round_)
    dealer = _cards(round_.get("dealer"))
    dealer_seven = dealer + board if len(dealer) == 2 and len(board) == 5 else None
    boxes = [_settle_box(box, round_, board, dealer_seven, rules) for box in round_["boxes"]]
    _apply_payout_limit(boxes, rules.get("payout_limit"))
    return {"dealer": _dealer(dealer_seven), "boxes": boxes}


def _settle_box(box: Json, round_: Json, board: list[str], dealer_seven: list[str] | None, rules: Json) -> Json:
    if box.get("void"):
        return _refunded(box)
    hole = _cards(round_.get("player_cards") or box.get("cards"))
    seven = hole + board if len(hole) == 2 and len(board) == 5 else None
    flop_five = hole + board[:3] if len(hole) == 2 and len(board) >= 3 else None
    has_progressive = bool(cents(box.get("progressive") or "0"))
    folded = not _plays(box)
    alive = has_progressive and not (folded and not rules["progressive_survives_fold"])
    if alive and flop_five is None:
        raise ValueError("a live Progressive bet needs the flop")
    wagers = []
    for kind, stake in stakes_of(box).items():
        if kind in ("ante", "blind", "play"):
            outcome, net = _main_bet(kind, stake, folded, seven, dealer_seven, rules)
        elif kind == "trips":
            outcome, net = _trips(stake, folded, seven, rules)
        else:
            continue
        back = {"win": stake + net, "push": stake, "lose": 0}[outcome]
        wagers.append({"kind": kind, "stake": stake, "outcome": outcome, "returned": back})
    return {
        "box": box["box"],
        "player": box.get("player"),
        "hand": category(seven) if seven else None,
        "best": best_five(seven) if seven else None,
        "progressive_hand": category(flop_five) if flop_five and has_progressive else None,
        "alive": alive,
        "void": None,
        "wagers": wagers,
    }


def stakes_of(box: Json) -> dict[str, int]:
    """Cents staked on each bet of a box, in the order they are shown; a bet not made is left out."""
    ante = cents(box["ante"])
    multiplier = box["decision"]["multiplier"] if _plays(box) else 0
    stakes = {
        "ante": ante,
        "blind": ante,
        "play": ante * multiplier,
        "trips": cents(box.get("trips") or "0"),
        "progressive": cents(box.get("progressive") or "0"),
    }
    return {kind: stake for kind, stake in stakes.items() if stake}


def _plays(box: Json) -> bool:
    return (box.get("decision") or {}).get("action") == "play"


def _main_bet(
    kind: str, stake: int, folded: bool, seven: list[str] | None, dealer_seven: list[str] | None, rules: Json
) -> tuple[str, int]:
    """Outcome and net win of Ante, Blind or Play."""
    if folded:
        return "lose", 0
    if seven is None or dealer_seven is None:
        raise ValueError("a box that played needs all seven cards and the dealer's")
    mine, his = score(seven), score(dealer_seven)
    qualifies = his[0] >= PAIR
    if mine == his:
        return "push", 0
    if kind == "ante" and not qualifies:
        return "push", 0
    if mine < his:
        return "lose", 0
    if kind != "blind":
        return "win", stake
    odds = lines_of(rules["blind_table"]).get(category(seven))
    return ("win", _paid(stake, odds, rules)) if odds else ("push", 0)


def _trips(stake: int, folded: bool, seven: list[str] | None, rules: Json) -> tuple[str, int]:
    if folded and not rules["trips_survives_fold"]:
        return "lose", 0
    if seven is None:
        raise ValueError("a live Trips bet needs all seven cards")
    odds = lines_of(rules["trips_table"]).get(category(seven))
    return ("win", _paid(stake, odds, rules)) if odds else ("lose", 0)


def lines_of(table: Json) -> Json:
    """The lines of a pay table, given as lines alone or as a document with a name and lines."""
    lines: Json = table.get("lines", table)
    return lines


def _paid(stake: int, odds: str, rules: Json) -> int:
    numerator, _, denominator = odds.partition(":")
    win = Fraction(stake * int(numerator), int(denominator or 1))
    return int(win) if rules["odds_rounding"] == "down" else half_up(win)


def _refunded(box: Json) -> Json:
    """A dead box: every stake comes back, no hand is read."""
    wagers = [
        {"kind": kind, "stake": stake, "outcome": "refund", "returned": stake}
        for kind, stake in stakes_of(box).items()
        if kind != "progressive"
    ]
    hands = {"hand": None, "best": None, "progressive_hand": None}
    return {"box": box["box"], "player": box.get("player"), **hands, "alive": False, "void": True, "wagers": wagers}


def _apply_payout_limit(boxes: list[Json], limit: Json | None) -> None:
    """Scale the positive nets of each player (or of the round) down to the cap, in whole cents."""
    if not limit:
        return
    groups: dict[Any, list[tuple[Json, Json]]] = {}
    for box in boxes:
        key = "round" if limit["scope"] == "round" else ("player", box["player"] or box["box"])
        for wager in box["wagers"]:
            if wager["returned"] > wager["stake"]:
                groups.setdefault(key, []).append((box, wager))
    for winners in groups.values():
        _scale(winners, cents(limit["amount"]))


def _scale(winners: list[tuple[Json, Json]], cap: int) -> None:
    nets = [wager["returned"] - wager["stake"] for _, wager in winners]
    total = sum(nets)
    if total <= cap:
        return
    exact = [Fraction(net * cap, total) for net in nets]
    paid = [int(amount) for amount in exact]
    places = sorted(
        range(len(winners)),
        key=lambda n: (paid[n] - exact[n], winners[n][0]["box"], KINDS.index(winners[n][1]["kind"])),
    )
    for n in places[: cap - sum(paid)]:
        paid[n] += 1
    for n, (_, wager) in enumerate(winners):
        wager["returned"] = wager["stake"] + paid[n]
        if paid[n] < nets[n]:
            wager["capped"] = True


def _dealer(seven: list[str] | None) -> Json | None:
    if seven is None:
        return None
    return {"hand": category(seven), "best": best_five(seven), "qualifies": score(seven)[0] >= PAIR}


def _board(round_: Json) -> list[str]:
    late = [round_[street] for street in ("turn", "river") if round_.get(street)]
    return _cards((round_.get("flop") or []) + late)


def _cards(given: list[str] | None) -> list[str]:
    return [card(one) for one in given or []]
