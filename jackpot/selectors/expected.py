"""What was posted of rounds, and how their jackpot's pots stood before: what a re-performance is held against."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from django.db import connection

from jackpot.domain.accounts import Pot
from jackpot.domain.meter import Kind
from jackpot.domain.postings import EntryKind
from jackpot.models.awards import Award
from jackpot.models.ledger import Entry, StatementRow
from jackpot.selectors import corrections
from jackpot.selectors.among import Among


@dataclass(slots=True)
class Accrued:
    """What one lock-out contributed by (level id, pot), in ledger units, and each pot before it. `entry_id` is None
    where it was never posted.
    """

    entry_id: int | None
    amounts: dict[tuple[int, str], int] = field(default_factory=dict)
    before: dict[tuple[int, str], int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        return sum(self.amounts.values())


def accrued(refs: Iterable[str]) -> dict[str, Accrued]:
    """The posted lock-outs of some rounds, by the rounds' references; two queries."""
    sources = {f"round:{ref}": ref for ref in refs}
    entries = Entry.objects.filter(Among("source_ref", sources), kind=EntryKind.LOCKOUT)
    by_entry = {pk: sources[ref] for pk, ref in entries.values_list("pk", "source_ref")}
    found = {ref: Accrued(pk) for pk, ref in by_entry.items()}
    rows = StatementRow.objects.filter(Among("entry_id", by_entry))
    for entry_id, level_id, pot, amount, before in rows.values_list("entry_id", "level_id", "pot", "amount", "before"):
        at = found[by_entry[entry_id]]
        at.amounts[level_id, pot], at.before[level_id, pot] = amount, int(before)
    return found


def settlement_entries(sources: Collection[str]) -> dict[str, int]:
    """The entries of settlements and voids by their source references ("round:ID:v1")."""
    kinds = (EntryKind.SETTLEMENT, EntryKind.VOID)
    return dict(Entry.objects.filter(kind__in=kinds, source_ref__in=sources).values_list("source_ref", "pk"))


def pots_before(entry_ids: Collection[int]) -> dict[int, dict[tuple[int, str], int]]:
    """How every pot of their jackpots stood before some entries, less what a void in them took back; one query.

    By entry and (level id, pot). A pot's rows are numbered without a gap and follow the order of entries, so the last
    one before an entry is found by halving: looking back from the end would read all that came since.
    """
    found: dict[int, dict[tuple[int, str], int]] = defaultdict(dict)
    if not entry_ids:
        return found
    with connection.cursor() as cursor:
        cursor.execute(
            """
            WITH RECURSIVE search (entry_id, level_id, pot, low, high) AS (
                -- Row `low` lies before the entry (0: none does), and no row above `high`.
                SELECT entry.id, level.id, pots.pot, 0::bigint, coalesce(last.seq, 0)
                  FROM jackpot_entry AS entry
                  JOIN jackpot_lane AS lane ON lane.id = entry.lane_id
                  JOIN jackpot_level AS level ON level.jackpot_id = lane.jackpot_id
                 CROSS JOIN unnest(%s::text[]) AS pots (pot)
                 CROSS JOIN LATERAL (SELECT max(seq) AS seq FROM jackpot_statementrow
                                      WHERE level_id = level.id AND pot = pots.pot) AS last
                 WHERE entry.id = ANY(%s)
                 UNION ALL
                SELECT search.entry_id, search.level_id, search.pot,
                       CASE WHEN middle.entry_id < search.entry_id THEN middle.seq ELSE low END,
                       CASE WHEN middle.entry_id < search.entry_id THEN high ELSE middle.seq - 1 END
                  FROM search
                 CROSS JOIN LATERAL (SELECT entry_id, seq FROM jackpot_statementrow
                                      WHERE level_id = search.level_id AND pot = search.pot
                                        AND seq = (low + high + 1) / 2 LIMIT 1) AS middle
                 WHERE low < high
            )
            SELECT search.entry_id, search.level_id, search.pot, coalesce(last.after, 0) + coalesce(voided.amount, 0)
              FROM search
              LEFT JOIN jackpot_statementrow AS last ON last.level_id = search.level_id AND last.pot = search.pot
                    AND last.seq = search.low
              LEFT JOIN jackpot_statementrow AS voided ON voided.entry_id = search.entry_id AND voided.kind = %s
                    AND voided.level_id = search.level_id AND voided.pot = search.pot
             WHERE low = high
            """,
            [[pot.value for pot in Pot], list(entry_ids), Kind.VOID.value],
        )
        for entry_id, level_id, pot, after in cursor.fetchall():
            found[entry_id][level_id, pot] = int(after)
    return found


def shares_awarded(refs: Collection[str]) -> dict[tuple[str, int], int]:
    """What hits of the first settlements of some rounds were awarded, by (round, box); one query."""
    rows = Award.objects.filter(source_ref__in=refs, kind=Award.Kind.HIT, entry__source_ref__endswith=":v1")
    return {(str(ref), box): amount for ref, box, amount in rows.values_list("source_ref", "box", "amount")}


class EnvyPosted(NamedTuple):
    """Envy as it was awarded: to a box, for the hit of another."""

    box: int
    hit_box: int
    amount: int


def envy_posted(sources: Collection[str]) -> dict[str, list[EnvyPosted]]:
    """The Envy that some versions owe, by their settlements' references ("round:ID:v1"); two queries."""
    return {
        source: [
            EnvyPosted(one.award.box, one.from_box or 0, one.amount)
            for one in owed
            if one.award.kind == Award.Kind.ENVY
        ]
        for source, owed in corrections.owed_by(sources).items()
    }
