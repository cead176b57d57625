"""A round that can't be settled is set aside, visibly, and the others of its batch go on (known failures 96, 97)."""

from collections.abc import Callable
from uuid import UUID

import pytest
from django.db import OperationalError

from jackpot.models.ledger import Entry
from jackpot.selectors import books, queue
from tables.models.rounds import BoxResult, Round
from tables.services import settlement
from tests.factories import House, low, receive, reported, royal, settle_all
from tests.owner import as_owner

pytestmark = pytest.mark.django_db

FUNCTION = """
    CREATE FUNCTION pg_temp.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'not this one' USING ERRCODE = '{code}', CONSTRAINT = 'not_this_one'; END $$;
"""
AT_ONCE = "CREATE TRIGGER bad BEFORE INSERT ON tables_boxresult FOR EACH ROW WHEN (NEW.round_id = '{bad}')"
AT_COMMIT = (
    "CREATE CONSTRAINT TRIGGER bad AFTER INSERT ON tables_boxresult DEFERRABLE INITIALLY DEFERRED"
    " FOR EACH ROW WHEN (NEW.round_id = '{bad}')"
)
ITS_LOCK_OUT = "CREATE TRIGGER bad BEFORE INSERT ON jackpot_entry FOR EACH ROW WHEN (NEW.source_ref = 'round:{bad}')"


def _refuse(trigger: str, bad: UUID, code: str = "check_violation") -> None:
    """Let PostgreSQL refuse one round's row."""
    with as_owner() as cursor:
        cursor.execute(FUNCTION.format(code=code))
        cursor.execute(f"{trigger.format(bad=bad)} EXECUTE FUNCTION pg_temp.refuse()")


def _refuse_no_more() -> None:
    with as_owner() as cursor:
        cursor.execute("DROP FUNCTION pg_temp.refuse CASCADE")


def _take_its_cards_away(bad: UUID) -> None:
    """As only a hand in the database could: an error in Python, not in PostgreSQL."""
    with as_owner(past_guards=True) as cursor:
        cursor.execute("UPDATE tables_round SET flop = '' WHERE id = %s", [bad])


def _refused_at_once(bad: UUID) -> None:
    _refuse(AT_ONCE, bad)


def _refused_at_commit(bad: UUID) -> None:
    _refuse(AT_COMMIT, bad)


def _ten_rounds() -> list[UUID]:
    return receive(*(reported(royal() if n == 7 else low(), table=f"UTH-0{n % 4 + 1}") for n in range(10)))


@pytest.mark.parametrize("spoil", [_refused_at_once, _refused_at_commit, _take_its_cards_away])
@pytest.mark.parametrize("limit", [1, 3, 1_000])
@pytest.mark.parametrize("place", [0, 4, 9])
def test_the_bad_round_stands_alone(demo: House, spoil: Callable[[UUID], None], limit: int, place: int) -> None:
    rounds = _ten_rounds()
    spoil(rounds[place])
    settle_all(limit)

    failed = Round.objects.get(pk=rounds[place])
    assert (failed.phase, failed.version) == ("failed", 0)
    assert failed.problem is not None and failed.problem["code"] == "not_settled"
    assert failed.events.filter(kind="failed").count() == 1
    assert not BoxResult.objects.filter(round=failed).exists()
    assert list(Entry.objects.filter(source_ref__startswith=f"round:{failed.id}").values_list("kind", flat=True)) == [
        "lockout"
    ], "it keeps its accrual"
    assert Round.objects.filter(phase="settled", version=1).count() == 9
    assert Entry.objects.filter(kind="settlement").count() == 9
    assert BoxResult.objects.count() == 9
    assert all(check.agrees for check in books.check_pots(demo.jackpot))


def test_a_failed_round_is_settled_when_it_is_tried_again_and_its_lock_out_only_once(demo: House) -> None:
    rounds = _ten_rounds()
    _refused_at_commit(rounds[2])
    settle_all()
    _refuse_no_more()
    settlement.retry(rounds[2])
    settle_all()

    assert Round.objects.filter(phase="settled").count() == 10
    assert Entry.objects.filter(kind="lockout").count() == 10
    assert Round.objects.get(pk=rounds[2]).problem is None


def test_a_round_whose_lock_out_is_refused_is_not_paid_and_can_be_tried_again(demo: House) -> None:
    rounds = _ten_rounds()
    _refuse(ITS_LOCK_OUT, rounds[7])
    settle_all()
    assert Round.objects.get(pk=rounds[7]).phase == "failed"
    assert not Entry.objects.filter(source_ref__startswith=f"round:{rounds[7]}").exists()

    _refuse_no_more()
    settlement.retry(rounds[7])
    settle_all()
    assert Round.objects.filter(phase="settled").count() == 10
    assert all(check.agrees for check in books.check_pots(demo.jackpot))


@pytest.mark.parametrize("code", ["deadlock_detected", "serialization_failure", "lock_not_available", "disk_full"])
@pytest.mark.parametrize("rounds", [1, 10])
def test_the_databases_trouble_is_raised_and_no_round_is_blamed(demo: House, code: str, rounds: int) -> None:
    """Known failure 103; nothing of the batch is written, and the queue still holds all of it."""
    waiting = receive(*(reported(low()) for _ in range(rounds)))
    _refuse(AT_ONCE, waiting[0], code)
    with pytest.raises(OperationalError):
        settlement.drain(demo.jackpot.lane.pk)

    assert set(Round.objects.values_list("phase", flat=True)) == {"complete"}
    assert not Entry.objects.exclude(kind="reset").exists()
    _refuse_no_more()
    settle_all()
    assert Round.objects.filter(phase="settled").count() == rounds
    assert not queue.lanes_waiting()


@pytest.mark.parametrize("limit", [1, 1_000])
def test_a_round_that_cannot_even_be_read_stands_alone(demo: House, limit: int) -> None:
    """What no code of ours can have written: neither its lock-out nor its settlement is posted, the others go on."""
    rounds = _ten_rounds()
    with as_owner(past_guards=True) as cursor:
        cursor.execute("UPDATE tables_box SET action = 'raise' WHERE round_id = %s", [rounds[4]])
    settle_all(limit)
    failed = Round.objects.get(pk=rounds[4])
    assert (failed.phase, (failed.problem or {})["code"]) == ("failed", "not_settled")
    assert not Entry.objects.filter(source_ref__startswith=f"round:{failed.id}").exists()
    assert Round.objects.filter(phase="settled").count() == 9


def test_a_batch_ends_where_it_has_enough_boxes(demo: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A lane of wide rounds is settled in short transactions; a round wider than that is settled alone."""
    monkeypatch.setattr(settlement, "MOST_BOXES", 3)
    receive(
        *(reported(*(low(n, pair=pair) for n, pair in enumerate(PAIRS[:boxes], start=1))) for boxes in (1, 2, 1, 4))
    )
    settled = []
    while settlement.drain(demo.jackpot.lane.pk) is settlement.Drained.SOME:
        settled.append(Round.objects.filter(phase="settled").count())
    assert settled == [2, 3, 4]


PAIRS = ("2c 7d", "3d 8h", "4c 9d", "5h 6c")
