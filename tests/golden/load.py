"""The golden rounds: one JSON file each (README.md beside them says what stands in it)."""

import json
from pathlib import Path
from typing import Any

from tests.reference.rulebook import POLICY, RULES

Json = dict[str, Any]
HERE = Path(__file__).parent


def names() -> list[str]:
    """All golden rounds by name, sorted."""
    return sorted(path.stem for path in HERE.glob("*.json"))


def load(name: str) -> Json:
    """One golden round."""
    golden: Json = json.loads((HERE / f"{name}.json").read_text("utf-8"))
    return golden


def settings(golden: Json) -> Json:
    """The rule set a golden plays under, its own settings applied."""
    return {**RULES[golden["rule_set"]], **golden.get("rules", {})}


def policy(golden: Json) -> Json:
    """The jackpot policy a golden plays under, its own settings applied."""
    return {**POLICY, **golden.get("policy", {})}
