"""Reading what was done to awards, and what their next moves depend on."""

from collections.abc import Iterable, Sequence
from uuid import UUID

from django.db.models import Prefetch

from jackpot.domain.accounts import Pot
from jackpot.domain.award_postings import Case
from jackpot.domain.awards import DECISIONS, Move, Standing, State
from jackpot.domain.callers import actor_of
from jackpot.domain.meter import Funded
from jackpot.models.awards import Award, AwardMove
from jackpot.models.ledger import StatementRow

TOLD = Prefetch("moves", AwardMove.objects.select_related("user", "key").order_by("number"))
"""To be prefetched where awards are shown with their moves: one query, however many awards."""


def cases(awards: Sequence[Award]) -> list[Case]:
    """Awards, read with their entries, as their next moves see them."""
    moves: dict[UUID, list[AwardMove]] = {award.pk: [] for award in awards}
    for move in AwardMove.objects.filter(award_id__in=moves).order_by("number"):
        moves[move.award_id].append(move)
    return [_case(award, moves[award.pk]) for award in awards]


def _case(award: Award, moves: Sequence[AwardMove]) -> Case:
    stage = sum(1 for move in moves if move.before != move.state)
    decided = tuple(
        (Move(move.move), actor_of(user_id=move.user_id, key_id=move.key_id))
        for move in moves
        if move.stage == stage and move.move in DECISIONS
    )
    return Case(
        ref=str(award.pk),
        table_ref=award.table_ref,
        integrator_id=award.entry.integrator_id,
        amount=award.amount,
        level=award.level.code if award.level else None,
        standing=Standing(State(award.state), stage, decided),
        moves=len(moves),
    )


def envy_under(award: Award) -> list[Award]:
    """The Envy that a hit gave, in order."""
    return list(award.envy.select_related("entry", "level").defer("facts").order_by("position"))


def parts_of(hit: Award) -> list[Award]:
    """The awards that divide the share of a hit, itself among them: one, unless the share was split."""
    same = {"entry_id": hit.entry_id, "level_id": hit.level_id, "seq": hit.seq, "hand": hit.hand}
    parts = Award.objects.filter(kind=Award.Kind.HIT, **same).select_related("entry").defer("facts")
    return list(parts.order_by("position"))


def funded_by(parts: Iterable[Award]) -> Funded:
    """What the reset or restore of a share put into its meter; of a split share its first part caused it."""
    refs = [f"{part.entry.source_ref}:hit{part.position}" for part in parts]
    rows = StatementRow.objects.filter(entry__source_ref__in=refs, entry__kind__in=["reset", "restore"])
    return Funded.by((Pot(pot), amount) for pot, amount in rows.values_list("pot", "amount"))
