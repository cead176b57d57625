"""What a replay begins with, and what of entries and levels it compares: all but numbers, links and posting times."""

from hashlib import sha256
from typing import Any

from jackpot.domain.accounts import Pot
from jackpot.domain.meter import Meter
from jackpot.domain.postings import Books, Entry
from jackpot.models.jackpots import Level, PolicyVersion
from jackpot.models.lanes import Lane
from jackpot.selectors.journal import Stored
from jackpot.services import levels


def fresh_books(lane: Lane) -> levels.Loaded | None:
    """The lane's jackpot with empty meters on the terms of its first policy, and all policies: rounds name theirs."""
    jackpot = lane.jackpot
    if jackpot is None:
        return None
    versions = PolicyVersion.objects.filter(jackpot=jackpot).select_related("jackpot").order_by("version")
    by_id = {version.pk: version for version in versions}
    known = {pk: version.read() for pk, version in by_id.items()}
    first = next(iter(known))
    meters = {term.code: Meter(term, dict.fromkeys(Pot, 0), dict.fromkeys(Pot, 0)) for term in known[first].levels}
    rows = {level.code: level for level in jackpot.levels.order_by("position")}
    return levels.Loaded(jackpot, rows, Books(jackpot.code, meters, known), first, by_id)


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


_HEAD = ("table_ref", "integrator_id", "event_at", "reason", "actor")


def head(entry: Entry) -> dict[str, Any]:
    """Of one that must be there."""
    return {
        "table_ref": entry.source.table_ref,
        "integrator_id": entry.source.integrator_id,
        "event_at": entry.source.at,
        "reason": entry.reason,
        "actor": entry.actor,
        "facts_digest": sha256(entry.facts).hexdigest() if entry.facts else None,
        "reverses": f"{entry.reverses[0]} {entry.reverses[1]}" if entry.reverses else None,
    }


def stored_head(stored: Stored) -> dict[str, Any]:
    """Of one that is stored."""
    entry = stored.entry
    digest = bytes(entry.facts_digest).hex() if entry.facts_digest is not None else None
    reverses = str(entry.reverses) if entry.reverses else None
    return {name: getattr(entry, name) for name in _HEAD} | {"facts_digest": digest, "reverses": reverses}
