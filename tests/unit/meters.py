"""Short ways to write down meters and policies in a test; amounts exact to the ledger unit ("0.0075")."""

from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from jackpot.domain.accounts import Pot
from jackpot.domain.meter import Meter
from jackpot.domain.policy import LevelTerms, Policy
from jackpot.domain.progressive import Claim
from tables.services.demo_data import policy_document
from tests.unit.builders import USD, usd

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)


def exact(text: str) -> int:
    """Ledger units of US dollars with up to eight decimals."""
    units = Decimal(text).scaleb(8)
    assert units == int(units)
    return int(units)


def level(
    meter: str = "10000.00", *, reserve: str = "0", overflow: str = "0", base: str = "10000.00",
    increment: int = 200_000, reserve_rate: int = 20_000, limit: str | None = None, code: str = "main", seq: int = 1,
    reset_seq: int = 1,
) -> Meter:  # fmt: skip
    """A level that was funded (its first meter row) and now stands at these amounts."""
    return Meter(
        LevelTerms(code, exact(base), increment, reserve_rate, None if limit is None else exact(limit)),
        {Pot.METER: exact(meter), Pot.RESERVE: exact(reserve), Pot.OVERFLOW: exact(overflow)},
        {Pot.METER: seq, Pot.RESERVE: 0, Pot.OVERFLOW: 0},
        reset_seq=reset_seq,
    )


def stands(meter: Meter) -> tuple[str, str, str]:
    """Meter, reserve and overflow as exact decimal strings without trailing zeros."""
    return tuple(plain(meter.balances[pot]) for pot in (Pot.METER, Pot.RESERVE, Pot.OVERFLOW))  # type: ignore[return-value]


def plain(units: int) -> str:
    whole, _, fraction = f"{Decimal(units).scaleb(-8):f}".partition(".")
    return f"{whole}.{fraction.rstrip('0').ljust(2, '0')}"


def policy(**overrides: Any) -> Policy:
    """The demo's policy with some keys of its document changed."""
    return Policy.from_document(policy_document() | overrides, currency=USD)


def claims(*hands: tuple[int, str, str | None] | tuple[int, str | None]) -> list[Claim]:
    """Progressive wagers of 1.00 as (box, player, hand), or (box, hand) where every box has a player of its own."""
    made = []
    for box, *rest in hands:
        player = rest[0] if len(rest) == 2 else f"P-{box}"
        made.append(Claim(box, str(player), usd("1.00"), rest[-1]))
    return made


def shares(mega: int = 1_000_000, **ppm: int) -> list[Mapping[str, Any]]:
    """Pay lines that take shares of levels of their own: royal 100% of mega, the others as said."""
    lines: list[Mapping[str, Any]] = [{"hand": "royal_flush", "basis": "meter_share", "level": "mega", "ppm": mega}]
    return lines + [{"hand": hand, "basis": "meter_share", "level": hand, "ppm": share} for hand, share in ppm.items()]
