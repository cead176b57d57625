"""Voids that wait for a second person: confirmed they stand, declined the round goes on as it was."""

from collections.abc import Callable
from uuid import UUID

import pytest

from jackpot.domain.callers import Caller
from jackpot.domain.errors import Refused
from jackpot.models.jackpots import Jackpot
from jackpot.models.sites import GamingDay
from jackpot.reports import Asked
from tables.domain.facts import VoidReason
from tables.models.rounds import Box, Round
from tables.models.voids import VoidDecision, WaitingVoid
from tables.reports import voids
from tables.selectors.tables import jackpots_linked
from tables.services import betting, dealing, rounds, void_decisions, voiding
from tests.factories import (
    NOW,
    assert_books_agree,
    caller,
    jackpot_with,
    low,
    person,
    receive,
    reported,
    royal,
    settle_all,
)
from tests.owner import as_owner
from tests.unit.builders import cards, usd

pytestmark = pytest.mark.django_db
VOID = VoidReason.CARD_EXPOSED_HOLE


@pytest.fixture
def link() -> Jackpot:
    return jackpot_with(code="LINK", tables=("T-01",), approvals=1)


def live(by: Caller) -> UUID:
    """A round on the flop, in which box 1 has a royal."""
    round_id = rounds.open_round(caller=by, table_code="T-01", external_id=None, now=NOW).round_id
    betting.place(caller=by, round_id=round_id, boxes=[royal(1), low(2)], now=NOW)
    dealing.lock(caller=by, round_id=round_id, now=NOW)
    pairs = {1: cards("As Ks"), 2: cards("2c 7d")}
    dealing.deal(caller=by, round_id=round_id, cards=pairs, player_cards=None, now=NOW)
    dealing.flop(caller=by, round_id=round_id, cards=cards("Qs Js Ts"), now=NOW)
    return round_id


def void_box(by: Caller, round_id: UUID) -> None:
    voiding.void_box(caller=by, round_id=round_id, box=1, reason=VOID, note="", now=NOW)


def finish(by: Caller, round_id: UUID) -> Round:
    dealing.river(caller=by, round_id=round_id, turn="3c", river="7h", now=NOW)
    dealing.showdown(caller=by, round_id=round_id, dealer=cards("2d 2h"), now=NOW)
    settle_all()
    return Round.objects.get(pk=round_id)


def voids_of(round_id: UUID) -> dict[int, tuple[str, str]]:
    rows = Box.objects.filter(round_id=round_id).values_list("box", "void_reason", "void_note")
    return {box: (reason, note) for box, reason, note in rows}


def forget_who_asked() -> None:
    """As for what was set aside before it was written down who asked."""
    with as_owner(past_guards=True) as cursor:
        cursor.execute("DELETE FROM tables_waitingvoid")


def report(link: Jackpot) -> list[list[object]]:
    day = GamingDay.objects.filter(site=link.home_site).latest("day").day
    asked = Asked(caller=person("eve"), day=day, made_at=NOW, made_by="", linked=jackpots_linked, jackpot=link)
    names = [column.name for column in voids.COLUMNS]
    wanted = [names.index(name) for name in ("void", "box", "cancelled_prize", "cancelled_envy")]
    return [[line.cells[n] for n in wanted] for line in voids.build(asked).lines]


def test_a_confirmed_void_of_a_box_stands(link: Jackpot) -> None:
    me = caller()
    round_id = live(me)
    void_box(me, round_id)
    assert Round.objects.get(pk=round_id).phase == "failed"
    step = void_decisions.confirm(caller=person("sue"), round_id=round_id, note="seen on camera", now=NOW)
    assert (step.phase, step.round.problem) == ("flop", None)
    rnd = finish(me, round_id)
    assert (rnd.phase, Box.objects.get(round_id=round_id, box=1).void_reason) == ("settled", VOID)
    assert report(link) == [["box", 1, usd("10000.40"), usd("1000.00")]]
    assert_books_agree()


def test_a_declined_void_of_a_box_falls(link: Jackpot) -> None:
    me = caller()
    round_id = live(me)
    void_box(me, round_id)
    void_decisions.decline(caller=person("sue"), round_id=round_id, note="it was not exposed", now=NOW)
    rnd = finish(me, round_id)
    assert (rnd.phase, Box.objects.get(round_id=round_id, box=1).void_reason) == ("settled", "")
    assert report(link) == []
    assert_books_agree()


