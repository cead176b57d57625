"""Houses: the demo data, and jackpots, rule sets and tables with settings of their own."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from jackpot import services as jackpot
from jackpot.models.jackpots import Jackpot, PolicyVersion
from jackpot.models.sites import Site
from jackpot.services.changes import policies
from tables.models.rulesets import RuleSet, RuleSetVersion
from tables.models.tables import Table, TableSetup
from tables.rulesets import published
from tables.services import demo_data, houses
from tests.factories.clients import NOW, SiteFactory, person
from tests.factories.copies import made_once

_LEVEL_KEYS = {"base", "increment_ppm", "reserve_ppm", "limit"}


@dataclass(frozen=True, slots=True)
class House:
    """A site and its jackpot; ask again for rows that a settlement changed."""

    site: Site
    jackpot: Jackpot

    def table(self, code: str = "UTH-01") -> Table:
        return Table.objects.get(code=code)


@made_once
def house() -> House:
    """The demo data: site DEMO, jackpot MAIN, tables UTH-01 to UTH-04 and one for each other rule set."""
    demo_data.load(now=NOW)
    return House(Site.objects.get(code="DEMO"), Jackpot.objects.get(code="MAIN"))


def policy(**overrides: Any) -> dict[str, Any]:
    """The demo's policy document with some keys changed; `base`, `limit`, `increment_ppm` and `reserve_ppm` are those
    of its one level.
    """
    return _changed(demo_data.policy_document(), overrides)


def _changed(document: dict[str, Any], overrides: dict[str, Any]) -> dict[str, Any]:
    level = {key: overrides.pop(key) for key in _LEVEL_KEYS & overrides.keys()}
    document = document | overrides
    if level:
        document["levels"] = [one | level for one in document["levels"]]
    return document


def ask_policy(
    link: Jackpot, *, by: str = "ann", at: datetime = NOW, reason: str = "rates", note: str = "", **overrides: Any
) -> UUID:
    """Ask for the policy approved last with some keys changed, those of `policy` (None: left out)."""
    document = _changed(link.policies.latest("version").document, overrides)
    document = {key: value for key, value in document.items() if value is not None}
    return houses.ask_for_policy(
        caller=person(by), linked=link, document=document, reason=reason, note=note, now=at - timedelta(minutes=5)
    )


def change_policy(link: Jackpot, *, at: datetime = NOW, reason: str = "rates", **overrides: Any) -> PolicyVersion:
    """A new version of a jackpot's policy, in force from `at` on: ann asks, ben approves."""
    request_id = ask_policy(link, at=at, reason=reason, **overrides)
    return policies.approve_policy(caller=person("ben"), request_id=request_id, now=at)


@made_once
def jackpot_with(
    *, code: str = "LINK", site: Site | None = None, tables: tuple[str, ...] = ("T-01",), currency: str = "USD",
    at: datetime = houses.PUBLISHED_AT, rules: RuleSet | None = None, now: datetime = NOW, **overrides: Any,
) -> Jackpot:  # fmt: skip
    """A jackpot under `policy(**overrides)`, its levels funded, with tables linked to it (`rules`: their rule set,
    casino-progressive where not given).
    """
    home: Site = site or SiteFactory.create()
    made = jackpot.open_jackpot(
        code=code,
        name=code,
        currency_code=currency,
        home_site=home,
        document=policy(**overrides),
        in_force_at=at,
        now=now,
    )
    for table_code in tables:
        table_with(code=table_code, site=home, link=made, rules=rules)
    return made


def rule_set_with(code: str = "house-rules", *, like: str = "casino-progressive", **settings: Any) -> RuleSet:
    """A rule set of its own: a shipped one's document with some settings changed."""
    rule_set = RuleSet.objects.create(code=code, name=code)
    document = published()[like] | settings
    RuleSetVersion.objects.create(rule_set=rule_set, version=1, document=document, in_force_at=houses.PUBLISHED_AT)
    return rule_set


def table_with(
    code: str = "T-01",
    *,
    site: Site,
    link: Jackpot | None = None,
    rules: RuleSet | str | None = None,
    currency: str | None = None,
) -> Table:
    """A table with its accounts, in its jackpot's currency or USD; `rules` is a rule set or a shipped one's code."""
    if not isinstance(rules, RuleSet):
        houses.publish_rule_sets()
        rules = RuleSet.objects.get(code=rules or "casino-progressive")
    code_of = currency or (link.currency_code if link else "USD")
    return houses.open_table(code=code, site=site, currency_code=code_of, rule_set=rules, jackpot_of=link)


def bare_table(code: str, *, like: Table, link: Jackpot | None = None) -> Table:
    """A table set up as another one, or without its jackpot, whose books were never opened: what needs an account of it
    can't be posted.
    """
    lane = link.lane if link else like.site.lane
    setup = {"rule_set": like.rule_set, "jackpot": link, "lane": lane}
    table = Table.objects.create(code=code, name=code, site=like.site, currency_code="USD", **setup)
    TableSetup.objects.create(table=table, number=1, in_force_at=houses.PUBLISHED_AT, **setup)
    return table
