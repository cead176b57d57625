"""A round that can't be settled stands aside and keeps its accrual; the others settle, and it is tried again."""

from collections.abc import Sequence
from uuid import UUID

import psycopg
import pytest
from django.db import OperationalError, connection

from jackpot import services as jackpot
from jackpot.domain.accounts import Bet, float_of, side_of, win_of
from jackpot.domain.errors import Refused
from jackpot.models.awards import Award
from jackpot.models.jackpots import Jackpot, Level
from jackpot.models.lanes import Queued
from jackpot.models.ledger import Account, Entry
from jackpot.money import show_exact
from tables.domain.facts import Reported
from tables.models.rounds import BoxResult, Round
from tables.models.tables import Table
from tables.services import settlement
from tests.factories import (
    NOW,
    assert_books_agree,
    bare_table,
    caller,
    jackpot_with,
    low,
    play,
    receive,
    reported,
    settle_all,
    straight_flush,
)
from tests.factories.live import LiveRound
from tests.owner import as_owner
from tests.unit.builders import FOLD, USD

pytestmark = pytest.mark.django_db
HALF_OPEN = "T-99"
FLOAT, TRIPS = float_of(HALF_OPEN), win_of(HALF_OPEN, Bet.TRIPS)
LIMITS = pytest.mark.parametrize("limit", [1, 2, 3, 1_000])


def half_open_table(link: Jackpot, *, without: str) -> Table:
    """A table whose books were opened by hand and lack an account: what needs it can't be posted."""
    codes = {FLOAT, *(win_of(HALF_OPEN, bet) for bet in Bet)} - ({without} if without else set())
    open_accounts(link, *codes)
    like = link.tables.get()
    return bare_table(HALF_OPEN, like=like, link=link)


def open_accounts(link: Jackpot, *codes: str) -> None:
    accounts = [Account(code=code, side=side_of(code), site=link.home_site) for code in codes]
    Account.objects.bulk_create(accounts)


def meter(link: Jackpot) -> str:
    return show_exact(Level.objects.get(jackpot=link).meter, USD)


def phases(round_ids: Sequence[UUID]) -> list[str]:
    return [Round.objects.get(pk=pk).phase for pk in round_ids]


def entries(round_id: UUID) -> list[str]:
    found = Entry.objects.filter(source_ref__startswith=f"round:{round_id}").order_by("id")
    return list(found.values_list("kind", flat=True))


def five_rounds() -> list[Reported]:
    """The third one has Trips at the half-open table, whose result has no account to go to."""
    good = [reported(low(1), table="T-01") for _ in range(4)]
    return [*good[:2], reported(low(1, trips="5.00"), table=HALF_OPEN), *good[2:]]


@LIMITS
def test_the_bad_round_stands_aside_with_its_accrual_and_the_others_settle(limit: int) -> None:
    link = jackpot_with()
    half_open_table(link, without=TRIPS)
    round_ids = play(*five_rounds(), limit=limit)
    assert phases(round_ids) == ["settled", "settled", "failed", "settled", "settled"]
    bad = Round.objects.get(pk=round_ids[2])
    problem = bad.problem or {}
    assert problem["code"] == "not_settled"
    assert TRIPS in problem["detail"]
    assert bad.events.filter(kind="failed").exists()
    # all five contributed 0.20
    assert (entries(bad.pk), meter(link)) == (["lockout"], "10001.00000000")
    assert not BoxResult.objects.filter(round_id=bad.pk).exists()
    assert not Queued.objects.exists()
    assert_books_agree()


@LIMITS
def test_once_the_cause_is_gone_it_is_settled_and_locked_out_no_second_time(limit: int) -> None:
    link = jackpot_with()
    half_open_table(link, without=TRIPS)
    bad = play(*five_rounds())[2]
    settlement.retry(bad)
    settle_all()
    assert phases([bad]) == ["failed"]  # the cause is still there
    open_accounts(link, TRIPS)
    settlement.retry(bad)
    settle_all(limit)
    assert phases([bad]) == ["settled"]
    assert Round.objects.get(pk=bad).problem is None
    assert (entries(bad), meter(link)) == (["lockout", "settlement"], "10001.00000000")
    assert_books_agree()


def test_only_a_round_that_failed_is_retried() -> None:
    jackpot_with()
    (settled,) = play(reported(low(1), table="T-01"))
    (waiting,) = receive(reported(low(1), table="T-01"))
    for round_id in (settled, waiting):
        with pytest.raises(Refused, match="wrong_phase"):
            settlement.retry(round_id)
    assert Queued.objects.count() == 1


