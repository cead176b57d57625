"""Ledger and accounting: known failures that take several connections, or a statement that fails in the middle."""

import time
from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from django.db import DatabaseError, OperationalError, connection, transaction
from django.utils import timezone

from jackpot.models.jackpots import Level
from jackpot.models.lanes import Lane, Queued
from jackpot.models.ledger import Entry, Link
from jackpot.money import show
from jackpot.selectors import queue
from jackpot.services import open_today
from tables.domain.facts import VoidReason
from tables.models.rounds import Round
from tables.services import ingest, settlement
from tables.services.settlement import Drained
from tests.api.conftest import Clock
from tests.api.floor import ROUNDS, example, key_client, rows, send
from tests.concurrency.actors import Actor, all_at_once
from tests.factories import (
    NOW,
    assert_books_agree,
    assert_chain_holds,
    caller,
    house,
    jackpot_with,
    low,
    receive,
    reported,
    royal,
    settle_all,
)
from tests.integration.guards.chain import ADVANCED, link
from tests.integration.guards.ledger import NEW, account, entry, last_row, legs, row_of
from tests.owner import as_owner
from tests.unit.builders import USD

CENTS = 1_000_000


@pytest.fixture
def refuse(db: None) -> Callable[..., None]:
    """Lets PostgreSQL refuse the next statement of a kind on a table, as it would in trouble of its own."""

    def spoil(operation: str, table: str, *, code: str = "40001") -> None:
        with as_owner() as cursor:
            cursor.execute(f"""
                CREATE FUNCTION case_refuses() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN RAISE EXCEPTION 'in the middle' USING ERRCODE = '{code}'; END $$;
                CREATE TRIGGER case_refuses BEFORE {operation} ON {table}
                FOR EACH STATEMENT EXECUTE FUNCTION case_refuses()""")

    return spoil


def recover() -> None:
    with as_owner() as cursor:
        cursor.execute("DROP FUNCTION case_refuses CASCADE")


def opened_house() -> None:
    """The demo's house with its days open: who opens one makes others wait, which is another test's subject."""
    house()
    for now in (NOW, timezone.now()):
        open_today(now=now)


def levels() -> list[Any]:
    return list(Level.objects.order_by("id").values())


WRITTEN = [
    ("INSERT", "jackpot_entry"), ("INSERT", "jackpot_leg"), ("UPDATE", "jackpot_level"),
    ("INSERT", "jackpot_statementrow"), ("INSERT", "jackpot_award"), ("INSERT", "jackpot_link"),
    ("UPDATE", "jackpot_lane"), ("UPDATE", "tables_round"), ("INSERT", "tables_boxresult"),
    ("DELETE", "jackpot_queued"), ("INSERT", "jackpot_eventcounter"), ("INSERT", "jackpot_event"),
]  # fmt: skip
"""What a settlement writes, in its order: at last it takes the round out of the queue, and tells of it."""


@pytest.mark.django_db
class TestAllOrNothing:
    @pytest.mark.parametrize(("operation", "table"), WRITTEN, ids=[table for _, table in WRITTEN])
    def test_95_a_settlement_that_fails_at_any_statement_leaves_nothing_of_it(
        self, operation: str, table: str, refuse: Callable[..., None]
    ) -> None:
        """And the round still waits: once the trouble is over it is settled, to the unit."""
        house()
        [round_id] = receive(reported(royal(1), low(2)))
        before = rows(), levels(), list(Queued.objects.values())
        refuse(operation, table)
        with pytest.raises(OperationalError):
            settle_all()
        assert (rows(), levels(), list(Queued.objects.values())) == before
        assert Round.objects.get().phase == "complete"
        recover()
        settle_all()
        assert Round.objects.get(pk=round_id).phase == "settled"
        assert_books_agree()

    @pytest.mark.parametrize("table", ["tables_round", "tables_box", "tables_roundevent", "jackpot_queued"])
    def test_95_a_round_that_cannot_be_stored_to_its_end_is_not_stored(
        self, table: str, refuse: Callable[..., None], clock: Clock
    ) -> None:
        """Known failure 103 too: trouble of the database is 503 with a time to come back, never a refusal."""
        house()
        client, before = key_client(), rows()
        refuse("INSERT", table)
        answer = send(client, ROUNDS, example())
        assert (answer.status_code, answer.json()["status"]) == (503, 503)
        assert int(answer["Retry-After"]) > 0
        assert rows() == before | {"jackpot.ApiKey": 1, "jackpot.Integrator": 1} | {
            name: rows()[name] for name in ("jackpot.GamingDay",)
        }  # fmt: skip
        recover()
        assert send(client, ROUNDS, example()).status_code == 202

    def test_82_a_task_that_fails_after_some_of_its_postings_does_the_rest_when_it_is_run_again(
        self, refuse: Callable[..., None]
    ) -> None:
        house()
        receive(*(reported(low(1)) for _ in range(3)))
        [lane_id] = queue.lanes_waiting()
        settlement.drain(lane_id, limit=1)
        refuse("INSERT", "jackpot_link")
        with pytest.raises(OperationalError):
            settle_all(limit=1)
        assert queue.waits(lane_id)
        recover()
        settle_all(limit=1)
        assert Entry.objects.filter(kind="settlement").count() == 3
        assert not queue.waits(lane_id)
        assert_books_agree()


