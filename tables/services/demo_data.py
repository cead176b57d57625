"""The demo data with its fixed codes, on which outside clients start, and a jackpot document to copy from."""

from datetime import datetime
from typing import Any

from django.db import transaction

from jackpot import services as jackpot
from tables.models.tables import Table
from tables.services import houses

PROGRESSIVE_TABLES = ("UTH-01", "UTH-02", "UTH-03", "UTH-04")
OTHER_TABLES = {
    "LIVE-01": "live-shared",
    "ONL-01": "live-online",
    "EARLY-01": "casino-fold-early",
    "PRAC-01": "practice",
}


def policy_document() -> dict[str, Any]:
    """The default jackpot policy: one level, base 10,000.00, 20% of each 1.00 stake to the meter, 2% to the reserve."""
    multiples = {"four_of_a_kind": 300, "full_house": 50, "flush": 40, "straight": 30, "three_of_a_kind": 9}
    return {
        "stake": "1.00",
        "progressive_table": [
            {"hand": "royal_flush", "basis": "meter_share", "level": "main", "ppm": 1_000_000},
            {"hand": "straight_flush", "basis": "meter_share", "level": "main", "ppm": 100_000},
            *({"hand": hand, "basis": "for_one", "odds": odds} for hand, odds in multiples.items()),
        ],
        "envy_table": {"royal_flush": "1000.00", "straight_flush": "300.00"},
        "levels": [
            {"code": "main", "base": "10000.00", "increment_ppm": 200_000, "reserve_ppm": 20_000, "limit": None}
        ],
    }


@transaction.atomic
def load(*, now: datetime) -> None:
    """Site DEMO with its tables and the jackpot MAIN; does nothing where they are there."""
    rule_sets = {rule_set.code: rule_set for rule_set in houses.publish_rule_sets()}
    if Table.objects.filter(code=PROGRESSIVE_TABLES[0]).exists():
        return
    site = jackpot.open_site(code="DEMO", name="Demo casino")
    main = open_demo_jackpot(code="MAIN", name="Main progressive", site=site, now=now)
    for code in PROGRESSIVE_TABLES:
        rules = rule_sets["casino-progressive"]
        houses.open_table(code=code, site=site, currency_code="USD", rule_set=rules, jackpot_of=main)
    for code, rule_set in OTHER_TABLES.items():
        houses.open_table(code=code, site=site, currency_code="USD", rule_set=rule_sets[rule_set])


def open_demo_jackpot(*, code: str, name: str, site: jackpot.Site, now: datetime) -> jackpot.Jackpot:
    """A jackpot under the default policy, in force since before any round that is reported."""
    return jackpot.open_jackpot(
        code=code,
        name=name,
        currency_code="USD",
        home_site=site,
        document=policy_document(),
        in_force_at=houses.PUBLISHED_AT,
        now=now,
    )
