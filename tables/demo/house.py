"""The house a demo plays in: its own site, tables and jackpot, new each run, and a key to send rounds with."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from jackpot import services as jackpot
from tables.models.tables import Table
from tables.services import demo_data, houses

TABLES = 4
_SCOPES = (jackpot.Scope.ROUNDS_WRITE, jackpot.Scope.ROUNDS_READ, jackpot.Scope.JACKPOTS_READ)


@dataclass(frozen=True, slots=True)
class House:
    """`code` begins every code in it, and names its integrator."""

    code: str
    site: jackpot.Site
    progressive: jackpot.Jackpot
    tables: tuple[Table, ...]
    key: str


@transaction.atomic
def open_house(*, code: str, now: datetime) -> House:
    """A site with four tables that feed one jackpot under the default policy, base 10,000.00."""
    rules = next(rule_set for rule_set in houses.publish_rule_sets() if rule_set.code == "casino-progressive")
    site = jackpot.open_site(code=code, name=f"Demo {code}")
    progressive = demo_data.open_demo_jackpot(code=f"{code}-JP", name=f"Demo progressive {code}", site=site, now=now)
    tables = tuple(
        houses.open_table(
            code=f"{code}-{n:02d}", site=site, currency_code="USD", rule_set=rules, jackpot_of=progressive
        )
        for n in range(1, TABLES + 1)
    )
    key = jackpot.issue_key(integrator=f"Demo {code}", sites=[code], scopes=_SCOPES, now=now, days=1)
    return House(code, site, progressive, tables, key)
