"""Settings in the reference's shape (`tests.reference.rulebook`) as the documents the product reads."""

from typing import Any

from tables.rulesets import published

Json = dict[str, Any]


def policy_document(policy: Json) -> Json:
    """A jackpot policy: its lines as a list in their order, each level under its `code`."""
    return policy | {
        "progressive_table": [{"hand": hand, **line} for hand, line in policy["progressive_table"].items()],
        "levels": [
            {"code": level["level"], **{key: level[key] for key in level if key != "level"}}
            for level in policy["levels"]
        ],
    }


def rules_document(settings: Json, *, like: str = "casino-progressive") -> Json:
    """A rule set: a shipped one's document with these settings; pay tables get a name, a box limit its `max`."""
    made = dict(settings)
    for key in ("blind_table", "trips_table"):
        if key in made and "lines" not in made[key]:
            made[key] = {"name": f"house-{key.replace('_', '-')}", "lines": made[key]}
    if "bet_limits" in made:
        made["bet_limits"] = made["bet_limits"] | {"box": {"max": made["bet_limits"]["box"]}}
    return published()[like] | made