@pytest.mark.parametrize("confirmed", [True, False])
def test_a_void_of_a_live_round(link: Jackpot, confirmed: bool) -> None:
    me = caller()
    round_id = live(me)
    voiding.void_round(caller=me, round_id=round_id, reason=VoidReason.MALFUNCTION, note="n", now=NOW)
    decide = void_decisions.confirm if confirmed else void_decisions.decline
    decide(caller=person("sue"), round_id=round_id, note="", now=NOW)
    rnd = Round.objects.get(pk=round_id)
    assert (rnd.phase, rnd.completed_at is None) == (("void", False) if confirmed else ("flop", True))
    if confirmed:
        settle_all()
        assert Round.objects.get(pk=round_id).version == 1
    else:
        assert finish(me, round_id).phase == "settled"
    assert_books_agree()


@pytest.mark.parametrize("confirmed", [True, False])
def test_a_round_that_was_reported_void(link: Jackpot, confirmed: bool) -> None:
    (round_id,) = receive(reported(royal(1), low(2), table="T-01", void=VoidReason.MALFUNCTION))
    settle_all()
    assert report(link)[0] == ["waiting: round", 1, 0, usd("1000.00")]  # a share is priced when it is settled
    decide = void_decisions.confirm if confirmed else void_decisions.decline
    decide(caller=person("sue"), round_id=round_id, note="", now=NOW)
    settle_all()
    rnd = Round.objects.get(pk=round_id)
    assert (rnd.phase, rnd.version) == ("void" if confirmed else "settled", 1)
    assert VoidDecision.objects.get().decision == ("confirmed" if confirmed else "declined")
    assert_books_agree()


def test_a_void_that_nobody_questioned_stands_beside_a_declined_one(link: Jackpot) -> None:
    me = caller()
    round_id = rounds.open_round(caller=me, table_code="T-01", external_id=None, now=NOW).round_id
    betting.place(caller=me, round_id=round_id, boxes=[royal(1), low(2), low(3, "4h 9d")], now=NOW)
    dealing.lock(caller=me, round_id=round_id, now=NOW)
    voiding.void_box(caller=me, round_id=round_id, box=2, reason=VOID, note="seen", now=NOW)
    pairs = {1: cards("As Ks"), 2: cards("2c 7d"), 3: cards("4h 9d")}
    dealing.deal(caller=me, round_id=round_id, cards=pairs, player_cards=None, now=NOW)
    dealing.flop(caller=me, round_id=round_id, cards=cards("Qs Js Ts"), now=NOW)
    voiding.void_round(caller=me, round_id=round_id, reason=VoidReason.MALFUNCTION, note="", now=NOW)
    void_decisions.decline(caller=person("sue"), round_id=round_id, note="", now=NOW)
    assert finish(me, round_id).phase == "settled"
    assert voids_of(round_id) == {1: ("", ""), 2: (VOID, "seen"), 3: ("", "")}
    assert_books_agree()


@pytest.mark.parametrize("whole", [VoidReason.MALFUNCTION, None])
@pytest.mark.parametrize("confirmed", [True, False])
def test_of_a_reported_round_only_the_voids_that_cancel_a_prize_wait(
    link: Jackpot, whole: VoidReason | None, confirmed: bool
) -> None:  # fmt: skip
    boxes = royal(1, void=VOID), low(2, progressive="0.00", void=VOID), low(3, "4h 9d")
    (round_id,) = receive(reported(*boxes, table="T-01", void=whole))
    waits = set(WaitingVoid.objects.values_list("box", flat=True))
    assert waits == ({None, 1} if whole else {1})
    decide = void_decisions.confirm if confirmed else void_decisions.decline
    decide(caller=person("sue"), round_id=round_id, note="", now=NOW)
    settle_all()
    assert voids_of(round_id) == {1: (VOID if confirmed else "", ""), 2: (VOID, ""), 3: ("", "")}
    assert Round.objects.get(pk=round_id).phase == ("void" if confirmed and whole else "settled")
    assert_books_agree()


