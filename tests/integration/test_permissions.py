"""Services hold the permission against whoever calls: without it they refuse, and nothing is written."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User

from jackpot.domain.awards import Move
from jackpot.domain.callers import STAFF_SCOPES, Caller
from jackpot.domain.errors import Refused
from jackpot.models.awards import Award
from jackpot.services import award_moves
from jackpot.services.changes import jackpot_states
from tables.domain.facts import VoidReason
from tables.models.voids import WaitingVoid
from tables.services import void_decisions
from tests.admin.writes import stored, written
from tests.factories import NOW, caller, jackpot_with, low, person, play, receive, reported, royal
from tests.owner import as_owner

pytestmark = pytest.mark.django_db
Act = Callable[[Caller], object]


def somebody(*permissions: str, **made: Any) -> Caller:
    user = User.objects.create_user("dee", **({"is_staff": True} | made))
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    return Caller(STAFF_SCOPES, user_id=user.pk)


def _suspend() -> Act:
    link = jackpot_with()
    return lambda by: jackpot_states.suspend_jackpot(caller=by, jackpot_id=link.pk, now=NOW)


def _resume() -> Act:
    link = jackpot_with()
    jackpot_states.suspend_jackpot(caller=person("ann"), jackpot_id=link.pk, now=NOW)
    return lambda by: jackpot_states.resume_jackpot(caller=by, jackpot_id=link.pk, now=NOW)


def _void(decide: Callable[..., object], **more: str) -> Callable[[], Act]:
    def ready() -> Act:
        jackpot_with()
        void = VoidReason.CARD_EXPOSED_HOLE
        (round_id,) = receive(reported(royal(1), low(2), table="T-01", void=void), by=caller())
        if decide is void_decisions.take_up:
            with as_owner(past_guards=True):
                WaitingVoid.objects.all().delete()
        assert WaitingVoid.objects.exists() != (decide is void_decisions.take_up)
        return lambda by: decide(caller=by, round_id=round_id, now=NOW, **more)

    return ready


def _move(move: Move) -> Callable[[], Act]:
    def ready() -> Act:
        jackpot_with(approvals=1)
        play(reported(royal(1), low(2), table="T-01"), by=caller())
        hit = Award.objects.get(kind="hit").pk
        if move in (Move.UPHOLD, Move.REJECT):
            award_moves.move(caller=person("ann"), award_id=hit, move=Move.DISPUTE, note="x", now=NOW)
        if move is Move.PAY:
            award_moves.move(caller=person("ann"), award_id=hit, move=Move.APPROVE, note="x", now=NOW)
        return lambda by: award_moves.move(caller=by, award_id=hit, move=move, note="x", now=NOW)

    return ready


ACTS: dict[str, tuple[str, Callable[[], Act]]] = {
    "suspend": ("suspend_jackpot", _suspend),
    "resume": ("suspend_jackpot", _resume),
    "confirm": ("decide_void", _void(void_decisions.confirm, note="")),
    "decline": ("decide_void", _void(void_decisions.decline, note="")),
    "take up": ("decide_void", _void(void_decisions.take_up)),
    **{move.value: (f"{move}_award", _move(move)) for move in Move if move is not Move.WITHDRAW},
}


@pytest.mark.parametrize("name", ACTS)
def test_without_the_permission_it_is_forbidden_and_nothing_is_written(name: str) -> None:
    permission, ready = ACTS[name]
    act = ready()
    others = set(Permission.objects.values_list("codename", flat=True)) - {permission}
    by = somebody(*others)
    before = stored()
    with pytest.raises(Refused) as refused:
        act(by)
    assert refused.value.code == "forbidden" and permission in str(refused.value)
    assert written(before, stored()) == []
    User.objects.get(pk=by.user_id or 0).user_permissions.add(Permission.objects.get(codename=permission))
    act(by)
    assert written(before, stored()) != ["auth_user_user_permissions"]


@pytest.mark.parametrize("made", [{"is_active": False}, {"is_staff": False}])
@pytest.mark.parametrize("name", ["suspend", "confirm", "approve"])
def test_who_is_not_of_the_staff_any_more_may_nothing(name: str, made: dict[str, bool]) -> None:
    permission, ready = ACTS[name]
    act, by = ready(), somebody(permission, **made)
    before = stored()
    with pytest.raises(Refused) as refused:
        act(by)
    assert refused.value.code == "forbidden"
    assert written(before, stored()) == []


@pytest.mark.parametrize("name", ["suspend", "resume", "confirm", "decline", "take up"])
def test_a_key_does_not_decide(name: str) -> None:
    act = ACTS[name][1]()
    key = caller()
    before = stored()
    with pytest.raises(Refused) as refused:
        act(key)
    assert refused.value.code == "person_required"
    assert written(before, stored()) == []
