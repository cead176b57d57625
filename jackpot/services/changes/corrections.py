"""Corrections of settled rounds: asked for by one person, approved by another, posted and sealed at once.

The tables know the facts; they hand over the next version's settlement and what the versions before it staked. Source:
accounting.md, section 6.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any
from uuid import UUID

from jackpot.domain import correction_postings, correction_stakes, events
from jackpot.domain.accounts import Pot
from jackpot.domain.awards import Move, State
from jackpot.domain.callers import Caller
from jackpot.domain.change_requests import REASONS, ChangeKind
from jackpot.domain.correction_postings import Corrected, InForce
from jackpot.domain.events import Event, Happened
from jackpot.domain.meter import Contribution, Kind, Meter
from jackpot.domain.policy import LevelTerms, Policy
from jackpot.domain.postings import Accrued, Entry, Settlement
from jackpot.domain.progressive import Prize
from jackpot.models.awards import AwardMove, CarriedAward
from jackpot.models.change_requests import ChangeRequest
from jackpot.models.jackpots import Jackpot
from jackpot.models.lanes import Lane
from jackpot.models.sites import Site
from jackpot.money import show
from jackpot.selectors import award_moves, corrections, expected, statements
from jackpot.selectors.statements import Contributed
from jackpot.selectors.terms import History
from jackpot.services import award_drafts, levels
from jackpot.services.award_drafts import AwardDraft
from jackpot.services.changes import change_requests
from jackpot.services.changes.change_requests import CarriedOut
from jackpot.services.journal import CarriedDraft, MoveDraft
from jackpot.services.levels import Loaded


@dataclass(frozen=True, slots=True)
class Replacing:
    """The next version of a round, and what came before it: the Progressive stakes that were locked out in each version
    from the first on, and the requests by which the second and later ones came.
    """

    settlement: Settlement
    stakes: tuple[int, ...]
    changes: tuple[UUID, ...]

    @property
    def was(self) -> str:
        """The reference of the settlement in force."""
        return f"round:{self.settlement.source.ref}:v{self.settlement.version - 1}"

    @property
    def first(self) -> str:
        return f"round:{self.settlement.source.ref}:v1"


@dataclass(frozen=True, slots=True)
class Replaced:
    """What a correction came to: prizes by box, what its Envy comes to, the day and time it was posted, and what is to
    be told of new hits, resets and Envy.
    """

    prizes: dict[int, Prize]
    envy: int
    gaming_day: date
    at: datetime
    events: tuple[Event, ...]


Replace = Callable[[ChangeRequest], Replacing]
"""Answers under the lane's lock what is to be posted for an approved request; it may refuse."""


CORRECTION_REASONS = REASONS[ChangeKind.CORRECTION]
"""Why a round may be corrected: a closed list."""


def subject_of(source_ref: object) -> str:
    """What a correction is asked about: a round, by the reference the books know."""
    return f"round:{source_ref}"


def ask_correction(
    *, caller: Caller, site: Site, jackpot: Jackpot | None, source_ref: UUID, reason: str, note: str,
    document: dict[str, Any], before: dict[str, Any], now: datetime,
) -> ChangeRequest:  # fmt: skip
    """Ask for a round's correction: `document` is what the facts should be, `before` what they are, each with the
    `version` in force. Raises Refused as `change_requests.ask` does.
    """
    return change_requests.ask(
        caller=caller, kind=ChangeKind.CORRECTION, site=site, jackpot=jackpot, subject=subject_of(source_ref),
        reason=reason, note=note, document=document, before=before, now=now,
    )  # fmt: skip


def approve_correction(
    *, caller: Caller, request_id: UUID, note: str, now: datetime, replacing: Replace
) -> Replaced:  # fmt: skip
    """Carry an asked correction out, as another person, inside the caller's transaction.

    Raises Refused as `change_requests.approve` does, and what `replacing` refuses; nothing is written then.
    """
    work = _Work(caller, now, replacing)
    decision, days = change_requests.approve(
        caller=caller, request_id=request_id, kind=ChangeKind.CORRECTION, note=note, now=now, carry_out=work.carry_out
    )
    at = decision.entry.posted_at
    made, source = work.made, work.made.settlement.source
    place = days.of(made.entries[0].source)
    owed = sum(made.fates.owed(len(made.outcome.hits) + n, made.items[len(made.outcome.hits) + n])
               for n in range(len(made.outcome.envy)))  # fmt: skip
    told: tuple[Event, ...] = ()
    if work.books is not None:
        jackpot = work.books.jackpot
        happened = Happened(
            source=source, site_id=days.site_of(source), jackpot_id=jackpot.pk, jackpot=jackpot.code,
            currency=jackpot.currency, test=jackpot.home_site.sandbox, at=at,
        )  # fmt: skip
        told = tuple(_events(happened, made, work.drafts))
    return Replaced(made.outcome.prizes, owed, place.day, at, told)


