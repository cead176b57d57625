"""The levels of a replayed lane: where a replay begins, and everything that is compared at its end."""

from typing import Any

from jackpot.domain.accounts import Pot
from jackpot.domain.meter import Meter
from jackpot.domain.postings import Books
from jackpot.models.jackpots import Level, PolicyVersion
from jackpot.models.lanes import Lane
from jackpot.services import levels


def fresh_books(lane: Lane) -> levels.Loaded | None:
    """The lane's jackpot with empty meters on the terms of its first policy, and all policies: rounds name theirs."""
    jackpot = lane.jackpot
    if jackpot is None:
        return None
    versions = PolicyVersion.objects.filter(jackpot=jackpot).select_related("jackpot").order_by("version")
    known = {version.pk: version.read() for version in versions}
    first = next(iter(known))
    meters = {term.code: Meter(term, dict.fromkeys(Pot, 0), dict.fromkeys(Pot, 0)) for term in known[first].levels}
    rows = {level.code: level for level in jackpot.levels.order_by("position")}
    return levels.Loaded(jackpot, rows, Books(jackpot.code, meters, known), first)


def standing(meter: Meter) -> dict[str, Any]:
    """Everything a level's row says about how it stands, from a replayed meter."""
    balances: dict[str, Any] = {pot.value: meter.balances[pot] for pot in Pot}
    seqs = {f"{pot}_seq": meter.seqs[pot] for pot in Pot}
    return balances | seqs | {"terms": meter.terms} | {name: getattr(meter, name) for name in _TOTALS}


def stored(row: Level) -> dict[str, Any]:
    """The same of a level as it is stored."""
    names = [*Pot, *(f"{pot}_seq" for pot in Pot), *_TOTALS, "policy_id"]
    return {"terms": levels.terms_of(row)} | {str(name): getattr(row, name) for name in names}


_TOTALS = ("reset_seq", "reset_at", "last_hit_at", "wagered", "contributed", "awarded", "hits")
