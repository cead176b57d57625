"""Replaying decided changes: what each must have posted, worked out again from what was asked and who decided.

Taken as told are request and decision; that two people stand behind them, PostgreSQL saw to.
"""

from collections.abc import Callable, Mapping
from uuid import UUID

from jackpot.domain.callers import actor_of
from jackpot.domain.change_requests import OF_TABLES, ChangeKind, Decision
from jackpot.domain.postings import Entry, EntryKind
from jackpot.models.change_requests import ChangeDecision
from jackpot.models.jackpots import Jackpot
from jackpot.selectors import journal, pot_changes
from jackpot.selectors.journal import Stored
from jackpot.services.changes import adjustments, change_requests, openings, policies, retiring, transfers
from jackpot.services.changes.change_requests import BESIDE
from jackpot.services.levels import Loaded

Perform = Callable[[Loaded | None, ChangeDecision, Entry], list[Entry]]
"""Works an approved change out again on the replay's books: all its entries, the given one (without legs yet) first."""


def _of_pots(replay: Callable[[Loaded, ChangeDecision, Entry], list[Entry]]) -> Perform:
    """A kind that changes pots: in a lane without any it comes to nothing."""
    return lambda loaded, decided, entry: replay(loaded, decided, entry) if loaded else []


PERFORM: Mapping[ChangeKind, Perform] = {
    ChangeKind.POLICY: policies.perform,
    ChangeKind.ADJUSTMENT: _of_pots(adjustments.replay),
    ChangeKind.TRANSFER: _of_pots(transfers.replay),
    ChangeKind.RETIREMENT: _of_pots(retiring.replay),
    ChangeKind.OPENING: openings.replay,
    **dict.fromkeys(OF_TABLES, lambda loaded, decided, entry: [entry]),
}
"""How each kind is replayed."""

KINDS = frozenset({EntryKind.DECLINED, *(EntryKind(kind.value) for kind in ChangeKind)})
"""Entries that carry out, or record, a decided change."""


def perform(loaded: Loaded | None, stored: Stored) -> list[Entry]:
    """The entries that must follow from the change a stored entry names; none where there is no such change.

    Of two jackpots' change each lane has an entry: the giving one's seals the decision, the other's stands beside it.
    """
    ref = stored.entry.source_ref
    decided = _decided(ref.removesuffix(BESIDE))
    if decided is None:
        return []
    entry = _entry_of(decided, beside=ref.endswith(BESIDE))
    approved = decided.decision == Decision.APPROVED
    return PERFORM[ChangeKind(decided.request.kind)](loaded, decided, entry) if approved else [entry]


def sealed_by(stored: Stored) -> Entry | None:
    """The entry that carries out the approved change a stored entry names, without legs yet; None without one."""
    decided = _decided(stored.entry.source_ref)
    return None if decided is None or decided.decision != Decision.APPROVED else _entry_of(decided)


def _entry_of(decided: ChangeDecision, *, beside: bool = False) -> Entry:
    request = decided.request
    kind = EntryKind(request.kind) if decided.decision == Decision.APPROVED else EntryKind.DECLINED
    actor = actor_of(user_id=decided.by_id, key_id=None)
    if beside:
        return change_requests.entry_beside(request, kind, actor=actor, at=decided.at)
    entry = change_requests.entry_of(request, kind, actor=actor, at=decided.at)
    entry.facts = change_requests.record_of(request, decided)
    return entry


def missing(jackpot: Jackpot) -> list[str]:
    """The references of entries that decided changes must have in a jackpot's lane, and have not."""
    own = [f"change:{pk}" for pk in pot_changes.decided(jackpot)]
    refs = [*own, *(f"change:{pk}{BESIDE}" for pk in pot_changes.came_in(jackpot))]
    return sorted(set(refs) - journal.posted(refs))


def _decided(source_ref: str) -> ChangeDecision | None:
    _, _, ref = source_ref.partition(":")
    try:
        request_id = UUID(ref)
    except ValueError:
        return None
    return ChangeDecision.objects.filter(request=request_id).select_related("request__jackpot", "entry").first()
