"""An evidence pack as a JSON document; the PDF is drawn from the same document, so that both say the same.

Amounts are decimal strings: those of the books with all their decimals, those of bets and prizes as paid. Digests are
hexadecimal SHA-256.
"""

from collections.abc import Mapping
from typing import Any

from jackpot.http.reports.cells import shown_cells
from jackpot.http.showing import show_award, shown_day, shown_time
from jackpot.money import Currency, show_exact
from jackpot.selectors.evidence import Around, Posted, Seal
from jackpot.services import Award
from tables.domain import record
from tables.http.showing_rounds import show_everything
from tables.http.showing_settlements import show_settlement
from tables.reports.evidence import Evidence, Frozen
from tables.selectors.on_show import OnShow

Document = dict[str, Any]

FORMAT = 1
"""The number of this form of the document: a key that changes its meaning raises it; new keys do not."""


def evidence_document(pack: Evidence) -> Document:
    """The whole pack; its keys are described in docs/reports.md."""
    rnd, currency = pack.round, pack.hit.jackpot.currency
    return {
        "pack": "evidence",
        "format": FORMAT,
        "asked_for": str(pack.asked_for),
        "made_at": shown_time(pack.made_at),
        "made_by": pack.made_by,
        "award": _award(pack.hit, currency),
        "round": _round(pack),
        "settlements": [*map(_earlier, pack.earlier), {"in_force": True, **(show_settlement(pack.shown) or {})}],
        "pay_table_line": _pay_line(pack.hit),
        "approvals": _approvals(pack),
        "awards": [_award(award, currency) for award in pack.books.awards],
        "changes": [_change(change) for change in pack.books.changes],
        "meter_at_event": _meter_at_event(pack, currency),
        "statement": [_pot(around, currency) for around in pack.books.statement],
        "entries": [_entry(posted, pack, currency) for posted in pack.books.posted],
        "performed_again": _performed(pack),
        "facts": _facts(pack.facts),
        "versions": {"rule_set": _document(rnd.rule_set), "policy": _document(pack.hit.policy)},
        "chain": _chain(pack),
    }


def _award(award: Award, currency: Currency) -> Document:
    """As the API shows it, with its meter to the last decimal, its entry, and all that was done to it."""
    meter = {
        name: None if (units := getattr(award, name)) is None else show_exact(units, currency)
        for name in ("meter_before", "meter_after", "reset_to")
    }
    return {
        **show_award(award),
        **meter,
        "entry": award.entry_id,
        "moves": [_move(move) for move in award.moves.all()],
    }


def _move(move: Any) -> Document:
    return {
        "number": move.number,
        "move": move.move,
        "before": move.before,
        "after": move.state,
        "approvals": move.approvals,
        "by": f"staff:{move.user.get_username()}" if move.user else f"key:{move.key.prefix}",
        "at": shown_time(move.at),
        "note": move.note or None,
        "entry": move.entry_id,
    }


def _change(change: Any) -> Document:
    """What was asked to be corrected of the round, by whom and why, and what another person decided."""
    decided = getattr(change, "decided", None)
    decision = decided and {
        "decision": decided.decision,
        "by": f"staff:{decided.by.get_username()}",
        "at": shown_time(decided.at),
        "note": decided.note or None,
        "before": decided.before,
        "after": decided.after,
        "entry": decided.entry_id,
    }
    return {
        "id": str(change.pk),
        "kind": change.kind,
        "reason": change.reason,
        "note": change.note or None,
        "asked_by": f"staff:{change.asked_by.get_username()}",
        "asked_at": shown_time(change.asked_at),
        "asked": change.document,
        "decided": decision,
    }


def _approvals(pack: Evidence) -> Document:
    """How many the policy asks for, and the decisions as they were given; who is `barred` may give none: `entered_by`
    entered the version that the hit was made in, others a correction that it stands in too.
    """
    hit = pack.hit
    given = [_move(move) for move in hit.moves.all() if move.move in ("approve", "uphold", "reject")]
    return {
        "needed": hit.policy.read().approvals,
        "entered_by": hit.entry.actor or None,
        "barred": list(pack.entered_by),
        "given": given,
    }


def _round(pack: Evidence) -> Document:
    """As the API shows it, without the settlement, which stands beside it in all its versions."""
    rnd = pack.round
    return {
        **{name: value for name, value in show_everything(pack.shown).items() if name != "settlement"},
        "integrator": rnd.integrator.name,
        "site_name": rnd.site.name,
        "timezone": rnd.site.timezone,
        "settled_at": shown_time(rnd.settled_at),
        "void": {"reason": rnd.void_reason, "note": rnd.void_note} if rnd.void_reason else None,
    }


_FACTS = ("boxes", "player_cards", "flop", "turn", "river", "dealer")


