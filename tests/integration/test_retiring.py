"""A jackpot is suspended and resumed by one person, and retired by two once nothing of it is under way."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import Sum

from jackpot.domain.accounts import Pot
from jackpot.domain.awards import Move
from jackpot.domain.errors import Refused
from jackpot.models.awards import Award
from jackpot.models.change_requests import ChangeRequest
from jackpot.models.jackpot_states import JackpotStateChange
from jackpot.models.jackpots import Jackpot, Level
from jackpot.models.ledger import Leg, StatementRow
from jackpot.models.sites import Site
from jackpot.services import award_moves
from jackpot.services.changes import adjustments, jackpot_states, transfers
from jackpot.services.changes.retiring import ask_retirement
from tables.domain.facts import VoidReason
from tables.models.rounds import Round
from tables.services import ingest, retiring, void_decisions
from tests.factories import (
    NOW,
    SiteFactory,
    assert_books_agree,
    caller,
    jackpot_with,
    low,
    person,
    play,
    receive,
    reported,
    royal,
    settle_all,
    straight_flush,
    table_with,
)
from tests.factories.live import LiveRound
from tests.factories.moves import adjust, retire, transfer
from tests.integration.test_adjustments import refused
from tests.unit.builders import usd

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(hours=1)


@pytest.fixture
def site(db: None) -> Site:
    return SiteFactory.create()


@pytest.fixture
def old(site: Site) -> Jackpot:
    return jackpot_with(site=site)


@pytest.fixture
def new(site: Site) -> Jackpot:
    return jackpot_with(code="NEW", site=site, tables=())


def suspend(jackpot: Jackpot) -> JackpotStateChange:
    return jackpot_states.suspend_jackpot(caller=person("cleo"), jackpot_id=jackpot.pk, note="a fault", now=NOW)


def resume(jackpot: Jackpot) -> JackpotStateChange:
    return jackpot_states.resume_jackpot(caller=person("dora"), jackpot_id=jackpot.pk, now=LATER)


def ask(old: Jackpot, new: Jackpot, levels: dict[str, str] | None = None, **changes: Any) -> ChangeRequest:
    asked: dict[str, Any] = {"caller": person("ann"), "reason": "replaced", "now": NOW} | changes
    levels = {"main": "main"} if levels is None else levels
    return ask_retirement(jackpot=old.code, to=new.code, levels=levels, **asked)


def approve(asked: ChangeRequest) -> Any:
    return retiring.approve_retirement(caller=person("ben"), request_id=asked.pk, now=LATER)


def state(jackpot: Jackpot) -> str:
    return Jackpot.objects.get(pk=jackpot.pk).state


def is_refused(call: Callable[[], object], says: str) -> None:
    assert says in refused(call, "illegal_move")


class TestSuspended:
    def test_who_and_when_are_kept(self, old: Jackpot) -> None:
        suspend(old)
        resume(old)
        rows = JackpotStateChange.objects.order_by("id").values_list("before", "after", "at", "by__username", "note")
        assert list(rows) == [
            ("active", "suspended", NOW, "cleo", "a fault"), ("suspended", "active", LATER, "dora", ""),
        ]  # fmt: skip
        assert (state(old), Jackpot.objects.get(pk=old.pk).state_since) == ("active", LATER)

    def test_what_is_not_so_is_refused(self, old: Jackpot) -> None:
        is_refused(lambda: resume(old), "is active")
        suspend(old)
        is_refused(lambda: suspend(old), "is suspended")
        refused(lambda: jackpot_states.resume_jackpot(caller=caller(), jackpot_id=old.pk, now=LATER), "person_required")
        assert JackpotStateChange.objects.count() == 1

    def test_a_clock_that_goes_back_does_not_reorder_them(self, old: Jackpot) -> None:
        suspend(old)
        made = jackpot_states.resume_jackpot(caller=person("dora"), jackpot_id=old.pk, now=NOW - timedelta(hours=1))
        assert made.at == NOW

    def test_rounds_in_play_settle_and_new_bets_are_refused(self, old: Jackpot) -> None:
        by = caller()
        table_with("T-02", site=old.home_site, link=old)
        locked = LiveRound(reported(low(1), table="T-01"), by=by, now=NOW)
        locked.lock(now=NOW)
        betting = LiveRound(reported(low(1), table="T-02"), by=by, now=NOW)
        suspend(old)
        with pytest.raises(Refused, match="no_progressive"):
            betting.lock(now=LATER)
        locked.complete(now=LATER)
        before, after = (reported(low(1), table="T-01", at=at) for at in (NOW, LATER))
        play(before)
        with pytest.raises(Refused, match="no_progressive"):
            ingest.receive_one(caller=by, report=after, now=LATER)
        assert Level.objects.get(jackpot=old).wagered == usd("2.00")
        assert_books_agree()


class TestRetired:
    def test_everything_goes_to_the_other_one(self, old: Jackpot, new: Jackpot) -> None:
        play(reported(low(1), table="T-01"))
        adjust(old, "1.50", pot=Pot.OVERFLOW)
        suspend(old)
        asked = ask(old, new)
        pots = {"meter": "10000.20000000", "reserve": "0.02000000", "overflow": "1.50000000"}
        had = {f"{pot}:LINK:main": amount for pot, amount in pots.items()}
        assert asked.before == had | {
            "meter:NEW:main": "10000.00000000", "reserve:NEW:main": "0.00000000", "overflow:NEW:main": "0.00000000",
        }  # fmt: skip
        decided = approve(asked)
        assert decided.before == asked.before | {"state:LINK": "suspended"}
        assert decided.after == asked.document["after"] | {"state:LINK": "retired"}
        assert decided.after == dict.fromkeys(had, "0.00000000") | {
            "meter:NEW:main": "20000.20000000", "reserve:NEW:main": "0.02000000", "overflow:NEW:main": "1.50000000",
            "state:LINK": "retired",
        }  # fmt: skip
        change = JackpotStateChange.objects.get(after="retired")
        assert (change.by.username, change.request, change.at) == ("ben", asked, LATER)
        assert set(StatementRow.objects.filter(entry__kind="retirement").values_list("kind", flat=True)) == {
            "transfer_in", "transfer_out",
        }  # fmt: skip
        both = Leg.objects.filter(account__code__startswith="house:", entry__kind="retirement")
        assert both.aggregate(sum=Sum("amount"))["sum"] == 0
        assert_books_agree()

    def test_levels_may_go_to_different_ones(self, site: Site) -> None:
        def levels(*codes: str) -> list[dict[str, Any]]:
            return [{"code": code, "base": "100.00", "increment_ppm": 10_000} for code in ("main", *codes)]

        old = jackpot_with(site=site, levels=levels("mini", "maxi"))
        new = jackpot_with(code="NEW", site=site, tables=(), levels=levels("mega"))
        retire(old, new, main="mega", mini="main", maxi="mega")
        assert dict(new.levels.values_list("code", "meter")) == {"main": usd("200.00"), "mega": usd("300.00")}
        assert_books_agree()

    def test_one_that_has_nothing_leaves_the_other_lane_alone(self, old: Jackpot, new: Jackpot) -> None:
        adjust(old, "-10000.00")
        sealed = new.lane.sealed
        retire(old, new)
        new.lane.refresh_from_db()
        assert (new.lane.sealed, state(old)) == (sealed, "retired")
        assert_books_agree()

    def test_it_must_be_suspended(self, old: Jackpot, new: Jackpot) -> None:
        asked = ask(old, new)
        is_refused(lambda: approve(asked), "suspend")
        suspend(old)
        approve(asked)
        assert state(old) == "retired"

    def test_not_while_a_round_is_unsettled(self, old: Jackpot, new: Jackpot) -> None:
        live = LiveRound(reported(low(1), table="T-01"), by=caller(), now=NOW)
        live.lock(now=NOW)
        settle_all()  # its lock-out is posted, and it is still played
        suspend(old)
        asked = ask(old, new)
        is_refused(lambda: approve(asked), Round.objects.get().game_number)
        live.complete(now=LATER)
        is_refused(lambda: approve(asked), "wait to be settled")
        settle_all()
        approve(asked)
        assert_books_agree()

    @pytest.mark.parametrize("confirmed", [True, False])
    def test_not_while_a_reported_void_waits(self, old: Jackpot, new: Jackpot, confirmed: bool) -> None:
        void = VoidReason.MALFUNCTION
        (round_id,) = receive(reported(royal(1), low(2), table="T-01", locked=False, void=void))
        suspend(old)
        asked = ask(old, new)
        is_refused(lambda: approve(asked), Round.objects.get().game_number)
        decide = void_decisions.confirm if confirmed else void_decisions.decline
        decide(caller=person("sue"), round_id=round_id, note="", now=NOW)
        if not confirmed:
            is_refused(lambda: approve(asked), Round.objects.get().game_number)
        settle_all()
        assert Round.objects.get().phase == ("void" if confirmed else "settled")
        if confirmed:
            approve(asked)
        else:
            is_refused(lambda: approve(asked), "not paid: 2")
        assert_books_agree()

    def test_rounds_without_a_progressive_do_not_hold_it_up(self, old: Jackpot, new: Jackpot) -> None:
        live = LiveRound(reported(low(1, progressive="0.00"), table="T-01"), by=caller(), now=NOW)
        live.lock(now=NOW)
        retire(old, new)
        live.complete(now=LATER)
        settle_all()
        assert Round.objects.get().phase == "settled"
        assert_books_agree()

    def test_not_while_an_award_is_unpaid(self, old: Jackpot, new: Jackpot) -> None:
        play(reported(straight_flush(1), low(2), table="T-01"))
        suspend(old)
        asked = ask(old, new)
        hit, envy = Award.objects.order_by("-kind")
        for name in ("emil", "fred"):
            is_refused(lambda: approve(asked), "not paid: 2")
            award_moves.move(caller=person(name), award_id=hit.pk, move=Move.APPROVE, note="", now=LATER)
        award_moves.move(caller=person("emil"), award_id=hit.pk, move=Move.PAY, note="", now=LATER)
        is_refused(lambda: approve(asked), "not paid: 1")
        award_moves.move(caller=person("emil"), award_id=envy.pk, move=Move.PAY, note="", now=LATER)
        approve(asked)
        assert_books_agree()

    def test_not_while_another_change_of_it_waits(self, old: Jackpot, new: Jackpot) -> None:
        suspend(old)
        asked = ask(old, new)
        ann, level = person("ann"), Level.objects.select_related("jackpot").get(jackpot=old)
        one = adjustments.ask_adjustment(
            caller=ann, level=level, pot=Pot.METER, amount="1.00", reason="regulator", now=NOW
        )
        two = transfers.ask_transfer(
            caller=ann, source="meter:NEW:main", target="meter:LINK:main", amount="1.00", reason="split", now=NOW
        )
        is_refused(lambda: approve(asked), "decision: 2")
        adjustments.approve_adjustment(caller=person("ben"), request_id=one.pk, now=LATER)
        is_refused(lambda: approve(asked), "decision: 1")
        transfers.approve_transfer(caller=person("ben"), request_id=two.pk, now=LATER)
        approve(asked)
        assert_books_agree()

    def test_it_needs_one_to_go_to(self, site: Site, old: Jackpot, new: Jackpot) -> None:
        euro = jackpot_with(code="EURO", site=site, tables=(), currency="EUR")
        trial = jackpot_with(code="TRIAL", tables=(), site=SiteFactory.create(sandbox=True))
        for other in (old, euro, trial):
            refused(lambda other=other: ask(old, other), "invalid_value")  # type: ignore[misc]
        for levels in ({}, {"main": "none"}, {"mini": "main"}, {"main": "main", "mini": "main"}):
            refused(lambda levels=levels: ask(old, new, levels), "invalid_value")  # type: ignore[misc]
        small = jackpot_with(code="SMALL", site=site, tables=(), limit="10000.01")
        refused(lambda: ask(old, small), "invalid_value")
        assert ChangeRequest.objects.count() == 0

    def test_one_person_alone_retires_nothing(self, old: Jackpot, new: Jackpot) -> None:
        suspend(old)
        asked = ask(old, new)

        def alone() -> None:
            retiring.approve_retirement(caller=person("ann"), request_id=asked.pk, now=LATER)

        refused(alone, "second_person_required")
        assert state(old) == "suspended"

    def test_afterwards_nothing_goes_there(self, old: Jackpot, new: Jackpot) -> None:
        retire(old, new)
        is_refused(lambda: resume(old), "is retired")
        is_refused(lambda: suspend(old), "is retired")
        is_refused(lambda: adjust(old, "1.00"), "is retired")
        is_refused(lambda: transfer("meter:NEW:main", "meter:LINK:main", "1.00"), "is retired")
        is_refused(lambda: ask(new, old), "is retired")
        is_refused(lambda: ask(old, new), "is retired")
        with pytest.raises(Refused, match="is retired"):
            table_with("T-09", site=old.home_site, link=Jackpot.objects.get(pk=old.pk))
        by, before = caller(), reported(low(1), table="T-01", at=NOW - timedelta(days=1))
        with pytest.raises(Refused, match="no_progressive"):
            ingest.receive_one(caller=by, report=before, now=LATER)
        assert StatementRow.objects.filter(level__jackpot=old).latest("entry_id").kind == "transfer_out"

    def test_its_tables_play_on_without_a_progressive(self, old: Jackpot, new: Jackpot) -> None:
        by = caller()
        retire(old, new)
        rows = StatementRow.objects.count()
        receive(reported(low(1, progressive="0.00"), table="T-01", at=LATER), by=by, now=LATER)
        settle_all()
        assert Round.objects.get().phase == "settled"
        assert StatementRow.objects.count() == rows
        assert_books_agree()

    def test_one_that_was_retired_may_be_followed_by_another(self, site: Site, old: Jackpot, new: Jackpot) -> None:
        third = jackpot_with(code="THIRD", site=site, tables=())
        retire(old, new)
        retire(new, third)
        assert Level.objects.get(jackpot=third).meter == usd("30000.00")
        assert_books_agree()
