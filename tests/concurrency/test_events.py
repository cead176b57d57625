"""Two that publish at once: no gap, and no number that appears behind one that was read (known failure 102)."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction

from jackpot.domain.events import Event as Told
from jackpot.domain.events import EventType
from jackpot.models.clients import Integrator
from jackpot.models.events import Event
from jackpot.services import events
from tables.services import settlement
from tests.concurrency.actors import Actor, all_at_once
from tests.factories import NOW, caller, jackpot_with, low, receive, reported, royal
from tests.owner import as_owner

pytestmark = pytest.mark.django_db(transaction=True)


def tell(*integrators: Integrator, count: int = 1) -> None:
    with transaction.atomic():
        events.publish([Told(each.pk, EventType.DAY_CLOSED, NOW, {}) for each in integrators for _ in range(count)])


def read_after(seq: int) -> list[int]:
    return list(Event.objects.filter(seq__gt=seq).order_by("seq").values_list("seq", flat=True))


@pytest.fixture
def acme(transactional_db: None) -> Integrator:
    made = Integrator.objects.create(name="Acme")
    tell(made)
    return made


def test_without_the_counter_a_reader_misses_what_commits_late(acme: Integrator) -> None:
    """The negative control: numbers from a sequence, as ids are. The reader goes on from 2, and 1 comes behind it."""
    with as_owner() as cursor:
        cursor.execute("CREATE TABLE told (seq bigserial)")
        cursor.execute("GRANT ALL ON told, told_seq_seq TO PUBLIC")
    try:
        slow = Actor(_tell_by_sequence, hold=True)
        _tell_by_sequence()
        assert _told() == [2]
        slow.commit()
        assert [seq for seq in _told() if seq > 2] == []
        assert _told() == [1, 2]
    finally:
        with as_owner() as cursor:
            cursor.execute("DROP TABLE told")


def test_who_publishes_waits_for_who_has_a_number(acme: Integrator) -> None:
    slow = Actor(lambda: tell(acme, count=2), hold=True)
    quick = Actor(lambda: tell(acme))
    quick.wait_until_blocked()
    assert read_after(0) == [1]
    slow.commit()
    quick.result()
    assert read_after(1) == [2, 3, 4]


def test_two_first_events_of_an_integrator_at_once(transactional_db: None) -> None:
    """There is no row to lock yet (known failure 98)."""
    new = Integrator.objects.create(name="New")
    slow = Actor(lambda: tell(new), hold=True)
    quick = Actor(lambda: tell(new))
    quick.wait_until_blocked()
    slow.commit()
    quick.result()
    assert read_after(0) == [1, 2]


def test_a_rolled_back_number_is_given_again(acme: Integrator) -> None:
    def lost() -> None:
        with transaction.atomic():
            tell(acme)
            transaction.set_rollback(True)

    all_at_once([lost, lambda: tell(acme), lost, lambda: tell(acme), lost])
    assert read_after(0) == [1, 2, 3]


def test_counters_are_taken_in_one_order(transactional_db: None) -> None:
    """Whatever the order of the events: no deadlock (known failure 56)."""
    ours = [Integrator.objects.create(name=f"I-{n}") for n in range(4)]

    def many(*order: Integrator) -> Any:
        def work() -> None:
            for _ in range(10):
                tell(*order)

        return work

    all_at_once([many(*ours), many(*reversed(ours)), many(*ours[2:], *ours[:2])])
    for each in ours:
        assert list(each.events.order_by("seq").values_list("seq", flat=True)) == list(range(1, 31))


def test_a_counter_that_is_held_stops_no_round_from_coming_in(acme: Integrator) -> None:
    """Nothing points to it (known failure 106): only who has something to tell waits."""
    link = jackpot_with()
    me = caller()
    holder = Actor(lambda: tell(acme), hold=True)
    assert len(receive(reported(low(1), table="T-01"), by=me)) == 1
    caller()  # a new key of this integrator
    holder.commit()
    assert settlement.drain(link.lane.pk) is settlement.Drained.SOME


def test_two_drains_at_once(transactional_db: None) -> None:
    """Two lanes of one integrator, and a reader that follows: it sees every number once, in order."""
    links = [jackpot_with(code=f"L-{n}", tables=(f"T-{n}",)) for n in (1, 2)]
    me = caller()
    for number in (1, 2):
        for second in range(8):
            at = NOW - timedelta(seconds=second)
            receive(reported(royal(1), low(2), table=f"T-{number}", at=at), by=me)

    def drains(lane_id: int) -> Any:
        def work() -> None:
            while settlement.drain(lane_id, limit=1) is not settlement.Drained.EMPTY:
                pass

        return work

    def follows() -> list[int]:
        seen: list[int] = []
        while len(seen) < 2 * 8 * 4:
            seen += read_after(seen[-1] if seen else 0)
        return seen

    *_, seen = all_at_once([*(drains(link.lane.pk) for link in links), follows])
    assert seen == list(range(1, 2 * 8 * 4 + 1))


def _tell_by_sequence() -> None:
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO told DEFAULT VALUES")


def _told() -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT seq FROM told ORDER BY seq")
        return [seq for (seq,) in cursor.fetchall()]