@pytest.mark.django_db(transaction=True)
class TestLocks:
    def test_52_two_debits_at_once_cannot_overdraw(self) -> None:
        """10.00 in the meter and two withdrawals of 8.00, complete to their seal: the database takes one of them."""
        jackpot = jackpot_with(base="10.00")
        debit = -800 * CENTS
        names = {"lane": jackpot.lane.pk, "level": jackpot.levels.get().pk, "site": jackpot.home_site_id}
        with connection.cursor() as cursor:
            cursor.execute("SELECT id FROM jackpot_account WHERE starts_with(code, 'house:')")
            names["account"] = cursor.fetchone()[0]

        def withdraw(number: int) -> None:
            new = NEW + number
            statements = [
                row_of("meter", debit), entry(2, pk=new, source_ref=f"'debit {number}'"),
                legs((1, debit), (2, -debit), of=new, second=account("meter")),
                last_row(entry_id=new, amount=debit, kind="'void'", after=f"found.after + {debit}"),
                link(), ADVANCED,
            ]  # fmt: skip
            with transaction.atomic(), connection.cursor() as cursor:
                for statement in statements:
                    cursor.execute(statement, names)

        first = Actor(lambda: withdraw(1), hold=True)
        second = Actor(lambda: withdraw(2))
        second.wait_until_blocked()
        first.commit()
        with pytest.raises(DatabaseError, match="meter_never_negative"):
            second.result()
        assert show(Level.objects.get().meter, USD) == "2.00"
        assert Entry.objects.filter(source_ref__startswith="debit").count() == 1

    def test_60_104_eight_workers_append_to_one_chain(self) -> None:
        opened_house()
        receive(*(reported(low(1), table=f"UTH-0{n % 4 + 1}") for n in range(16)))
        [lane_id] = queue.lanes_waiting()

        def work() -> None:
            while (drained := settlement.drain(lane_id, limit=1)) is not Drained.EMPTY:
                time.sleep(0.01 if drained is Drained.BUSY else 0)

        all_at_once([work] * 8)
        connection.close()  # and read again as after a restart
        lane = Lane.objects.get(pk=lane_id)
        assert Link.objects.filter(lane=lane).count() == lane.sealed == 17  # the funding, and each round alone
        assert_chain_holds(lane)

    def test_102_who_is_committed_later_with_a_lower_number_is_not_lost(self) -> None:
        """The reader has gone past its number by then: nothing keeps a mark of how far it has read."""
        opened_house()
        by = caller()
        one, two = (reported(low(1), table=table) for table in ("UTH-01", "UTH-02"))
        earlier = Actor(lambda: receive(one, by=by), hold=True)
        [later] = receive(two, by=by)
        settle_all()
        assert Round.objects.get(pk=later).phase == "settled"
        [first] = earlier.commit()
        assert Queued.objects.get().source_ref == first
        settle_all()
        assert Round.objects.get(pk=first).phase == "settled"
        assert_books_agree()

    @pytest.mark.parametrize("table", ["tables_table", "jackpot_level"])
    def test_103_a_lock_that_is_not_to_be_had_is_no_verdict(self, table: str, clock: Clock) -> None:
        opened_house()
        client = key_client()
        with psycopg.connect(**connection.get_connection_params()) as other:
            other.execute(f"SELECT FROM {table} FOR UPDATE")
            with connection.cursor() as cursor:
                cursor.execute("SET lock_timeout = '50ms'")
            if table == "tables_table":
                answer = send(client, ROUNDS, example())
                assert (answer.status_code, answer["Retry-After"].isdigit()) == (503, True)
                assert Round.objects.count() == 0
            else:
                send(client, ROUNDS, example())
                with pytest.raises(OperationalError):
                    settle_all()
                assert Round.objects.get().phase == "complete"
        assert send(client, ROUNDS, example()).status_code == 202
        settle_all()
        assert Round.objects.get().phase == "settled"

    @pytest.mark.parametrize(("lock", "waits"), [("FOR NO KEY UPDATE", False), ("FOR UPDATE", True)])
    def test_106_a_locked_parent_lets_its_children_in(self, lock: str, waits: bool) -> None:
        """So a worker holds lane and levels; under the stronger lock, the negative control, rounds would wait."""
        opened_house()
        by = caller()

        def hold() -> None:
            with connection.cursor() as cursor:
                cursor.execute(f"SELECT FROM jackpot_lane {lock}")
                cursor.execute(f"SELECT FROM jackpot_level {lock}")

        worker = Actor(hold, hold=True)
        client = Actor(lambda: receive(reported(low(1)), by=by))
        if waits:
            client.wait_until_blocked()
        else:
            assert len(client.result()) == 1
        worker.commit()
        assert len(client.result()) == 1

    def test_106_a_worker_in_the_middle_of_its_batch_lets_rounds_in(self) -> None:
        opened_house()
        by = caller()
        receive(reported(low(1)), by=by)
        [lane_id] = queue.lanes_waiting()
        worker = Actor(lambda: settlement.drain(lane_id), hold=True)
        assert len(Actor(lambda: receive(reported(low(1), table="UTH-02"), by=by)).result()) == 1
        worker.commit()
        settle_all()
        assert_books_agree()

    def test_107_who_finds_a_lane_taken_leaves_and_waits_for_no_lock(self) -> None:
        opened_house()
        receive(reported(low(1)))
        [lane_id] = queue.lanes_waiting()
        worker = Actor(lambda: settlement.drain(lane_id), hold=True)
        assert all_at_once([lambda: settlement.drain(lane_id)] * 4) == [Drained.BUSY] * 4
        worker.commit()

    def test_98_without_a_row_to_lock_the_constraint_decides(self) -> None:
        """Two first requests of one id at two tables: both look, neither finds, one row comes of it."""
        opened_house()
        by = caller()
        calls: list[Callable[[], Any]] = [
            lambda table=table: ingest.receive(  # type: ignore[misc]
                caller=by, reports=[reported(low(1), table=table, external_id="K")], now=NOW
            )
            for table in ("UTH-01", "UTH-02", "UTH-03", "UTH-04")
        ]
        answers = [type(answer).__name__ for [answer] in all_at_once(calls)]
        assert sorted(answers) == ["Received", "Refused", "Refused", "Refused"]
        assert Round.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize("phase", ["void", "failed"])
def test_96_the_queued_twin_of_a_round_that_was_set_aside_does_nothing(phase: str) -> None:
    house()
    void = VoidReason.MALFUNCTION if phase == "void" else None
    [round_id] = receive(reported(low(1), void=void))
    if phase == "void":
        settle_all()
    else:
        with as_owner(past_guards=True) as cursor:  # as only its owner can: a round that cannot be read
            cursor.execute("UPDATE tables_round SET flop = ''")
        settle_all()
    assert Round.objects.get().phase == phase
    before = rows() | {"jackpot.Queued": 0, "tables.RoundEvent": 0}, levels()
    lane = Round.objects.get().lane_id
    for kind in ("whole", "completion"):
        Queued.objects.create(lane_id=lane, kind=kind, source_ref=round_id)
    settle_all()
    assert (rows() | {"jackpot.Queued": 0, "tables.RoundEvent": 0}, levels()) == before