class _Work:
    """One approval: what is posted, and the awards that come of it by their items' places."""

    made: Corrected

    def __init__(self, caller: Caller, now: datetime, replacing: Replace) -> None:
        self.caller, self.now, self.replacing = caller, now, replacing
        self.books: Loaded | None = None
        self.drafts: dict[int, AwardDraft] = {}

    def carry_out(self, request: ChangeRequest, lane: Lane, entry: Entry) -> CarriedOut:
        replacing = self.replacing(request)
        after = replacing.settlement
        self.books = levels.load(lane, () if after.policy_id is None else (after.policy_id,))
        was = in_force(replacing, self.books)
        self.made = correction_postings.correct(entry, after, was, self.books.books if self.books else None)
        self.drafts = award_drafts.draft_opened(after, self.made, self.books) if self.books else {}
        before, became = _described(was, self.made, self.books)
        return CarriedOut(
            entries=self.made.entries,
            before={"version": after.version - 1} | before,
            after={"version": after.version} | became,
            books=self.books,
            awards=list(self.drafts.values()),
            moves=[MoveDraft(move, entry) for move in self._withdrawn()],
            carried=carried_over(self.made),
            table_refs={after.source.table_ref},
        )

    def _withdrawn(self) -> Iterator[AwardMove]:
        cases = {case.ref: case for case in award_moves.cases_of(self.made.fates.withdrawn)}
        for ref in self.made.fates.withdrawn:
            case = cases[ref]
            yield AwardMove(
                award_id=UUID(ref), number=case.moves + 1, move=Move.WITHDRAW, before=case.standing.state,
                state=State.WITHDRAWN, stage=case.standing.stage, approvals=0, user_id=self.caller.user_id, at=self.now,
            )  # fmt: skip


def carried_over(made: Corrected) -> list[CarriedDraft]:
    """What earlier awards stand for in the new version."""
    hits, drafts = made.outcome.hits, []
    for carried in made.fates.carried:
        item = made.items[carried.item]
        row = CarriedAward(
            award_id=UUID(carried.ref),
            position=carried.item + 1,
            amount=carried.amount,
            hand=item.hand,
            from_box=None if item.hit is None else hits[item.hit].claim.box,
            seq=hits[carried.item].seq if item.hit is None else None,
        )
        drafts.append(CarriedDraft(row, made.settlement))
    return drafts


def in_force(replacing: Replacing, loaded: Loaded | None) -> InForce:
    """What stands of the version that is replaced, as it is stored."""
    change = str(replacing.changes[-1]) if replacing.changes else None
    posted = corrections.posted_by(replacing.was, change)
    if loaded is None:
        return InForce(posted, (), (), 0, {}, {})
    policy_id = replacing.settlement.policy_id
    policy = None if policy_id is None else loaded.books.policies[policy_id]
    owed = corrections.owed_by([replacing.was])[replacing.was]
    held = corrections.held_by(replacing.settlement.source.ref)
    gone = {f"{replacing.was}:hit{place}" for place in corrections.gone_back(owed)}
    return InForce(
        posted=[entry for entry in posted if entry.source_ref not in gone],
        returned=correction_postings.returned_of(held, [str(one.award.pk) for one in owed]),
        held=held,
        staked=replacing.stakes[-1],
        accrued=_accrued(replacing, loaded, policy) if policy else {},
        before=_before(replacing, loaded, policy) if policy else {},
    )