def test_a_reported_round_without_its_cards_is_not_settled_by_declining_its_void(link: Jackpot) -> None:
    (round_id,) = receive(reported(royal(1), low(2), table="T-01", void=VoidReason.CARD_COUNT, dealer=None))
    with pytest.raises(Refused, match="wrong_card_count"):
        void_decisions.decline(caller=person("sue"), round_id=round_id, note="", now=NOW)
    assert (VoidDecision.objects.count(), Round.objects.get(pk=round_id).phase) == (0, "failed")


def test_a_machine_decides_nothing_and_only_what_waits_is_decided(link: Jackpot) -> None:
    me = caller()
    round_id = live(me)
    with pytest.raises(Refused, match="wrong_phase"):
        void_decisions.confirm(caller=person("sue"), round_id=round_id, note="", now=NOW)
    void_box(me, round_id)
    with pytest.raises(Refused, match="person_required"):
        void_decisions.confirm(caller=me, round_id=round_id, note="", now=NOW)
    assert VoidDecision.objects.count() == 0


def test_who_asked_does_not_confirm(link: Jackpot) -> None:
    round_id = live(caller())
    void_box(caller(), round_id)
    sue = person("sue")
    asked = WaitingVoid.objects.get()
    WaitingVoid.objects.create(round=asked.round, box=2, asked_by=sue.actor, asked_at=NOW, before="flop")
    with pytest.raises(Refused, match="second_person_required"):
        void_decisions.confirm(caller=sue, round_id=round_id, note="", now=NOW)
    assert VoidDecision.objects.count() == 0


def test_a_void_of_the_whole_round_does_not_get_past_a_box_that_waits(link: Jackpot) -> None:
    me = caller()
    round_id = live(me)
    void_box(me, round_id)
    voiding.void_round(caller=me, round_id=round_id, reason=VoidReason.MALFUNCTION, note="", now=NOW)
    assert Round.objects.get(pk=round_id).phase == "failed"
    void_decisions.decline(caller=person("sue"), round_id=round_id, note="", now=NOW)
    assert finish(me, round_id).phase == "settled"
    assert Box.objects.get(round_id=round_id, box=1).void_reason == ""
    assert_books_agree()


@pytest.mark.parametrize("decide", [void_decisions.confirm, void_decisions.decline])
def test_where_who_asked_is_not_on_record_one_person_takes_it_up_and_another_decides(
    link: Jackpot, decide: Callable[..., object]
) -> None:  # fmt: skip
    (round_id,) = receive(reported(royal(1, void=VOID), low(2), table="T-01"))
    forget_who_asked()
    ann, sue = person("ann"), person("sue")
    refused = {"caller": sue, "round_id": round_id, "note": "", "now": NOW}
    with pytest.raises(Refused, match="second_person_required") as raised:
        decide(**refused)
    assert "take_up" in raised.value.violations[0].detail
    with pytest.raises(Refused, match="person_required"):
        void_decisions.take_up(caller=caller(), round_id=round_id, now=NOW)
    assert WaitingVoid.objects.count() == 0
    void_decisions.take_up(caller=sue, round_id=round_id, now=NOW)
    assert list(WaitingVoid.objects.values_list("box", "asked_by", "before")) == [(1, sue.actor, "complete")]
    for again in (lambda: decide(**refused), lambda: void_decisions.take_up(caller=ann, round_id=round_id, now=NOW)):
        with pytest.raises(Refused):
            again()
    assert (VoidDecision.objects.count(), WaitingVoid.objects.count()) == (0, 1)
    decide(caller=ann, round_id=round_id, note="", now=NOW)
    settle_all()
    assert (VoidDecision.objects.count(), Round.objects.get(pk=round_id).phase) == (1, "settled")
    assert_books_agree()


def test_a_void_of_a_live_box_is_taken_up_as_that(link: Jackpot) -> None:
    me = caller()
    round_id = live(me)
    void_box(me, round_id)
    forget_who_asked()
    void_decisions.take_up(caller=person("ann"), round_id=round_id, now=NOW)
    assert list(WaitingVoid.objects.values_list("box", "before")) == [(1, "flop")]
    void_decisions.decline(caller=person("sue"), round_id=round_id, note="", now=NOW)
    assert finish(me, round_id).phase == "settled"
    assert voids_of(round_id)[1] == ("", "")
    assert_books_agree()
