"""Reading statements: the rows of a jackpot's pots, and what a round contributed."""

from collections import defaultdict

from django.db.models import QuerySet

from jackpot.models.jackpots import Jackpot
from jackpot.models.ledger import StatementRow


def rows_of(jackpot: Jackpot) -> QuerySet[StatementRow]:
    """Every statement row of a jackpot, with its level and entry."""
    return StatementRow.objects.filter(level__jackpot=jackpot).select_related("level", "entry")


def contributions_of(source_ref: str) -> list[tuple[str, dict[str, int], int]]:
    """What a round's lock-out contributed: (level code, amount by pot in ledger units, seq of its meter row or 0)."""
    rows = StatementRow.objects.filter(
        entry__kind="lockout", entry__source_ref=f"round:{source_ref}", kind="contribution"
    ).values_list("level__code", "pot", "amount", "seq")
    pots: dict[str, dict[str, int]] = defaultdict(dict)
    seqs: dict[str, int] = defaultdict(int)
    for level, pot, amount, seq in rows:
        pots[level][pot] = amount
        if pot == "meter":
            seqs[level] = seq
    return [(level, amounts, seqs[level]) for level, amounts in pots.items()]