def _accrued(replacing: Replacing, loaded: Loaded, policy: Policy) -> Accrued:
    """What the round's stakes have contributed: its lock-out, by the terms of that time, and every change since."""
    came = statements.contributions_of(replacing.settlement.source.ref)
    history = History([loaded.jackpot.pk])
    found = {code: correction_stakes.nothing(level) for code, level in loaded.books.levels.items()}
    for code, one in came.items():
        found[code] = _read_back(one, history.at(loaded.rows[code], one.entry_id))
    for change, was, now in zip(replacing.changes, replacing.stakes, replacing.stakes[1:], strict=False):
        put = corrections.stakes_change(str(change)) if now > was else {}
        for code, at in found.items():
            level = loaded.books.levels[code]
            if now > was:
                rates = correction_stakes.rates_of(level, policy, at)
                more = _read_back(put[code], rates) if code in put else correction_stakes.nothing(level)
                found[code] = correction_stakes.together(replace(at, terms=rates), more)
            elif now < was:
                found[code] = taken_from(level, policy, was, now, at)
    return found


def _read_back(came: Contributed, terms: LevelTerms) -> Contribution:
    meter, overflow, reserve = (came.amounts.get(pot, 0) for pot in (Pot.METER, Pot.OVERFLOW, Pot.RESERVE))
    return Contribution(meter, overflow, reserve, came.meter_seq, [], terms)


def taken_from(level: Meter, policy: Policy, was: int, now: int, accrued: Contribution) -> Contribution:
    """What of a contribution stood after fewer stakes: reckoned on an empty level, whatever could be taken back."""
    empty = Meter(level.terms, dict.fromkeys(Pot, 0), dict.fromkeys(Pot, 0))
    return correction_stakes.stakes_changed(empty, policy, was, now, accrued).accrued


def _before(replacing: Replacing, loaded: Loaded, policy: Policy) -> dict[str, Meter]:
    """The levels as they stood just before the first version was settled, on the terms that the round was played on."""
    entry = corrections.settlement_id(replacing.first)
    pots = expected.pots_before([entry])[entry]
    terms = {terms.code: terms for terms in policy.levels}
    return {
        code: Meter(
            terms.get(code, loaded.books.levels[code].terms),
            {pot: pots.get((row.pk, pot), 0) for pot in Pot},
            dict.fromkeys(Pot, 0),
        )
        for code, row in loaded.rows.items()
    }


def _described(was: InForce, made: Corrected, loaded: Loaded | None) -> tuple[dict[str, Any], dict[str, Any]]:
    """What became of the awards, as people read it."""
    if loaded is None:
        return {}, {}
    currency = loaded.jackpot.currency
    fates = made.fates
    became = {carried.ref: "carried over" for carried in fates.carried} | dict.fromkeys(fates.withdrawn, "withdrawn")
    awards = [
        {"award": held.ref, "box": held.box, "player": held.player, "hand": held.hand,
         "amount": show(held.amount, currency), "state": held.state.value}
        for held in was.held
    ]  # fmt: skip
    now = [
        {"award": held.ref, "became": became.get(held.ref, "stays"),
         "mispaid": show(fates.mispaid.get(held.ref, 0), currency)}
        for held in was.held
    ]  # fmt: skip
    opened = [
        {"box": made.items[one.item].box, "player": made.items[one.item].player, "hand": made.items[one.item].hand,
         "amount": show(one.amount, currency), "difference_of": one.difference_of}
        for one in fates.opened
    ]  # fmt: skip
    return {"awards": awards}, {"awards": now, "opened": opened}


def _events(happened: Happened, made: Corrected, drafts: dict[int, AwardDraft]) -> Iterator[Event]:
    """New hits with the resets they caused, and new Envy; what carries over was told of before."""
    hits = made.outcome.hits
    told = {opened.item for opened in made.fates.opened if opened.difference_of is None}
    resets = {n: funding.rows for n, kind, funding in made.outcome.fundings if kind is Kind.RESET}
    for n, hit in enumerate(hits):
        if n in told:
            yield events.hit(happened, drafts[n].id, hit, drafts[n].state)
            if n in resets and (reset := events.reset(happened, drafts[n].id, hit, resets[n])):
                yield reset
    for n, envy in enumerate(made.outcome.envy, start=len(hits)):
        if n in told:
            hit_id: UUID = drafts[n].values["hit_id"]
            yield events.envy(happened, drafts[n].id, envy, hit_id, hits[envy.hit], drafts[n].state)
