"""What integrators are told of, and when nothing is told."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from unittest.mock import patch
from uuid import UUID

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from jackpot.domain.events import Event as Told
from jackpot.domain.events import EventType
from jackpot.models.awards import Award
from jackpot.models.clients import ApiKey
from jackpot.models.events import Event, EventCounter
from jackpot.models.ledger import StatementRow
from jackpot.services import events
from tables.domain.facts import VoidReason
from tables.models.rounds import Round
from tables.services import batch, dealing, rounds, settlement, voiding
from tests.factories import (
    NOW,
    House,
    SiteFactory,
    caller,
    jackpot_with,
    low,
    play,
    receive,
    reported,
    royal,
    settle_all,
    table_with,
)
from tests.factories.live import LiveRound
from tests.owner import as_owner
from tests.unit.builders import FOLD, box

pytestmark = pytest.mark.django_db
T = "T-01"


def told(integrator: str = "Acme") -> list[Event]:
    found = list(Event.objects.filter(integrator__name=integrator).order_by("seq"))
    assert [event.seq for event in found] == list(range(1, len(found) + 1))
    return found


def types(integrator: str = "Acme") -> list[str]:
    return [event.type for event in told(integrator)]


def test_a_settled_round_and_its_hit(demo: House) -> None:
    """The contract's example: each amount is the posted one (known failures 30 and 86)."""
    (round_id,) = play(reported(royal(1, player="P-17", trips="5.00"), low(2, player="P-18", decision=FOLD)))
    rnd, hit, envy = Round.objects.get(), Award.objects.get(kind="hit"), Award.objects.get(kind="envy")
    settled, hit_event, reset, envied = told()
    assert [event.type for event in told()] == ["round.settled", "jackpot.hit", "jackpot.reset", "envy.awarded"]
    assert settled.data == {
        "round": str(round_id), "external_id": rnd.external_id, "table": "UTH-01", "site": "DEMO", "currency": "USD",
        "game_number": rnd.game_number, "mode": "live", "phase": "settled", "version": 1, "late": False,
        "gaming_day": "2026-11-29", "problem": None,
        "totals": {"staked": "47.00", "returned": "13810.40", "envy": "1000.00"},
    }  # fmt: skip
    cause = {"round": str(round_id), "table": "UTH-01"}
    same = {"jackpot": "MAIN", "currency": "USD", "mode": "live"}
    assert hit_event.data == same | cause | {
        "level": "main", "seq": 3, "hand": "royal_flush", "amount": "10000.40", "meter_before": "10000.40",
        "meter_after": "0.00", "reset_to": "10000.00", "state": "pending", "award": str(hit.pk), "box": 1,
        "player": "P-17",
    }  # fmt: skip
    row = StatementRow.objects.get(kind="award")
    assert (row.seq, -row.amount) == (hit_event.data["seq"], hit.amount)
    assert reset.data == same | cause | {
        "level": "main", "seq": 4, "meter_before": "0.00", "meter_after": "10000.00", "award": str(hit.pk), "box": 1,
        "player": "P-17",
    }  # fmt: skip
    assert envied.data == same | cause | {
        "hit": str(hit.pk), "hand": "royal_flush", "from_box": 1, "amount": "1000.00", "state": "pending",
        "award": str(envy.pk), "box": 2, "player": "P-18",
    }  # fmt: skip
    assert {event.at for event in told()} == {rnd.settled_at}
    assert [event.jackpot_id for event in told()] == [None, *[demo.jackpot.pk] * 3]


def test_a_hit_that_is_paid_at_once_says_so() -> None:
    """No move pays it, so no `award.paid` tells of it; its Envy is approved, and paid by a move of its own."""
    jackpot_with(verify_from="100000.00")
    play(reported(royal(1), low(2), table=T))
    assert [(event.type, event.data["state"]) for event in told() if "state" in event.data] == [
        ("jackpot.hit", "paid"), ("envy.awarded", "approved"),
    ]  # fmt: skip
    assert set(Award.objects.values_list("kind", "state")) == {("hit", "paid"), ("envy", "approved")}