@LIMITS
def test_a_round_that_the_database_refuses_only_at_the_commit_stands_aside_too(limit: int) -> None:
    """A deferred guard that an operator added: the round was computed, written and then refused."""
    link = jackpot_with()
    reports = [reported(straight_flush(1), table="T-01", external_id=f"R{n}") for n in range(5)]
    round_ids = receive(*reports)
    with as_owner() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("""
            CREATE CONSTRAINT TRIGGER not_this_one AFTER UPDATE ON tables_round DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW WHEN (NEW.external_id = 'R2' AND NEW.phase = 'settled')
            EXECUTE FUNCTION jackpot_refuse_change()""")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
    settle_all(limit)
    assert phases(round_ids) == ["settled", "settled", "failed", "settled", "settled"]
    assert entries(round_ids[2]) == ["lockout"]
    assert Award.objects.filter(jackpot=link).count() == 4
    assert_books_agree()


def place(round_id: UUID, kind: str) -> None:
    rnd = Round.objects.get(pk=round_id)
    jackpot.enqueue([(rnd.lane_id, kind, rnd.pk)])


@LIMITS
@pytest.mark.parametrize("twin", [["lockout"], ["completion"], ["lockout", "completion"]])
def test_a_round_that_is_queued_twice_settles_once(twin: list[str], limit: int) -> None:
    link = jackpot_with()
    (round_id,) = receive(reported(straight_flush(1), table="T-01"))
    for kind in twin:
        place(round_id, kind)
    settle_all(limit)
    assert (phases([round_id]), entries(round_id)) == (["settled"], ["lockout", "settlement"])
    for kind in ("whole", *twin):  # and again, long after
        place(round_id, kind)
    settle_all(limit)
    assert entries(round_id) == ["lockout", "settlement"]
    assert meter(link) == "9000.18000000"  # 10,000.20 less 10% of it, 1,000.02
    assert_books_agree()


@LIMITS
def test_the_twin_of_a_round_that_stood_aside_does_nothing(limit: int) -> None:
    link = jackpot_with()
    half_open_table(link, without=TRIPS)
    (round_id,) = receive(reported(low(1, trips="5.00"), table=HALF_OPEN))
    place(round_id, "lockout")
    place(round_id, "completion")
    settle_all(limit)
    open_accounts(link, TRIPS)
    place(round_id, "completion")
    settle_all(limit)
    assert (phases([round_id]), entries(round_id)) == (["failed"], ["lockout"])
    assert_books_agree()


class TestLive:
    """A lock-out that can't be posted while its round is played: the round goes on, and so does its lane."""

    def locked(self) -> LiveRound:
        live = LiveRound(reported(low(1, decision=FOLD), table=HALF_OPEN, dealer=None), by=caller(), now=NOW)
        live.lock(now=NOW)
        return live

    def test_the_others_settle_and_it_stays_in_play(self) -> None:
        link = jackpot_with()
        half_open_table(link, without=FLOAT)
        round_id = self.locked().id
        (other,) = receive(reported(low(1), table="T-01"))
        settle_all()
        assert phases([round_id, other]) == ["locked", "settled"]
        assert Round.objects.get(pk=round_id).events.filter(kind="failed").exists()
        assert_books_agree()

    def test_it_is_locked_out_before_it_settles(self) -> None:
        link = jackpot_with()
        half_open_table(link, without=FLOAT)
        live = self.locked()
        settle_all()
        open_accounts(link, FLOAT)
        live.complete(now=NOW)
        settle_all()
        assert (phases([live.id]), entries(live.id)) == (["settled"], ["lockout", "settlement"])
        assert meter(link) == "10000.20000000"
        assert_books_agree()

    def test_where_the_cause_stays_it_fails_at_the_end(self) -> None:
        link = jackpot_with()
        half_open_table(link, without=FLOAT)
        live = self.locked()
        settle_all()
        live.complete(now=NOW)
        settle_all()
        assert (phases([live.id]), entries(live.id)) == (["failed"], [])
        open_accounts(link, FLOAT)
        settlement.retry(live.id)
        settle_all()
        assert (phases([live.id]), entries(live.id)) == (["settled"], ["lockout", "settlement"])
        assert_books_agree()


@pytest.mark.django_db(transaction=True)
def test_trouble_with_the_database_leaves_nothing_behind_and_the_queue_as_it_was() -> None:
    """A lock that is not to be had is no fault of a round: nothing is set aside, and the next turn settles it all."""
    link = jackpot_with()
    round_ids = receive(*[reported(low(1), table="T-01") for _ in range(3)])
    waiting = list(Queued.objects.order_by("id").values_list("id", flat=True))
    posted = Entry.objects.count()
    with psycopg.connect(**connection.get_connection_params()) as other:
        other.execute("SELECT FROM jackpot_level FOR UPDATE")
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '50ms'")
        with pytest.raises(OperationalError):
            settle_all()
    assert list(Queued.objects.order_by("id").values_list("id", flat=True)) == waiting
    assert (phases(round_ids), Entry.objects.count()) == (["complete"] * 3, posted)
    settle_all()
    assert (phases(round_ids), meter(link)) == (["settled"] * 3, "10000.60000000")
    assert_books_agree()
