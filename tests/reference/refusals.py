"""The few refusals that golden cases show: cards and decisions that no rule set allows."""

from collections.abc import Iterator
from typing import Any

from tests.reference.hands import card

Json = dict[str, Any]


def refusals(round_: Json, rules: Json) -> list[tuple[str, str]]:
    """(code, pointer into the body) of each wrong count, duplicate, multiple and street, in reading order."""
    found = []
    seen: set[str] = set()
    for pointer, cards, wanted in _groups(round_):
        plain = [card(one) for one in cards]
        if len(plain) != wanted:
            found.append(("wrong_card_count", pointer))
        if len(set(plain)) < len(plain) or seen & set(plain):
            found.append(("duplicate_card", pointer))
        seen |= set(plain)
    for place, box in enumerate(round_["boxes"]):
        found += _wrong_decision(box.get("decision"), f"/boxes/{place}/decision", rules)
    return found


def _groups(round_: Json) -> Iterator[tuple[str, list[str], int]]:
    for place, box in enumerate(round_["boxes"]):
        if "cards" in box:
            yield f"/boxes/{place}/cards", box["cards"], 2
    for key, wanted in (("player_cards", 2), ("flop", 3), ("turn", 1), ("river", 1), ("dealer", 2)):
        if key in round_:
            yield f"/{key}", [round_[key]] if wanted == 1 else round_[key], wanted


def _wrong_decision(decision: Json | None, pointer: str, rules: Json) -> list[tuple[str, str]]:
    if decision is None:
        return []
    if decision["action"] == "fold":
        return [] if decision["street"] in rules["fold_streets"] else [("wrong_street", f"{pointer}/street")]
    allowed = {"preflop": rules["preflop_multipliers"], "flop": [2], "river": [1]}
    right = decision["multiplier"] in allowed[decision["street"]]
    return [] if right else [("wrong_multiple", f"{pointer}/multiplier")]