def _earlier(stood: OnShow) -> Document:
    """A settlement that a correction replaced, as it stood, with the facts that it was made from."""
    shown = show_everything(stood)
    facts = {name: shown[name] for name in _FACTS if name in shown}
    rnd = stood.round
    void = {"reason": rnd.void_reason, "note": rnd.void_note} if rnd.void_reason else None
    return {"in_force": False, **(show_settlement(stood) or {}), "facts": facts | {"void": void}}


def _pay_line(hit: Award) -> Document | None:
    """The line of the policy's pay table by which the hit was paid, as its document has it."""
    lines = hit.policy.document["progressive_table"]
    return next((dict(line) for line in lines if line["hand"] == hit.hand), None)


def _meter_at_event(pack: Evidence, currency: Currency) -> Document | None:
    """Of a late hit how its meter stood when it happened; it was priced by the order of the books."""
    row = pack.meter_at_event
    return None if row is None else {"seq": row.seq, "after": show_exact(row.after, currency)}


def _pot(around: Around, currency: Currency) -> Document:
    rows = [
        {
            "seq": row.seq,
            "own": row.seq in around.own,
            "kind": row.kind,
            "amount": show_exact(row.amount, currency),
            "before": show_exact(row.before, currency),
            "after": show_exact(row.after, currency),
            "entry": row.entry_id,
            "source": row.entry.source_ref,
            "table": row.entry.table_ref or None,
            "event_at": shown_time(row.entry.event_at),
            "posted_at": shown_time(row.entry.posted_at),
            "gaming_day": shown_day(row.gaming_day),
            "link": row.entry.link_seq,
        }
        for row in around.rows
    ]
    return {"level": around.level, "pot": around.pot.value, "rows": rows}


def _entry(posted: Posted, pack: Evidence, currency: Currency) -> Document:
    entry = posted.entry
    return {
        "entry": entry.pk,
        "kind": entry.kind,
        "source": entry.source_ref,
        "table": entry.table_ref or None,
        "event_at": shown_time(entry.event_at),
        "posted_at": shown_time(entry.posted_at),
        "actor": entry.actor or None,
        "reason": entry.reason or None,
        "reverses": entry.reverses_id,
        "facts_sha256": bytes(entry.facts_digest).hex() if entry.facts_digest is not None else None,
        "lane": _lanes(pack)[entry.lane_id],
        "link": entry.link_seq,
        "legs": [
            {"account": leg.account.code, "gaming_day": shown_day(leg.gaming_day), **_sides(leg.amount, currency)}
            for leg in posted.legs
        ],
        "totals": [show_exact(sum(max(sign * leg.amount, 0) for leg in posted.legs), currency) for sign in (1, -1)],
    }


def _sides(units: int, currency: Currency) -> Document:
    amount = show_exact(abs(units), currency)
    return {"debit": amount, "credit": None} if units > 0 else {"debit": None, "credit": amount}


def _performed(pack: Evidence) -> Document:
    """The round settled again from its facts, against what was posted: the line of the report `expected-posted`."""
    names = [column.name for column in pack.performed.columns]
    (line,) = pack.performed.lines
    return dict(zip(names, shown_cells(pack.performed, line), strict=True))


def _facts(facts: Frozen | None) -> Document | None:
    if facts is None:
        return None
    entry_sha256 = facts.entry_sha256.hex() if facts.entry_sha256 is not None else None
    return {
        "sha256": facts.sha256.hex(),
        "entry": facts.entry_id,
        "entry_sha256": entry_sha256,
        "agrees": facts.agrees,
        "document": facts.document,
    }


def _document(version: Any) -> Document | None:
    """A version's document with the digest of its canonical form."""
    if version is None:
        return None
    return {
        "version": str(version),
        "in_force_at": shown_time(version.in_force_at),
        "sha256": record.fingerprint(version.document).hex(),
        "document": version.document,
    }


def _chain(pack: Evidence) -> Document:
    """The links that seal what was posted, and how far each lane's chain reached when the pack was made."""
    names = _lanes(pack)
    return {
        "heads": [
            {"lane": names[lane.pk], "link": lane.sealed, "sha256": bytes(lane.head).hex()} for lane in pack.books.lanes
        ],
        "links": [_seal(seal, names) for seal in pack.books.seals],
    }


def _seal(seal: Seal, names: Mapping[int, str]) -> Document:
    return {
        "lane": names[seal.link.lane_id],
        "link": seal.link.seq,
        "posted_at": shown_time(seal.link.posted_at),
        "previous": bytes(seal.link.previous).hex(),
        "sha256": bytes(seal.link.digest).hex(),
        "reckoned_again": seal.reckoned.hex(),
        "holds": seal.holds,
        "entries": list(seal.entries),
    }


def _lanes(pack: Evidence) -> Mapping[int, str]:
    return {lane.pk: str(lane) for lane in pack.books.lanes}
