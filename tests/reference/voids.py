"""Which voids need a second person: those that would cancel a Progressive prize, or an Envy, once the flop is known."""

from typing import Any

from tests.reference.hands import category
from tests.reference.replay import progressive_stakes

Json = dict[str, Any]


def needs_second_person(round_: Json, rules: Json, policy: Json) -> bool:
    """Whether a whole round's voids take a paying hand, or an Envy for another player's hit, from anybody.

    A bet that its own fold ends has nothing to lose.
    """
    staked = progressive_stakes(round_)
    ends = not rules["progressive_survives_fold"]
    boxes = [box for box in round_["boxes"] if box["box"] in staked and not (ends and folded(box))]
    dead = [box for box in boxes if box.get("void") or round_.get("void")]
    hands = {box["box"]: _hand(round_, box) for box in boxes}
    if any(hands[box["box"]] in policy["progressive_table"] for box in dead):
        return True
    if rules["hand_mode"] == "shared":
        return False
    hits = [box for box in boxes if box not in dead and hands[box["box"]] in policy["envy_table"]]
    return any(hit["player"] != box["player"] for hit in hits for box in dead)


def folded(box: Json) -> bool:
    """Whether a box ended without a Play."""
    return (box.get("decision") or {}).get("action") != "play"


def _hand(round_: Json, box: Json) -> str | None:
    hole = round_.get("player_cards") or box.get("cards")
    return category(hole + round_["flop"]) if hole and round_.get("flop") else None
