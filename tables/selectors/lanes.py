"""Finding lanes by what was settled in them: what is proved is always a whole lane."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.db.models import Q, QuerySet

from jackpot.selectors import queue
from jackpot.services import Lane
from tables.models.rounds import Round
from tables.models.tables import Table


class Unknown(LookupError):
    """Something was asked for by a name that nothing has; the text says so."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which lanes: by id, of jackpots, or of the rounds that fit all the rest; every one where nothing is said."""

    lanes: Sequence[int] = ()
    jackpots: Sequence[str] = ()
    sites: Sequence[str] = ()
    tables: Sequence[str] = ()
    day: date | None = None
    round: str | None = None

    @property
    def everything(self) -> bool:
        return not (self.lanes or self.jackpots or self.rounds)

    @property
    def rounds(self) -> bool:
        return bool(self.sites or self.tables or self.day or self.round)


def wanted(asked: Wanted) -> list[Lane]:
    """The lanes asked for, by id. Raises Unknown for what is not there, so that nothing is proved of nothing."""
    _check(asked)
    if asked.everything:
        return list(queue.every_lane())
    ids = set(asked.lanes)
    if asked.rounds:
        ids |= set(_rounds(asked).values_list("lane_id", flat=True).distinct())
        if not (asked.tables or asked.day or asked.round or asked.jackpots):
            ids |= queue.lane_ids(sites=asked.sites)
        if not ids:
            raise Unknown("no round is there that fits all of this")
    else:
        ids |= queue.lane_ids(jackpots=asked.jackpots)
    return list(queue.lanes_of(ids=ids))


def _rounds(asked: Wanted) -> QuerySet[Round]:
    rounds = Round.objects.all()
    if asked.sites:
        rounds = rounds.filter(site__code__in=asked.sites)
    if asked.tables:
        rounds = rounds.filter(table__code__in=asked.tables)
    if asked.day:
        rounds = rounds.filter(gaming_day=asked.day)
    if asked.round:
        rounds = rounds.filter(_round_named(asked.round))
    if asked.jackpots:
        rounds = rounds.filter(lane__jackpot__code__in=asked.jackpots)
    return rounds


def _round_named(name: str) -> Q:
    """A round by its game number or its id."""
    try:
        return Q(pk=UUID(name))
    except ValueError:
        return Q(game_number=name)


def _check(asked: Wanted) -> None:
    missing = queue.not_there(lanes=asked.lanes, jackpots=asked.jackpots, sites=asked.sites)
    there = set(Table.objects.filter(code__in=asked.tables).values_list("code", flat=True))
    missing += [f"there is no table {code!r}" for code in asked.tables if code not in there]
    if asked.round and not Round.objects.filter(_round_named(asked.round)).exists():
        missing.append(f"there is no round {asked.round!r}")
    if missing:
        raise Unknown("\n".join(missing))
