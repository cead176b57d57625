"""Reading what a sign shows: a jackpot's meters as they stand, and the last hit that still stands."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Sum

from jackpot.domain.awards import State
from jackpot.models.awards import Award
from jackpot.models.jackpots import Jackpot, Level

_GONE = (State.REJECTED, State.WITHDRAWN)


@dataclass(frozen=True, slots=True)
class LevelShown:
    """A level's meter in ledger units, as it stands since `as_of`; None where nothing was ever posted."""

    code: str
    units: int
    as_of: datetime | None


@dataclass(frozen=True, slots=True)
class HitShown:
    """What was taken from a meter by one hand, in ledger units: all parts together where it was split."""

    level: str
    hand: str
    amount: int
    at: datetime


@dataclass(frozen=True, slots=True)
class SignShown:
    """A jackpot, its levels in order, and its last hit that was neither rejected nor withdrawn."""

    jackpot: Jackpot
    levels: tuple[LevelShown, ...]
    hit: HitShown | None


def sign(code: str) -> SignShown | None:
    """What the sign of a code shows; None where the code is no jackpot's. Levels and state are of one instant."""
    found = Level.objects.filter(jackpot__code=code).select_related("jackpot__home_site").order_by("position")
    levels = list(found)
    if not levels:
        return None
    shown = tuple(LevelShown(level.code, level.meter, level.posted_at) for level in levels)
    return SignShown(levels[0].jackpot, shown, _last_hit(levels[0].jackpot_id))


def _last_hit(jackpot_id: int) -> HitShown | None:
    hits = Award.objects.filter(jackpot_id=jackpot_id, kind=Award.Kind.HIT, difference_of=None)
    last = hits.exclude(state__in=_GONE).select_related("level").order_by("-entry_id", "-seq", "position").first()
    if last is None or last.level is None:
        return None
    parts = hits.filter(entry_id=last.entry_id, level=last.level, seq=last.seq, meter_before=last.meter_before)
    amount = parts.exclude(state__in=_GONE).aggregate(sum=Sum("amount"))["sum"]
    return HitShown(last.level.code, last.hand, int(amount), last.hit_at)
