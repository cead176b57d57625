"""What the tests of corrections look at: pots, accounts and awards, in decimal strings."""

from decimal import Decimal
from typing import Any
from uuid import UUID

from jackpot.domain.awards import Move
from jackpot.models.awards import Award
from jackpot.models.jackpots import Jackpot, Level
from jackpot.models.ledger import Leg
from jackpot.services import award_moves
from tests.factories import (
    NOW,
    person,
)


def money(units: int | None) -> str:
    return f"{Decimal(int(units or 0)).scaleb(-8):.4f}"


def pots(link: Jackpot) -> dict[str, str]:
    level = Level.objects.get(jackpot=link)
    return {"meter": money(level.meter), "reserve": money(level.reserve), "overflow": money(level.overflow)}


def balance(code: str) -> str:
    return money(sum(Leg.objects.filter(account__code=code).values_list("amount", flat=True)))


def awards(round_id: UUID) -> list[tuple[Any, ...]]:
    rows = Award.objects.filter(source_ref=round_id).order_by("entry_id", "position")
    return [(award.kind, award.box, award.hand, money(award.amount), award.state) for award in rows]


def paid(round_id: UUID) -> Award:
    """The hit of a round, approved and paid."""
    award = Award.objects.get(source_ref=round_id, kind="hit")
    for move in (Move.APPROVE, Move.PAY):
        award_moves.move(caller=person("cleo"), award_id=award.pk, move=move, note="receipt", now=NOW)
    return award
