"""A house of its own with rounds played into its jackpot: taken in and settled by the services, in this process."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils import timezone

from jackpot import services
from tables.demo.dealing import Session, deal
from tables.models.tables import Table
from tables.services import demo_data, houses, ingest, settlement
from tests.factories.shuffle import reported


@dataclass(frozen=True)
class House:
    """A site with tables linked to one jackpot, and a caller that may report their rounds."""

    site: services.Site
    jackpot: services.Jackpot
    tables: list[Table]
    caller: services.Caller


def a_house(
    code: str = "HOUSE", *, policy: dict[str, Any] | None = None, tables: int = 2, linked: bool = True
) -> House:
    """A new house under the default policy, with `policy` on top of it; `linked`: its tables play for its jackpot."""
    site = services.open_site(code=code, name=code)
    now = timezone.now()
    own = services.open_jackpot(
        code=f"{code}-JP",
        name=code,
        currency_code="USD",
        home_site=site,
        document=demo_data.policy_document() | (policy or {}),
        in_force_at=houses.PUBLISHED_AT,
        now=now,
    )
    rules = next(r for r in houses.publish_rule_sets() if r.code == "casino-progressive")
    opened = [
        houses.open_table(
            code=f"{code}-{n}",
            site=site,
            currency_code="USD",
            rule_set=rules,
            jackpot_of=own if linked else None,
        )
        for n in range(1, tables + 1)
    ]
    key = services.issue_key(integrator=code, sites=[code], scopes=list(services.Scope), now=now)
    caller = services.recognise(key, now=now)
    assert caller is not None
    return House(site, own, opened, caller)


def play(house: House, bodies: list[dict[str, Any]], *, limit: int = settlement.BATCH) -> list[ingest.Received]:
    """Report rounds and settle them, `limit` in a batch."""
    answers = ingest.receive(caller=house.caller, reports=[reported(body) for body in bodies], now=timezone.now())
    received = [answer for answer in answers if isinstance(answer, ingest.Received)]
    assert len(received) == len(bodies), answers
    while settlement.drain(received[0].lane_id, limit=limit) is not settlement.Drained.EMPTY:
        pass
    return received


def bodies(house: House, rounds: int, *, seed: int = 1) -> list[dict[str, Any]]:
    """Dealt rounds, among them the demo's rounds that hit."""
    now = timezone.now()
    codes = [table.code for table in house.tables]
    session = Session("run", seed, rounds, codes, opened=now - timedelta(seconds=rounds), closed=now)
    return [dealt.body for dealt in deal(session)]
