"""What boxes staked and got back, bet by bet, and what each table took and paid."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import reduce
from operator import add
from typing import Any
from uuid import UUID

from django.db.models import Count, F, Q, QuerySet, Sum

from jackpot import services as jackpot
from jackpot.selectors.among import Among
from tables.domain.facts import BoxFacts, RoundFacts
from tables.domain.results import WagerKind
from tables.models.rounds import Box, BoxResult, Round
from tables.models.tables import Table
from tables.selectors.loading import REF

# The Play follows from the decision, as in `tables.domain.facts.BoxFacts.play`: the multiplier is 0 without one.
STAKES: dict[WagerKind, Any] = {
    WagerKind.ANTE: F("ante"),
    WagerKind.BLIND: F("ante"),
    WagerKind.PLAY: F("ante") * F("multiplier"),
    WagerKind.TRIPS: F("trips"),
    WagerKind.PROGRESSIVE: F("progressive"),
}
"""What a stored box staked on each bet, for PostgreSQL to sum."""


STAKED = Sum(reduce(add, STAKES.values()))
RETURNED = Sum(reduce(add, map(F, WagerKind)))


def stakes_of(box: Box) -> dict[WagerKind, int]:
    """What a stored box staked on each bet, in ledger units; 0 on those it did not make."""
    return dict(
        zip(WagerKind, (box.ante, box.ante, box.ante * box.multiplier, box.trips, box.progressive), strict=True)
    )


def returned_to(result: BoxResult) -> dict[WagerKind, int]:
    """What came back to a box for each bet, in ledger units, stakes inside (Envy is not)."""
    return {kind: getattr(result, kind) for kind in WagerKind}


@dataclass(frozen=True, slots=True)
class BetResult:
    """One bet at one table, in ledger units: what was staked, and what came back, stakes inside (Envy is not)."""

    table: str
    currency_code: str
    bet: WagerKind
    rounds: int
    wagers: int
    handle: int
    returned: int

    @property
    def won(self) -> int:
        """What the house kept."""
        return self.handle - self.returned


Counted = tuple[Round, int, int, RoundFacts]
"""A version of a round as a day counts it: the round, the version, 1 or -1, and the facts of the version."""


def by_table(rounds: QuerySet[Round], counted: Sequence[Counted] = ()) -> list[BetResult]:
    """Settled rounds summed by table and bet, tables by code, bets in the order of results; two queries.

    Of rounds that were corrected those versions that are `counted` are summed, with one query more.
    """
    boxes = Box.objects.filter(round__in=rounds.filter(version=1))
    staked = _summed(boxes, {kind: _staked(kind) for kind in WagerKind})
    results = BoxResult.objects.filter(round__in=rounds.filter(version=1))
    returned = _summed(results, {kind: {f"{kind}_sum": Sum(F(kind))} for kind in WagerKind})
    found = {
        (*place, bet): (*staked[place][bet], *returned[place][bet]) for place in staked for bet in WagerKind
    }  # fmt: skip
    rows = results_at((rnd.id, version) for rnd, version, _, _ in counted)
    for rnd, version, sign, facts in counted:
        for bet, sums in _sums_of(facts, rows.get((rnd.id, version), {})).items():
            place = (rnd.table.code, rnd.table.currency_code, bet)
            before = found.get(place, (0,) * len(sums))
            found[place] = tuple(a + sign * b for a, b in zip(before, sums, strict=True))
    order = list(WagerKind)
    places = sorted(found, key=lambda place: (place[0], order.index(place[2])))
    return [BetResult(table, currency, bet, *found[table, currency, bet]) for table, currency, bet in places]


def results_at(versions: Iterable[tuple[UUID, int]]) -> dict[tuple[UUID, int], dict[int, BoxResult]]:
    """The results of some versions, by round and version, then by box; one query."""
    wanted = set(versions)
    found: dict[tuple[UUID, int], dict[int, BoxResult]] = {place: {} for place in wanted}
    for row in BoxResult.objects.filter(round_id__in={pk for pk, _ in wanted}) if wanted else ():
        if (row.round_id, row.version) in found:
            found[row.round_id, row.version][row.box] = row
    return found


def returned_at(versions: Mapping[UUID, int]) -> dict[str, dict[int, tuple[int, ...]]]:
    """What came back to the boxes of a version of each of some rounds, for each bet in the order of `WagerKind`; by the
    rounds' references. One query.
    """
    wanted = {str(pk): version for pk, version in versions.items()}
    found: dict[str, dict[int, tuple[int, ...]]] = {ref: {} for ref in wanted}
    rows = BoxResult.objects.filter(Among("round_id", versions))
    for ref, version, box, *returned in rows.values_list(REF, "version", "box", *WagerKind):
        if version == wanted[ref]:
            found[ref][box] = tuple(returned)
    return found


def stakes_in(box: BoxFacts) -> dict[WagerKind, int]:
    """What a box staked on each bet, by its facts; 0 on those it did not make."""
    return dict(zip(WagerKind, (box.ante, box.ante, box.play, box.trips, box.progressive), strict=True))


def _sums_of(facts: RoundFacts, results: Mapping[int, BoxResult]) -> dict[WagerKind, tuple[int, int, int, int]]:
    """Of one version, for each bet: 1 where it was made, how many, how much was staked and came back."""
    stakes = [stakes_in(box) for box in facts.boxes]
    found = {}
    for bet in WagerKind:
        made = sum(1 for one in stakes if one[bet])
        returned = sum(returned_to(result)[bet] for result in results.values())
        found[bet] = (min(1, made), made, sum(one[bet] for one in stakes), returned)
    return found


Played = dict[tuple[int, date, str, str], dict[WagerKind, tuple[int, int]]]
"""By site, gaming day, table and currency: of each bet what was staked, and what came back, stakes inside."""


def played_on(rounds: QuerySet[Round]) -> Played:
    """What some settled rounds staked and got back, by day; four queries. Rounds that were corrected are left out."""
    first = rounds.filter(version=1).select_related(None).order_by()
    staked = _by_place(Box.objects.filter(round__in=first), {kind: Sum(stake) for kind, stake in STAKES.items()})
    returned = _by_place(BoxResult.objects.filter(round__in=first), {kind: Sum(F(kind)) for kind in WagerKind})
    return {
        place: {kind: (sums[kind], returned[place][kind]) for kind in WagerKind} for place, sums in staked.items()
    }  # fmt: skip


def _by_place(
    rows: QuerySet[Any], sums: Mapping[WagerKind, Any]
) -> dict[tuple[int, date, str, str], dict[WagerKind, int]]:
    """Sums of boxes or results by where and when their rounds were settled."""
    by_table = rows.values("round__site_id", "round__gaming_day", "round__table_id")
    found = list(by_table.annotate(**{f"{kind}_sum": made for kind, made in sums.items()}))
    tables = Table.objects.in_bulk({row["round__table_id"] for row in found})
    return {
        (row["round__site_id"], row["round__gaming_day"], table.code, table.currency_code): {
            kind: int(row[f"{kind}_sum"]) for kind in sums
        }
        for row in found
        for table in [tables[row["round__table_id"]]]
    }


def _staked(kind: WagerKind) -> dict[str, Any]:
    """In how many rounds a bet was made, how many of it, and how much."""
    made = boxes_with(kind)
    return {
        f"{kind}_rounds": Count("round", distinct=True, filter=made),
        f"{kind}_wagers": Count("box", filter=made),
        f"{kind}_sum": Sum(STAKES[kind]),
    }


def boxes_with(kind: WagerKind) -> Q:
    """The boxes that made a bet; each has an Ante and its Blind."""
    fields = {WagerKind.PLAY: "multiplier", WagerKind.TRIPS: "trips", WagerKind.PROGRESSIVE: "progressive"}
    return Q(**{f"{fields.get(kind, 'ante')}__gt": 0})


def _summed(
    rows: QuerySet[Any], sums: dict[WagerKind, dict[str, Any]]
) -> dict[tuple[str, str], dict[WagerKind, tuple[int, ...]]]:
    """Aggregates of boxes or results by (table, currency) and bet."""
    every = {name: made for named in sums.values() for name, made in named.items()}
    found = {}
    for row in rows.values("round__table__code", "round__table__currency_code").annotate(**every):
        place = (row["round__table__code"], row["round__table__currency_code"])
        found[place] = {kind: tuple(int(row[name]) for name in named) for kind, named in sums.items()}
    return found


def by_round(rounds: QuerySet[Round]) -> dict[UUID, tuple[int, int]]:
    """What was staked in each of some settled rounds and came back, in ledger units (Envy is not); two queries. Rounds
    that were corrected are left out.
    """
    staked = Box.objects.filter(round__in=rounds.filter(version=1)).values_list("round_id").annotate(total=STAKED)
    results = BoxResult.objects.filter(round__in=rounds.filter(version=1))
    returned = dict(results.values_list("round_id").annotate(total=RETURNED))
    return {pk: (int(total), int(returned.get(pk, 0))) for pk, total in staked}


def of_round(rnd: Round) -> tuple[int, int]:
    """What was staked in one round and came back in the version in force, in ledger units, without Envy."""
    staked = Box.objects.filter(round_id=rnd.id).aggregate(total=STAKED)["total"]
    returned = BoxResult.objects.filter(round_id=rnd.id, version=rnd.version).aggregate(total=RETURNED)["total"]
    return int(staked or 0), int(returned or 0)


def fixed_prizes(rounds: QuerySet[Round]) -> dict[str, int]:
    """What Progressive wagers won first that no meter paid, by table, in ledger units; one query."""
    results = BoxResult.objects.filter(round__in=rounds, version=1)
    fixed = results.exclude(basis__in=("", jackpot.Basis.METER_SHARE)).values_list("round__table__code")
    return {table: int(total) for table, total in fixed.annotate(total=Sum("progressive"))}
