"""Webhooks over a real broker: senders read a queue of their own."""

import json
from pathlib import Path

from django.utils import timezone

from config.processes import Fleet
from jackpot.webhooks import endpoints
from tests.factories import caller, jackpot_with, low, receive, reported, royal
from tests.faults.service import wait_until
from tests.receivers import receiver


def test_what_a_worker_settles_a_sender_brings_to_its_receiver(
    service: dict[str, str], books: None, tmp_path: Path
) -> None:
    jackpot_with(tables=("T-01",))
    me = caller()
    variables = {**service, "WEBHOOK_PRIVATE_ADDRESSES": "true"}
    with receiver() as here, Fleet(log_dir=tmp_path, environment=variables) as fleet:
        endpoints.add(integrator="Acme", url=here.url, types=(), private=True, now=timezone.now())
        receive(reported(royal(1), low(2), table="T-01"), by=me, now=timezone.now())
        fleet.worker(pool="solo")
        fleet.webhooks()
        fleet.beat()
        wait_until(lambda: len(here.got) >= 4, "every event at its receiver")
    assert {json.loads(got.body)["type"] for got in here.got} == {
        "round.settled", "jackpot.hit", "jackpot.reset", "envy.awarded",
    }  # fmt: skip
