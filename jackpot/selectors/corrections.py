"""What stands of a round's version in force: its entries, its awards and what they stand for, its contributions."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.db import connection
from django.db.models import Q

from jackpot.domain.accounts import Pot
from jackpot.domain.awards import State
from jackpot.domain.correction_awards import Held
from jackpot.domain.meter import Kind, Row
from jackpot.domain.postings import Entry, EntryKind, Source
from jackpot.models import ledger
from jackpot.models.awards import Award, CarriedAward
from jackpot.selectors import journal
from jackpot.selectors.among import Among
from jackpot.selectors.journal import Stored
from jackpot.selectors.statements import Contributed

_SETTLEMENTS = (EntryKind.SETTLEMENT, EntryKind.VOID)


@dataclass(frozen=True, slots=True)
class Owed:
    """An award that a version owes, and as what: its place, its row of the statement, and what of it counts."""

    award: Award
    position: int
    amount: int
    hand: str
    from_box: int | None
    seq: int | None


def owed_by(sources: Collection[str]) -> dict[str, list[Owed]]:
    """What versions owe by awards, in order, by their settlements' references ("round:ID:v2"); two queries."""
    found: dict[str, list[Owed]] = {ref: [] for ref in sources}
    opened = Award.objects.select_related("jackpot", "level", "policy__jackpot", "hit", "entry")
    opened = opened.defer("facts", "hit__facts", "policy__document")
    for award in opened.filter(Among("entry__source_ref", found), entry__kind__in=_SETTLEMENTS):
        from_box = award.hit.box if award.hit else None
        owed = Owed(award, award.position, award.amount, award.hand, from_box, award.seq)
        found[award.entry.source_ref].append(owed)
    carried = CarriedAward.objects.filter(Among("entry__source_ref", found), entry__kind__in=_SETTLEMENTS)
    with_awards = ("entry", "award__jackpot", "award__level", "award__policy__jackpot", "award__hit", "award__entry")
    for row in carried.select_related(*with_awards).defer("award__facts", "award__hit__facts"):
        owed = Owed(row.award, row.position, row.amount, row.hand, row.from_box, row.seq)
        found[row.entry.source_ref].append(owed)
    return {ref: sorted(rows, key=lambda owed: (owed.position, owed.award.pk)) for ref, rows in found.items()}


def held_by(source_ref: str) -> list[Held]:
    """All awards of a round, as a correction sees them, in the order in which they were made."""
    awards = Award.objects.filter(source_ref=UUID(source_ref)).select_related("level").defer("facts")
    return [
        Held(
            ref=str(award.pk),
            box=award.box,
            player=award.player,
            hand=award.hand,
            amount=award.amount,
            level=award.level.code if award.level else None,
            state=State(award.state),
            hit=str(award.hit_id) if award.hit_id else None,
            difference_of=str(award.difference_of_id) if award.difference_of_id else None,
        )
        for award in awards.order_by("entry_id", "position")
    ]


def posted_by(settlement: str, change: str | None) -> list[Entry]:
    """A version's entries as they were posted: its settlement, its resets and restores, and what its correction
    charged as mispaid.
    """
    wanted = Q(source_ref=settlement, kind__in=_SETTLEMENTS)
    wanted |= Q(source_ref__startswith=f"{settlement}:hit", kind__in=(EntryKind.RESET, EntryKind.RESTORE))
    if change is not None:
        wanted |= Q(source_ref=f"change:{change}:mispay", kind=EntryKind.CORRECTION)
    rows = ledger.Entry.objects.filter(wanted).select_related("reverses").order_by("id")
    return [as_posted(stored) for stored in journal.with_parts(list(rows))]


def stakes_change(change: str) -> Mapping[str, Contributed]:
    """What a correction's changed stakes put into the pots, by level."""
    ref = f"change:{change}:stakes"
    rows = ledger.StatementRow.objects.filter(entry__source_ref=ref, entry__kind=EntryKind.CORRECTION)
    found: dict[str, Contributed] = {}
    for level, entry_id, pot, amount, seq in rows.values_list("level__code", "entry_id", "pot", "amount", "seq"):
        came = found.setdefault(level, Contributed(entry_id))
        came.amounts[pot] = amount
        if pot == Pot.METER:
            came.meter_seq = seq
    return found


def entered_under(changes: Collection[UUID]) -> dict[UUID, date]:
    """The gaming day of the table's site under which corrections were entered, by their requests; those that moved no
    money there are left out.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT decided.request_id, min(leg.gaming_day)
              FROM jackpot_changedecision AS decided
              JOIN jackpot_entry AS carried_out ON carried_out.id = decided.entry_id
              JOIN jackpot_entry AS entry ON entry.lane_id = carried_out.lane_id
               AND entry.link_seq = carried_out.link_seq
              JOIN jackpot_leg AS leg ON leg.entry_id = entry.id
              JOIN jackpot_account AS account ON account.id = leg.account_id AND starts_with(account.code, 'float:')
             WHERE decided.request_id = ANY(%s) GROUP BY decided.request_id
            """,
            [list(changes)],
        )
        return dict(cursor.fetchall())


def settlement_id(settlement: str) -> int:
    """The entry of a version's settlement or void."""
    return ledger.Entry.objects.get(source_ref=settlement, kind__in=_SETTLEMENTS).pk


def as_posted(stored: Stored) -> Entry:
    """A stored entry as the domain posted it."""
    entry = stored.entry
    source = Source(entry.source_ref, entry.table_ref, entry.integrator_id, entry.event_at)
    rows = [
        Row(level, Pot(pot), seq, Kind(row["kind"]), row["amount"], int(row["before"]), int(row["after"]))
        for (level, pot, seq), row in stored.rows.items()
    ]
    rows.sort(key=lambda row: (row.level, row.pot, row.seq))
    return Entry(EntryKind(entry.kind), entry.source_ref, source, dict(stored.legs), rows)


def gone_back(owed: Sequence[Owed]) -> set[int]:
    """Of what a version owes, the places of shares whose every part was rejected: their resets went back with them."""
    shares: dict[tuple[object, ...], list[Owed]] = {}
    for one in owed:
        if one.award.hit_id is None:
            shares.setdefault((one.award.level_id, one.hand, one.seq), []).append(one)
    return {
        min(part.position for part in parts)
        for parts in shares.values()
        if all(part.award.state == State.REJECTED for part in parts)
    }
