"""Loading the meters a batch works on, under their locks, and storing how they stand after it."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime

from jackpot.domain.accounts import Pot
from jackpot.domain.meter import Meter
from jackpot.domain.policy import LevelTerms
from jackpot.domain.postings import Books
from jackpot.models.jackpots import Jackpot, Level, PolicyVersion
from jackpot.models.lanes import Lane


@dataclass(slots=True)
class Loaded:
    """A lane's jackpot as rows and as the pure books made of them; `versions` are its policies' rows by id.

    `latest_id` is the last approved version of its policy: a level that is reset now is run by its terms.
    """

    jackpot: Jackpot
    rows: dict[str, Level]
    books: Books
    latest_id: int
    versions: dict[int, PolicyVersion]


def load(lane: Lane, policy_ids: Iterable[int], *, lock: bool = True) -> Loaded | None:
    """The levels of the lane's jackpot, locked in order of their ids, and what waits for their next reset; None for a
    lane without a jackpot. Who only looks at what a change would come to takes no locks.
    """
    if lane.jackpot is None:
        return None
    found = Level.objects.filter(jackpot=lane.jackpot).order_by("id")
    if lock:
        found = found.select_for_update(no_key=True, of=("self",))
    rows = {level.code: level for level in sorted(found, key=lambda level: level.position)}
    wanted = set(policy_ids)
    versions = list(PolicyVersion.objects.filter(jackpot=lane.jackpot).select_related("jackpot").order_by("version"))
    latest = versions[-1]
    books = Books(
        code=lane.jackpot.code,
        levels={code: _meter(level) for code, level in rows.items()},
        policies={version.pk: version.read() for version in versions if version.pk in wanted},
    )
    for code, meter in books.levels.items():
        meter.expect(LevelTerms.of(code, latest.terms[code]))
    return Loaded(lane.jackpot, rows, books, latest.pk, {version.pk: version for version in versions})


def terms_of(level: Level) -> LevelTerms:
    """What a level is run by now."""
    return LevelTerms(level.code, level.base, level.increment_ppm, level.reserve_ppm, level.limit)


def _meter(level: Level) -> Meter:
    return Meter(
        terms=terms_of(level),
        balances={Pot.METER: level.meter, Pot.RESERVE: level.reserve, Pot.OVERFLOW: level.overflow},
        seqs={Pot.METER: level.meter_seq, Pot.RESERVE: level.reserve_seq, Pot.OVERFLOW: level.overflow_seq},
        reset_seq=level.reset_seq,
        reset_at=level.reset_at,
        wagered=level.wagered,
        contributed=level.contributed,
        awarded=level.awarded,
        hits=level.hits,
        last_hit_at=level.last_hit_at,
    )


_STORED = (
    "meter", "reserve", "overflow", "meter_seq", "reserve_seq", "overflow_seq", "reset_seq", "reset_at", "last_hit_at",
    "last_day", "posted_at", "wagered", "contributed", "awarded", "hits",
)  # fmt: skip
_TERMS = ("policy", "base", "increment_ppm", "reserve_ppm", "limit")


def store(loaded: Loaded, *, days: dict[str, date], posted_at: datetime) -> None:
    """Write back the levels that changed, with their terms where a reset brought others; `days` is the gaming day of
    each level's last statement row.
    """
    for code, meter in loaded.books.levels.items():
        if not meter.touched:
            continue
        row = loaded.rows[code]
        for pot in Pot:
            setattr(row, pot.value, meter.balances[pot])
            setattr(row, f"{pot}_seq", meter.seqs[pot])
        row.reset_seq, row.reset_at, row.last_hit_at = meter.reset_seq, meter.reset_at, meter.last_hit_at
        row.wagered, row.contributed, row.awarded, row.hits = (
            meter.wagered, meter.contributed, meter.awarded, meter.hits,
        )  # fmt: skip
        row.last_day = days.get(code, row.last_day)
        row.posted_at = posted_at
        brought = meter.terms != terms_of(row)
        if brought:
            row.policy_id = loaded.latest_id
            for name, value in meter.terms.figures.items():
                setattr(row, name, value)
        row.save(update_fields=_STORED + _TERMS if brought else _STORED)