def test_events_come_in_the_order_of_the_queue_whatever_the_batches() -> None:
    jackpot_with(equal_rank="split")
    pairs = (box(pair, number=n, progressive="1.00") for n, pair in enumerate(("Jh Th", "6h 5h"), start=1))
    shared = reported(*pairs, table=T, board="9h 8h 7h 2c 3d", dealer="Ks Kd")
    play(reported(low(1), table=T), shared, reported(royal(1), table=T), limit=2)
    assert types() == [
        "round.settled",
        "round.settled", "jackpot.hit", "jackpot.hit", "envy.awarded", "envy.awarded",
        "round.settled", "jackpot.hit", "jackpot.reset",
    ]  # fmt: skip


def test_of_a_jackpot_everyone_hears_who_sees_it_but_not_who_caused_it() -> None:
    link = jackpot_with()
    other = SiteFactory.create()
    table_with("T-02", site=other, link=link)
    unlinked = SiteFactory.create()
    caller(other, integrator="Sees")
    caller(unlinked, integrator="Elsewhere")
    caller(other, integrator="Revoked")
    caller(other, integrator="Expired")
    ApiKey.objects.filter(integrator__name="Revoked").update(revoked_at=NOW)
    with as_owner():
        ApiKey.objects.filter(integrator__name="Expired").update(expires_at=NOW + timedelta(seconds=1))
    play(reported(royal(1), low(2), table=T), by=caller(link.home_site))
    assert types() == ["round.settled", "jackpot.hit", "jackpot.reset", "envy.awarded"]
    assert types("Sees") == ["jackpot.hit", "jackpot.reset"]
    assert [types(name) for name in ("Elsewhere", "Revoked", "Expired")] == [[], [], []]
    own, others = told()[1], told("Sees")[0]
    hidden = {"award", "round", "table", "box", "player"}
    assert {name for name, value in others.data.items() if value is None} == hidden
    assert {name: own.data[name] for name in own.data.keys() - hidden} == {
        name: others.data[name] for name in others.data.keys() - hidden
    }
    assert others.site_id is None and others.jackpot_id == link.pk


def test_voids() -> None:
    jackpot_with()
    me = caller()
    play(reported(low(1), table=T, void=VoidReason.MALFUNCTION), by=me)
    assert types() == ["round.voided"]
    assert told()[0].data["totals"] == {"staked": "31.00", "returned": "31.00", "envy": "0.00"}
    empty = rounds.open_round(caller=me, table_code=T, external_id=None, now=NOW)
    dealing.lock(caller=me, round_id=empty.round_id, now=NOW)
    assert types() == ["round.voided"] * 2
    # It was never queued and has no settlement.
    assert (told()[1].data["version"], told()[1].data["totals"]) == (0, None)


def test_suspended_and_resumed_once_each() -> None:
    jackpot_with()
    me = caller()
    live = LiveRound(reported(low(1), table=T), by=me, now=NOW)
    for _ in range(2):
        rounds.suspend(caller=me, round_id=live.id, note="", now=NOW)
    for _ in range(2):
        rounds.resume(caller=me, round_id=live.id, note="", now=NOW)
    assert [(event.type, event.data["phase"]) for event in told()] == [
        ("round.suspended", "suspended"), ("round.resumed", "betting"),
    ]  # fmt: skip


