"""The examples of the contract: a whole round as it is sent, and its settlement on a fresh MAIN."""

import json
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent


def _load(name: str) -> Any:
    return json.loads((_HERE / name).read_text())


ROUND: dict[str, Any] = _load("round.json")
SETTLEMENT: dict[str, Any] = _load("settlement.json")
