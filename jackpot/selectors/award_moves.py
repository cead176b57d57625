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
from jackpot.selectors import corrections
from jackpot.selectors.corrections import Owed

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


def cases_of(refs: Iterable[str]) -> list[Case]:
    """The awards of these ids, as their next moves see them."""
    return cases(list(Award.objects.filter(pk__in=list(refs)).select_related("entry", "level").defer("facts")))


def entered_by(award: Award) -> set[str]:
    """Who entered the round of an award, or asked for the version of it that opened it or that it carried over into."""
    carried = award.carried.values_list("entry__actor", flat=True)
    return {award.entry.actor, *carried} - {""}


def parts_of(hit: Award) -> list[Owed]:
    """What divides the share of a hit, itself among it: one award, unless the share was split, in the last version in
    which the hit stands.
    """
    carried = hit.carried.order_by("entry_id").last()
    source = (carried.entry if carried else hit.entry).source_ref
    owed = corrections.owed_by([source])[source]
    own = next(one for one in owed if one.award.pk == hit.pk and one.award.hit_id is None)
    return [
        one for one in owed
        if (one.award.kind, one.award.level_id, one.hand, one.seq)
        == (Award.Kind.HIT, hit.level_id, own.hand, own.seq)
    ]  # fmt: skip


def funded_by(hit: Award, parts: Iterable[Owed]) -> Funded:
    """What the reset or restore of a share put into its meter; of a split share its first part caused it."""
    carried = hit.carried.order_by("entry_id").last()
    source = (carried.entry if carried else hit.entry).source_ref
    refs = [f"{source}:hit{part.position}" for part in parts]
    rows = StatementRow.objects.filter(entry__source_ref__in=refs, entry__kind__in=["reset", "restore"])
    return Funded.by((Pot(pot), amount) for pot, amount in rows.values_list("pot", "amount"))
