"""What the contract prints, for tests and for scripts that know no Django."""

from typing import Any

EXAMPLE: dict[str, Any] = {
    "table": "UTH-01",
    "external_id": "gs-000123",
    "started_at": "2026-11-29T14:22:33Z",
    "locked_at": "2026-11-29T14:22:58Z",
    "completed_at": "2026-11-29T14:24:10Z",
    "boxes": [
        {
            "box": 1, "player": "P-17", "cards": ["As", "Ks"], "ante": "5.00", "blind": "5.00", "trips": "5.00",
            "progressive": "1.00", "decision": {"action": "play", "street": "preflop", "multiplier": 4},
        },
        {
            "box": 2, "player": "P-18", "cards": ["2c", "7d"], "ante": "5.00", "progressive": "1.00",
            "decision": {"action": "fold", "street": "river"},
        },
    ],
    "flop": ["Qs", "Js", "Ts"],
    "turn": "3c",
    "river": "7h",
    "dealer": ["2d", "2h"],
}  # fmt: skip
"""The whole round of the contract, as it is sent."""
