"""The console's home: what waits for somebody, and what keeps the service going. A tile leads to what makes it up."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import AnonymousUser, User
from django.urls import NoReverseMatch, reverse
from django.utils.http import urlencode

from jackpot.admin.base import age, grouped
from jackpot.selectors import attention
from tables.selectors import attention as rounds
from tables.selectors.attention import Standing

QUEUE_IS_OLD = timedelta(seconds=60)
"""A worker takes what comes within seconds; behind a day's import it may take this long."""
_GOOD, _WARN, _WRONG = "good", "warn", "wrong"


@dataclass(frozen=True, slots=True)
class Tile:
    """A figure: what of, how much, since when, how it is judged, and where it is proved."""

    label: str
    value: str
    note: str = ""
    tone: str = ""
    address: str | None = None


def list_of(model: str, **filters: str) -> str | None:
    """The address of the console's list of a model ("jackpot.award"), filtered; None where it has none."""
    try:
        address = reverse(f"admin:{model.replace('.', '_')}_changelist")
    except NoReverseMatch:
        return None
    return f"{address}?{urlencode(filters)}" if filters else address


def running(signs: Mapping[str, bool], now: datetime) -> tuple[list[Tile], list[str]]:
    """What keeps the service going, and what must be said loudly of it."""
    waiting = attention.queue()
    since = rounds.arrived_at(waiting.first)
    old = since is not None and now - since > QUEUE_IS_OLD
    wrong = [said for name, said in _NOT_SEEN.items() if not signs[name]]
    if old and since is not None:
        wrong.append(
            f"{waiting.number} entries wait in the queue, the first for {age(since, now)}:"
            " meters, awards and figures below do not have them yet."
        )
    tiles = [
        Tile(label, "seen" if signs[name] else "not seen", note, _GOOD if signs[name] else _WRONG)
        for name, (label, note) in _PROCESSES.items()
    ]
    tiles.append(Tile("Webhook sender", "seen" if signs["webhooks"] else "not seen", "tells integrators",
                      _GOOD if signs["webhooks"] else _WARN, list_of("jackpot.endpoint")))  # fmt: skip
    note = f"the first for {age(since, now)}" if since else "nothing waits to be settled"
    tiles.append(Tile("Queue", str(waiting.number), note, _WRONG if old else _GOOD,
                      list_of("tables.round", phase="complete")))  # fmt: skip
    return tiles, wrong


_PROCESSES = {
    "worker": ("Worker", "settles rounds"),
    "clock": ("Sweep", "finds what a message missed"),
    "broker": ("Broker", "wakes the worker"),
}
_NOT_SEEN = {
    "worker": "No worker is seen: rounds are received and wait, nothing is settled.",
    "clock": "The clock of the sweep is not seen: what a lost message left behind waits until it runs again.",
    "broker": "The broker does not answer: workers are not woken.",
}


def waiting(user: User | AnonymousUser, now: datetime) -> list[Tile]:
    """What waits for somebody, of what this person may see."""
    tiles: list[Tile] = []
    if user.has_perm("jackpot.view_award"):
        tiles += _awards(now)
    if user.has_perm("jackpot.view_changerequest"):
        tiles += _changes(now)
    if user.has_perm("tables.view_round"):
        tiles += _rounds(now)
    if user.has_perm("jackpot.view_gamingday"):
        tiles += _days(now)
    return tiles


def _awards(now: datetime) -> Iterator[Tile]:
    found = attention.awards_open()
    for kind, state, label, tone in _AWARDS:
        rows = [row for row in found if (row.kind, row.state) == (kind, state)]
        owed = " and ".join(grouped(row.amount, row.currency) for row in rows)
        note = f"{owed}, the oldest {age(min(row.since for row in rows), now)}" if rows else "none"
        address = list_of("jackpot.award", kind__exact=kind, state__exact=state)
        yield Tile(label, str(sum(row.number for row in rows)), note, tone if rows else "", address)


_AWARDS = (
    ("hit", "pending", "Hits to approve", _WARN),
    ("hit", "disputed", "Disputed hits", _WRONG),
    ("hit", "approved", "Hits to pay", _WARN),
    ("envy", "approved", "Envy to pay", _WARN),
)


def _changes(now: datetime) -> Iterator[Tile]:
    found = attention.changes_undecided()
    kinds = ", ".join(f"{row.number} {row.kind}" for row in found)
    note = f"{kinds}; the oldest {age(min(row.since for row in found), now)}" if found else "none"
    yield Tile("Changes for a second person", str(sum(row.number for row in found)), note, _WARN if found else "",
               list_of("jackpot.changerequest", state="waiting"))  # fmt: skip


def _rounds(now: datetime) -> Iterator[Tile]:
    found = {row.standing: row for row in rounds.rounds_unsettled()}
    for standing, label, tone, phase in _ROUNDS:
        row = found.get(standing)
        note = f"the oldest {age(row.since, now)}" if row else "none"
        judged = tone if row else ""
        yield Tile(label, str(row.number if row else 0), note, judged, list_of("tables.round", phase=phase))
    voids = rounds.voids_waiting()
    note = f"the oldest {age(voids.since, now)}" if voids.since else "none"
    address = list_of("tables.round", phase="failed")
    yield Tile("Voids for a second person", str(voids.number), note, _WARN if voids.number else "", address)


_ROUNDS = (
    (Standing.WAITING, "Rounds not settled yet", "", "complete"),
    (Standing.FAILED, "Failed rounds", _WRONG, "failed"),
)


def _days(now: datetime) -> Iterator[Tile]:
    over = [day for day in attention.days_open() if day.ends_at <= now]
    sites = sorted({day.site.code for day in over})
    note = f"{', '.join(sites)}; over for {age(min(day.ends_at for day in over), now)}" if over else "none"
    yield Tile("Days to close", str(len(over)), note, _WARN if over else "", reverse("console:days"))