class TestFailed:
    def test_a_void_that_waits_for_a_second_person(self) -> None:
        jackpot_with()
        receive(reported(royal(1), low(2), table=T, void=VoidReason.MALFUNCTION))
        assert [(event.type, event.data["problem"]) for event in told()] == [("round.failed", "second_person_required")]
        assert told()[0].data["phase"] == "failed"
        settle_all()
        assert types() == ["round.failed"]

    @pytest.mark.parametrize("whole", [True, False])
    def test_one_in_a_live_round(self, whole: bool) -> None:
        jackpot_with()
        me = caller()
        live = LiveRound(reported(royal(1), low(2), table=T), by=me, now=NOW)
        live.lock(now=NOW)
        arguments: dict[str, Any] = {"caller": me, "round_id": live.id, "reason": VoidReason.OTHER, "note": ""}
        dealing.deal(caller=me, round_id=live.id, cards={1: ("As", "Ks"), 2: ("2c", "7d")}, player_cards=None, now=NOW)
        dealing.flop(caller=me, round_id=live.id, cards=("Qs", "Js", "Ts"), now=NOW)
        if whole:
            voiding.void_round(**arguments, now=NOW)
        else:
            voiding.void_box(**arguments, box=1, now=NOW)
        assert [(event.type, event.data["problem"]) for event in told()] == [("round.failed", "second_person_required")]

    def test_a_bad_round_is_told_of_as_failed_and_the_others_once(self) -> None:
        """The batch is halved three times; what was undone left no event (known failure 100)."""
        jackpot_with()
        ids = receive(*(reported(royal(1), table=T) for _ in range(5)))
        settle, bad = batch.settle, ids[3]

        def fails(work: batch.Work) -> Any:
            if work.round.id == bad:
                raise ZeroDivisionError
            return settle(work)

        with patch.object(batch, "settle", fails):
            settle_all()
        found = [(event.type, UUID(event.data["round"])) for event in told() if event.type.startswith("round.")]
        assert found == [("round.failed" if pk == bad else "round.settled", pk) for pk in ids]
        assert types().count("jackpot.hit") == Award.objects.count() == 4
        assert next(e for e in told() if e.type == "round.failed").data["problem"] == "not_settled"


@pytest.mark.django_db(transaction=True)
def test_what_is_rolled_back_leaves_neither_event_nor_number() -> None:
    jackpot_with()
    receive(reported(royal(1), table=T))

    with transaction.atomic():
        settle_all()
        assert len(types()) == 3
        transaction.set_rollback(True)
    assert (Event.objects.count(), EventCounter.objects.count()) == (0, 0)
    settle_all()
    assert types() == ["round.settled", "jackpot.hit", "jackpot.reset"]


def test_the_number_of_statements_does_not_grow() -> None:
    link = jackpot_with()
    for name in ("Sees", "Sees too"):
        caller(link.home_site, integrator=name)

    def statements(hits: int) -> int:
        receive(*(reported(royal(1), low(2), table=T) for _ in range(hits)))
        with CaptureQueriesContext(connection) as caught:
            settlement.drain(link.lane.pk)
        return len(caught)

    statements(1)
    one, many = statements(2), statements(20)
    assert one == many
    assert len(types("Sees")) == 2 * 23


def test_it_is_published_after_everything_else() -> None:
    """The counter is the last lock a drain takes: nothing but the checks of the commit comes after it."""
    link = jackpot_with()
    receive(reported(royal(1), table=T))
    with CaptureQueriesContext(connection) as caught:
        settlement.drain(link.lane.pk)
    asked = [query["sql"] for query in caught]
    [counted] = [n for n, sql in enumerate(asked) if "jackpot_eventcounter" in sql]
    assert [sql for sql in asked[counted + 1 :] if not sql.startswith(("COPY", "RELEASE"))] == []


@pytest.mark.parametrize("kind", [EventType.DAY_CLOSED, EventType.AWARD_PAID])
def test_other_kinds_go_to_whom_they_name(demo: House, kind: EventType) -> None:
    me = caller()
    assert me.integrator_id is not None
    event = Told(me.integrator_id, kind, NOW, {"day": "2026-11-29"}, demo.site.pk, demo.jackpot.pk)
    events.publish([event, event])
    assert types() == [kind, kind]
    events.publish([])
    assert EventCounter.objects.get().last == 2


def test_nobodys_own_event_of_a_jackpot_goes_to_who_sees_it(demo: House) -> None:
    caller(integrator="Sees")
    event = Told(None, EventType.JACKPOT_RESET, NOW, {"seq": 5, "table": None}, None, demo.jackpot.pk)
    seen_at: Callable[..., Any] = lambda ids: {pk: {demo.site.pk} for pk in ids}  # noqa: E731
    events.publish([event], seen_at=seen_at)
    assert types("Sees") == ["jackpot.reset"]
