"""Webhooks by real processes: sent by workers of their own, at least once, whatever dies and whoever hangs."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from standardwebhooks import Webhook

from config import presence
from config.processes import Fleet
from jackpot.models.events import Event
from jackpot.models.jackpots import Jackpot
from jackpot.models.webhooks import Delivery
from jackpot.webhooks import endpoints
from tables import tasks
from tests import receivers
from tests.factories import caller, house, low, receive, reported, royal
from tests.faults import service
from tests.owner import application_url
from tests.receivers import Receiver, receiver

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def fleet(transactional_db: None, tmp_path: Path) -> Iterator[Fleet]:
    environment = {"DATABASE_URL": application_url(), "WEBHOOK_PRIVATE_ADDRESSES": "true"}
    with Fleet(log_dir=tmp_path, environment=environment) as started:
        yield started


@pytest.fixture
def here() -> Iterator[Receiver]:
    with receiver() as made:
        yield made


@pytest.fixture
def main(transactional_db: None) -> Jackpot:
    return house().jackpot


def told_at(here: Receiver, *types: str) -> endpoints.Added:
    return endpoints.add(integrator="Acme", url=here.url, types=types, private=True, now=timezone.now())


def play(main: Jackpot, me: Any, rounds: int = 3) -> None:
    receive(*(reported(royal(1), low(2)) for _ in range(rounds)), by=me, now=timezone.now())
    tasks.wake([main.lane.pk])


def test_workers_of_their_own_send_what_others_settle(fleet: Fleet, main: Jackpot, here: Receiver) -> None:
    me = caller()
    hook = told_at(here)
    with receiver(receivers.hangs) as hanging:
        told_at(hanging)
        sender = fleet.webhooks()
        play(main, me)
        service.wait_until(lambda: _sessions(presence.WEBHOOKS_NAME), "the sender")
        # It sends webhooks and settles nothing.
        assert not presence.any_worker()
        assert Event.objects.count() == 0

        fleet.worker(pool="solo")
        service.wait_until_settled(main)
        service.wait_until(lambda: len(here.got) >= 12, "every event at its receiver, beside one that hangs")
        assert len(hanging.got) == 1
        assert sender.exit_code is None
    assert sorted(here.ids()) == sorted(str(pk) for pk in Event.objects.values_list("pk", flat=True))
    for got in here.got:
        Webhook(hook.secret).verify(got.body, got.headers)
    of_jackpot = [said["seq"] for got in here.got if (said := json.loads(got.body))["type"].startswith("jackpot.")]
    assert of_jackpot == sorted(of_jackpot) and len(of_jackpot) == 6


def test_a_settling_worker_sends_nothing(fleet: Fleet, main: Jackpot, here: Receiver) -> None:
    """And what it left is found by the look of beat once there is a sender."""
    me = caller()
    told_at(here)
    fleet.worker(pool="solo")
    play(main, me, rounds=1)
    service.wait_until_settled(main)
    assert here.got == []
    fleet.webhooks()
    fleet.beat()
    service.wait_until(lambda: len(here.got) >= 4, "every event at its receiver")


def test_what_a_killed_sender_had_in_hand_is_sent_again_with_the_same_id(
    fleet: Fleet, main: Jackpot, here: Receiver
) -> None:
    me = caller()
    told_at(here, "round.settled")
    here.way = receivers.hangs
    fleet.worker(pool="solo")
    victim = fleet.webhooks(name="victim")
    play(main, me, rounds=1)
    service.wait_until(lambda: here.got, "the first attempt")
    victim.kill()
    here.way = receivers.takes
    assert Delivery.objects.get().state == "pending"
    Delivery.objects.update(leased_to=timezone.now())  # half a minute later
    fleet.webhooks(name="heir")
    fleet.beat()
    service.wait_until(lambda: Delivery.objects.get().state == "delivered", "the second attempt")
    assert len(here.got) == 2 and len(set(here.ids())) == 1
    assert Delivery.objects.get().attempts == 2


def _sessions(name: str) -> bool:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT FROM pg_stat_activity WHERE application_name = %s)", [name])
        return bool(cursor.fetchone()[0])
