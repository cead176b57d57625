"""Replaying what was done to awards: each move made again from who made which when, and what it must have posted.

Kept in memory are the awards that are not paid, rejected or withdrawn yet, however many rounds a lane has.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from jackpot.domain import accounts, award_postings
from jackpot.domain.audit import Findings
from jackpot.domain.award_postings import Call, Case, Moved, Setting
from jackpot.domain.awards import MOVES, Move, Standing, State
from jackpot.domain.callers import actor_of
from jackpot.domain.correction_awards import Carried, Held
from jackpot.domain.meter import Funded
from jackpot.domain.postings import Entry
from jackpot.domain.progressive import Outcome
from jackpot.selectors import places
from jackpot.selectors.journal import Stored
from jackpot.services.award_drafts import AwardDraft
from jackpot.services.levels import Loaded

Moves = dict[str, dict[str, Any]]
"""Moves by award and number, with everything that is stored of them."""

_BY = ("user_id", "key_id", "at", "note")


@dataclass(slots=True)
class _Share:
    """What a hit took from a meter: its parts that still stand, and what its reset or restore put in."""

    funded: Funded
    standing: set[UUID] = field(default_factory=set)


@dataclass(slots=True)
class _Award:
    """An award the replay came to; `state` is what is stored of it, to be held against how it stands at the end.

    `values` are what it froze, `position` its place in its entry.
    """

    case: Case
    approvals: int
    entered_by: set[str]
    state: str
    share: _Share | None
    hit: UUID | None
    values: dict[str, Any]
    position: int


class Awards:
    """The awards of a lane's jackpot, as a replay of its entries comes to them."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._open: dict[UUID, _Award] = {}
        self._kept: dict[str, dict[UUID, _Award]] = {}

    def owe(
        self,
        loaded: Loaded,
        drafts: Sequence[AwardDraft],
        outcome: Outcome,
        stored: Stored,
        carried: Sequence[Carried] = (),
        *,
        keep: bool = False,
    ) -> dict[int, str]:
        """Take up the awards of a settlement, under the ids they are stored with; these by their items' places.

        `carried` are awards of earlier versions that stand in this one. `keep` them all, for a correction to come.
        """
        funded = {n: Funded.by((row.pot, row.amount) for row in put.rows) for n, _, put in outcome.fundings}
        levels = {row.pk: code for code, row in loaded.rows.items()}
        places = positions(drafts)
        ids = {draft.id: stored.awards[places[draft.id]]["id"] for draft in drafts if places[draft.id] in stored.awards}
        shares: dict[object, _Share] = {}

        def share_at(n: int) -> _Share:
            hit = outcome.hits[n]
            share = shares.setdefault((hit.line.level, hit.seq, hit.line.hand), _Share(Funded()))
            share.funded = funded.get(n, share.funded)
            return share

        for one in carried:
            if one.item < len(outcome.hits):
                share = share_at(one.item)
                share.standing.add(UUID(one.ref))
                if UUID(one.ref) in self._open:
                    self._open[UUID(one.ref)].share = share
                    self._open[UUID(one.ref)].entered_by.add(stored.entry.actor)
        for draft in drafts:
            if draft.id not in ids:
                continue
            values, award_id, n = draft.values, ids[draft.id], places[draft.id] - 1
            part = share_at(n) if values["kind"] == "hit" else None
            if part is not None:
                part.standing.add(award_id)
            case = Case(
                ref=str(award_id),
                table_ref=values["table_ref"],
                integrator_id=draft.entry.source.integrator_id,
                amount=values["amount"],
                level=levels[values["level_id"]] if part else None,
                standing=Standing(State(values["state"])),
            )
            award = _Award(
                case=case,
                approvals=loaded.books.policies[values["policy_id"]].approvals,
                entered_by={draft.entry.actor},
                state=stored.awards[n + 1]["state"],
                share=part,
                hit=None if part else ids.get(values["hit_id"], values["hit_id"]),
                values=values,
                position=n + 1,
            )
            if keep:
                self._kept.setdefault(draft.entry.source.ref, {})[award_id] = award
            self._keep(award_id, award)
        return {places[draft.id] - 1: str(ids[draft.id]) for draft in drafts if draft.id in ids}

    def held_by(self, ref: str) -> list[Held]:
        """All awards of a round whose awards were kept, as they stand by now."""
        return [
            Held(
                ref=str(award_id),
                box=award.values["box"],
                player=award.values["player"],
                hand=award.values["hand"],
                amount=award.case.amount,
                level=award.case.level,
                state=award.case.standing.state,
                hit=str(award.hit) if award.hit else None,
                difference_of=str(award.values["difference_of_id"]) if award.values.get("difference_of_id") else None,
            )
            for award_id, award in self._kept.get(ref, {}).items()
        ]

    def withdraw(self, refs: Sequence[str], told: Sequence[Mapping[str, Any]]) -> Moves:
        """Withdraw these awards, as a correction does; by whom and when is taken as told."""
        by_award = {str(move["award_id"]): move for move in told}
        moves: Moves = {}
        for ref in refs:
            award = self._open[UUID(ref)]
            was, number = award.case.standing, award.case.moves + 1
            moves[_place(ref, number)] = {
                "move": Move.WITHDRAW.value, "before": was.state.value, "state": State.WITHDRAWN.value,
                "stage": was.stage, "approvals": 0, **{name: by_award.get(ref, {}).get(name) for name in _BY},
            }  # fmt: skip
            self._open.pop(UUID(ref))
            award.case = replace(award.case, standing=Standing(State.WITHDRAWN, was.stage + 1), moves=number)
            self._keep(UUID(ref), award)
        return moves

    def position_of(self, ref: str, award_id: UUID) -> int | None:
        """The place of a kept award in the entry that owes it."""
        award = self._kept.get(ref, {}).get(award_id)
        return award.position if award else None

    def perform(self, loaded: Loaded, stored: Stored) -> list[tuple[Entry, Moves]]:
        """Make the move again that an entry seals: the entries that must follow, each with its moves.

        Nothing where the entry seals no move. Raises KeyError for an award that is not owed, Refused for a move that
        was not allowed.
        """
        if not stored.moves:
            return []
        told = stored.moves[0]
        award_id: UUID = told["award_id"]
        award = self._open[award_id]
        envy = [other for other in self._open.values() if other.hit == award_id]
        call = Call(Move(told["move"]), actor_of(user_id=told["user_id"], key_id=told["key_id"]), told["at"])
        setting = _setting(loaded, award, award_id, call.move)
        moved = award_postings.move(call, award.case, [other.case for other in envy], setting)
        entries: dict[int, tuple[Entry, Moves]] = {}
        for one in moved:
            _, moves = entries.setdefault(id(one.entry), (one.entry, {}))
            moves[_place(one.case.ref, one.case.moves + 1)] = _row(one) | {name: told[name] for name in _BY}
            self._stands(one)
        return list(entries.values())

    def finish(self) -> None:
        """Hold what is still open against what is stored."""
        for award in self._open.values():
            self._compare(award)

    def _stands(self, moved: Moved) -> None:
        award_id = UUID(moved.case.ref)
        award = self._open.pop(award_id)
        award.case = replace(moved.case, standing=moved.taken.after, moves=moved.case.moves + 1)
        if award.share and moved.taken.after.state is State.REJECTED:
            award.share.standing.discard(award_id)
        self._keep(award_id, award)

    def _keep(self, award_id: UUID, award: _Award) -> None:
        if MOVES[award.case.standing.state]:
            self._open[award_id] = award
        else:
            self._compare(award)

    def _compare(self, award: _Award) -> None:
        expected = award.case.standing.state.value
        if award.state != expected:
            self._findings.add("award state", f"award {award.case.ref}", expected=expected, stored=award.state)


def positions(drafts: Sequence[AwardDraft]) -> dict[UUID, int]:
    """The places of awards in their entry: as they say, or in their order."""
    return {draft.id: draft.values.get("position", n) for n, draft in enumerate(drafts, start=1)}


def stored_moves(stored: Stored) -> Moves:
    """The moves an entry seals, as they are stored."""
    return {_place(move["award_id"], move["number"]): move for move in stored.moves}


def _place(ref: object, number: int) -> str:
    return f"award {ref}, {number}"


def _setting(loaded: Loaded, award: _Award, award_id: UUID, move: Move) -> Setting:
    last = award.share is not None and award.share.standing == {award_id}
    return Setting(
        books=loaded.books,
        approvals=award.approvals,
        entered_by=award.entered_by,
        cage=accounts.cage_of(places.site_of(award.case.table_ref)) if move is Move.PAY else "",
        funded=award.share.funded if award.share and last else Funded(),
    )


def _row(moved: Moved) -> dict[str, Any]:
    taken = moved.taken
    return {
        "move": taken.move.value,
        "before": taken.before.state.value,
        "state": taken.after.state.value,
        "stage": taken.before.stage,
        "approvals": taken.approvals,
    }
