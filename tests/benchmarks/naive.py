"""The obvious service, to be measured against: Django's ORM, `bulk_create`, the meter locked late, one transaction a
round. It reads and evaluates each round, and writes the same rows into the same tables, under the same guards.

What is to be written was prepared from a lane that the service settled, so that both write the same; only links are as
many as rounds, since a transaction is sealed by one. It knows no reset: a round in which a meter falls back to its
base would be refused by the guards, and the seed deals none among those it is given.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.db.models import F

from jackpot.models.awards import Award
from jackpot.models.events import Event, EventCounter
from jackpot.models.jackpots import Level
from jackpot.models.lanes import Lane, Queued
from jackpot.models.ledger import Entry, Leg, StatementRow
from jackpot.money import UNITS_PER_MINOR
from tables.domain import settlement as pure
from tables.models.rounds import BoxResult, Round
from tables.selectors import loading
from tables.selectors.versions import RuleBook
from tests.benchmarks.batches import LEVEL


@dataclass(frozen=True, slots=True)
class Wanted:
    """What one round comes to: rows by model, in the order in which they are written, and the round as it is left."""

    round: Round
    entries: Sequence[Entry]
    legs: Sequence[Leg]
    rows: Sequence[StatementRow]
    awards: Sequence[Award]
    results: Sequence[BoxResult]
    events: Sequence[Event]


def wanted(round_ids: Sequence[UUID]) -> list[Wanted]:
    """What these rounds came to, which the service settled, in their order."""
    entries: dict[UUID, list[Entry]] = defaultdict(list)
    events: dict[UUID, list[Event]] = defaultdict(list)
    refs = {f"round:{pk}": pk for pk in round_ids} | {f"round:{pk}:v1": pk for pk in round_ids}
    for entry in Entry.objects.filter(source_ref__in=refs).order_by("id"):
        entries[refs[entry.source_ref]].append(entry)
    for event in Event.objects.filter(data__round__in=[str(pk) for pk in round_ids]).order_by("seq"):
        events[UUID(event.data["round"])].append(event)
    return [_wanted(pk, entries[pk], events[pk]) for pk in round_ids]


def _wanted(round_id: UUID, entries: list[Entry], events: list[Event]) -> Wanted:
    of_entries = {"entry_id__in": [entry.pk for entry in entries]}
    return Wanted(
        Round.objects.get(pk=round_id), entries,
        legs=list(Leg.objects.filter(**of_entries).order_by("entry_id", "position")),
        rows=list(StatementRow.objects.filter(**of_entries).order_by("entry_id", "seq")),
        awards=list(Award.objects.filter(**of_entries)),
        results=list(BoxResult.objects.filter(round_id=round_id)),
        events=events,
    )  # fmt: skip


def settle(lane_id: int, work: Wanted) -> None:
    """One round, as the obvious service settles it."""
    with transaction.atomic():
        rnd = Round.objects.select_related("table", "site", "rule_set__rule_set", "policy").get(pk=work.round.pk)
        boxes = loading.boxes_of(rnd.pk)
        book = RuleBook([rnd.table])
        rules = book.rules(rnd.rule_set or book.at(rnd.table, rnd.started_at), rnd.table.currency_code)
        pure.settle(loading.facts_of(rnd, boxes), rules)
        lane = Lane.objects.select_for_update().get(pk=lane_id)
        levels = {level.pk: level for level in Level.objects.filter(jackpot=lane.jackpot_id).select_for_update()}
        _post(lane, levels, work)
        for name in ("phase", "version", "settled_at", "gaming_day", "late"):
            setattr(rnd, name, getattr(work.round, name))
        rnd.save(update_fields=["phase", "version", "settled_at", "gaming_day", "late"])
        BoxResult.objects.bulk_create(work.results)
        _tell(work)
        Queued.objects.filter(source_ref=rnd.pk).delete()


def _post(lane: Lane, levels: Mapping[int, Level], work: Wanted) -> None:
    for entry in work.entries:
        entry.link_seq = lane.sealed + 1
        entry.posted_at = max(entry.posted_at, lane.posted_at or entry.posted_at)
    Entry.objects.bulk_create(work.entries)
    Leg.objects.bulk_create(work.legs)
    for row in work.rows:
        _move(levels[row.level_id], row)
    for level in levels.values():
        level.wagered += len(work.results) * _STAKE
        level.posted_at = work.entries[-1].posted_at
        level.save(update_fields=LEVEL)
    StatementRow.objects.bulk_create(work.rows)
    Award.objects.bulk_create(work.awards)
    _seal(lane, work.entries[-1].posted_at)


_STAKE = 100 * UNITS_PER_MINOR
"""The Progressive's, 1.00 USD, in ledger units."""


def _move(level: Level, row: StatementRow) -> None:
    setattr(level, row.pot, row.after)
    setattr(level, f"{row.pot}_seq", row.seq)
    level.last_day = row.gaming_day
    if row.kind == "contribution":
        level.contributed += row.amount
    if row.kind == "award":
        level.awarded -= row.amount
        level.hits += 1


def _seal(lane: Lane, at: Any) -> None:
    """PostgreSQL reckons a link's digest, for the obvious service too."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO jackpot_link (lane_id, seq, previous, posted_at) VALUES (%s, %s, %s, %s) RETURNING digest",
            [lane.pk, lane.sealed + 1, bytes(lane.head), at],
        )
        lane.sealed, lane.head, lane.posted_at = lane.sealed + 1, cursor.fetchone()[0], at
    lane.save(update_fields=["sealed", "head", "posted_at"])


def _tell(work: Wanted) -> None:
    for integrator_id, events in _by_integrator(work.events):
        EventCounter.objects.filter(pk=integrator_id).update(last=F("last") + len(events))
        last = EventCounter.objects.get(pk=integrator_id).last
        for place, event in enumerate(events):
            event.seq = last - len(events) + 1 + place
        Event.objects.bulk_create(events)


def _by_integrator(events: Sequence[Event]) -> Iterator[tuple[int, list[Event]]]:
    found: dict[int, list[Event]] = defaultdict(list)
    for event in events:
        found[event.integrator_id].append(event)
    yield from found.items()
