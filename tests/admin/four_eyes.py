"""Every move that takes two people, with one who has done the first half and tries the second himself.

A row needs a name, what the one does first (`first`, answering with the record the move is about), the move by its
service, and where there is one its step in the console (`step`, as in "jackpot_award:approve", with what its form
takes) and its call of the API. `test_four_eyes.py` tries each way with the one, and then by service with another.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.utils import timezone

from jackpot.domain.accounts import Pot
from jackpot.domain.awards import Move as AwardsMove
from jackpot.domain.callers import Caller
from jackpot.models.awards import Award
from jackpot.models.jackpots import Level
from jackpot.models.readings import Reading
from jackpot.services import award_moves
from jackpot.services.changes import adjustments, change_requests, jackpot_states, openings, policies, transfers
from jackpot.services.changes.retiring import ask_retirement
from jackpot.services.readings import enter_reading, sign_reading
from tables.domain.facts import VoidReason
from tables.models.rounds import Round
from tables.models.tables import Table
from tables.services import (
    betting,
    corrections,
    dealing,
    retiring,
    rounds,
    rule_sets,
    table_setups,
    void_decisions,
    voiding,
)
from tests.factories import NOW, ask_policy, caller, jackpot_with, low, person, play, reported, royal
from tests.factories.corrections import approve_correction, ask_correction
from tests.factories.set_up import ask_jackpot, ask_rules, ask_table
from tests.unit.builders import cards, usd

ONE, OTHER = "ann", "ben"
LATER = NOW + timedelta(hours=2)
SECOND = low(2, pair="8c 9h")


@dataclass(frozen=True, kw_only=True)
class FourEyes:
    """A move that one person may not make alone."""

    name: str
    first: Callable[[], Any]
    service: Callable[[Caller, Any], object]
    step: str = ""
    form: Mapping[str, str] = field(default_factory=lambda: {"note": "mine"})
    api: Callable[[Any], tuple[str, dict[str, str]]] | None = None

    def __str__(self) -> str:
        return self.name


def _hit() -> Award:
    """A hit that two people must decide on."""
    jackpot_with(approvals=2)
    play(reported(royal(1), low(2), table="T-01"), by=caller())
    return Award.objects.get(kind="hit")


def _moved(*moves: AwardsMove) -> Callable[[], UUID]:
    def first() -> UUID:
        hit = _hit()
        for move in moves:
            _move(move)(person(ONE), hit.pk)
        return hit.pk

    return first


def _move(move: AwardsMove) -> Callable[[Caller, Any], object]:
    return lambda by, pk: award_moves.move(caller=by, award_id=pk, move=move, note="seen", now=NOW)


def _call(move: AwardsMove, **body: str) -> Callable[[Any], tuple[str, dict[str, str]]]:
    return lambda pk: (f"/api/v1/awards/{pk}/{move}/", body)


def _hit_of_a_correction(*, asked: str, approved: str) -> Callable[[], UUID]:
    """A hit that is there since the one asked for a correction of its round."""

    def first() -> UUID:
        jackpot_with(approvals=1)
        (round_id,) = play(reported(low(1), SECOND, table="T-01"), by=caller())
        facts = reported(royal(1), SECOND, table="T-01")
        approve_correction(ask_correction(round_id, facts, by=person(asked)), by=person(approved))
        return Award.objects.get(kind="hit").pk

    return first


def _policy() -> UUID:
    return ask_policy(jackpot_with(), by=ONE, base="500.00")


def _adjustment() -> UUID:
    level = Level.objects.select_related("jackpot").get(jackpot=jackpot_with())
    return adjustments.ask_adjustment(
        caller=person(ONE), level=level, pot=Pot.METER, amount="1.00", reason="meter_fault", note="", now=NOW
    ).pk


def _transfer() -> UUID:
    jackpot_with()
    return transfers.ask_transfer(
        caller=person(ONE), source="meter:LINK:main", target="reserve:LINK:main", amount="1.00", reason="split",
        note="", now=NOW,
    ).pk  # fmt: skip


def _retirement() -> UUID:
    old = jackpot_with()
    jackpot_with(code="HEIR", site=old.home_site, tables=())
    jackpot_states.suspend_jackpot(caller=person(OTHER), jackpot_id=old.pk, now=NOW)
    return ask_retirement(
        caller=person(ONE), jackpot="LINK", to="HEIR", levels={"main": "main"}, reason="replaced", note="", now=NOW
    ).pk


def _correction() -> UUID:
    jackpot_with()
    (round_id,) = play(reported(low(1), SECOND, table="T-01"), by=caller())
    return ask_correction(round_id, reported(low(1, ante="10.00"), SECOND, table="T-01"), by=person(ONE))


def _opening() -> UUID:
    return ask_jackpot(site=jackpot_with().home_site)


def _table() -> UUID:
    link = jackpot_with()
    return ask_table(site=link.home_site, link=link)


def _rule_set() -> UUID:
    jackpot_with()
    return ask_rules(Table.objects.get().rule_set, betting_seconds=25)


def _void(ask: Callable[[Caller, UUID], object]) -> Callable[[], UUID]:
    """A round on the flop with a royal in box 1, whose void the one asks for."""

    def first() -> UUID:
        jackpot_with(approvals=1)
        me = caller()
        round_id = rounds.open_round(caller=me, table_code="T-01", external_id=None, now=NOW).round_id
        betting.place(caller=me, round_id=round_id, boxes=[royal(1), low(2)], now=NOW)
        dealing.lock(caller=me, round_id=round_id, now=NOW)
        pairs = {1: cards("As Ks"), 2: cards("2c 7d")}
        dealing.deal(caller=me, round_id=round_id, cards=pairs, player_cards=None, now=NOW)
        dealing.flop(caller=me, round_id=round_id, cards=cards("Qs Js Ts"), now=NOW)
        ask(person(ONE), round_id)
        assert Round.objects.get(pk=round_id).phase == "failed"
        return round_id

    return first


def _void_box(by: Caller, round_id: UUID) -> object:
    return voiding.void_box(caller=by, round_id=round_id, box=1, reason=VoidReason.CARD_EXPOSED_HOLE, note="", now=NOW)


def _off() -> int:
    """A reading far off, which the one has signed."""
    level = Level.objects.select_related("jackpot").get(jackpot=jackpot_with())
    now, by = timezone.now(), User.objects.get(pk=person(ONE).user_id or 0)
    reading, _ = enter_reading(level=level, shown=usd("1.00"), read_at=now, by=by, now=now)
    sign_reading(reading_id=reading.pk, by=by, now=now)
    assert Reading.objects.get() == reading
    return reading.pk


def _sign(by: Caller, pk: int) -> object:
    return sign_reading(reading_id=pk, by=User.objects.get(pk=by.user_id or 0), now=timezone.now())


def _decided(kind: str, first: Callable[[], UUID], approve: Callable[..., object]) -> list[FourEyes]:
    """A change approved, and refused, by who asked for it."""
    return [
        FourEyes(
            name=f"{kind}: approved by who asked", first=first, step="jackpot_changerequest:approve",
            service=lambda by, pk: approve(caller=by, request_id=pk, note="", now=LATER),
        ),
        FourEyes(
            name=f"{kind}: refused by who asked", first=first, step="jackpot_changerequest:refuse",
            service=lambda by, pk: change_requests.refuse_change(caller=by, request_id=pk, note="no", now=LATER),
        ),
    ]  # fmt: skip


_M = AwardsMove
MOVES: list[FourEyes] = [
    FourEyes(name="award approved twice", first=_moved(_M.APPROVE), service=_move(_M.APPROVE),
             step="jackpot_award:approve", api=_call(_M.APPROVE)),
    FourEyes(name="award upheld twice", first=_moved(_M.DISPUTE, _M.UPHOLD), service=_move(_M.UPHOLD),
             step="jackpot_award:uphold", api=_call(_M.UPHOLD, note="again")),
    FourEyes(name="award rejected twice", first=_moved(_M.DISPUTE, _M.REJECT), service=_move(_M.REJECT),
             step="jackpot_award:reject", api=_call(_M.REJECT, reason="again")),
    FourEyes(name="award approved by who asked for the correction it comes from",
             first=_hit_of_a_correction(asked=ONE, approved="cat"), service=_move(_M.APPROVE),
             step="jackpot_award:approve", api=_call(_M.APPROVE)),
    *_decided("policy", _policy, policies.approve_policy),
    *_decided("adjustment", _adjustment, adjustments.approve_adjustment),
    *_decided("transfer", _transfer, transfers.approve_transfer),
    *_decided("retirement", _retirement, retiring.approve_retirement),
    *_decided("correction", _correction, corrections.approve),
    *_decided("opening", _opening, openings.approve_opening),
    *_decided("table", _table, table_setups.approve_table),
    *_decided("rule_set", _rule_set, rule_sets.approve_version),
    FourEyes(name="void confirmed by who asked", first=_void(_void_box), step="tables_round:confirm",
             service=lambda by, pk: void_decisions.confirm(caller=by, round_id=pk, note="", now=NOW)),
    FourEyes(name="void declined by who asked", first=_void(_void_box), step="tables_round:decline",
             service=lambda by, pk: void_decisions.decline(caller=by, round_id=pk, note="", now=NOW)),
    FourEyes(name="reading signed twice", first=_off, service=_sign, step="jackpot_reading:sign"),
]  # fmt: skip

ALONE: dict[str, str] = {
    "jackpot_site:jackpot": "asks; another decides",
    "jackpot_site:table": "asks; another decides",
    "tables_rulesetversion:next": "asks; another decides",
    "tables_table:setup": "asks; another decides",
    "tables_table:suspend": "no money moves; what was staked before is settled",
    "tables_table:resume": "no money moves",
    "jackpot_award:dispute": "stops a payment; two others decide what comes of it",
    "jackpot_award:pay": "two people decided before; what is paid is counted against the cage",
    "jackpot_changerequest:withdraw": "nothing is changed, and only who asked withdraws",
    "jackpot_jackpot:adjust": "asks; another decides",
    "jackpot_jackpot:transfer": "asks; another decides",
    "jackpot_jackpot:retire": "asks; another decides",
    "jackpot_jackpot:policy": "asks; another decides",
    "jackpot_jackpot:suspend": "no money moves; what was staked before is settled",
    "jackpot_jackpot:resume": "no money moves",
    "jackpot_jackpot:reading": "writes down what was seen; two people sign where it is off",
    "tables_round:correct": "asks; another decides",
    "tables_round:void": "asks; another decides",
    "tables_round:take-up": "asks; another decides",
    "tables_round:retry": "the facts stay as they were sent; a worker settles them",
    "auth_user:role": "nobody changes his own; the log shows it to the auditor",
    "auth_user:rename": "no power follows from it",
    "auth_user:password": "opens nothing without the app, which who did this can't reset as well",
    "auth_user:second-factor": "opens nothing without the password, which who did this can't reset as well",
    "auth_user:let-in": "forgets failures, and gives no power",
    "auth_user:shut": "takes power away",
    "auth_user:open": "gives back what somebody had, and nobody opens his own",
}
"""Steps that one person takes alone, each with its reason."""
