"""Days drawn at random, under policies drawn at random: every report foots, and the reports agree with one another.

And the other way round: what is falsified past the guards is shown as a difference.
"""

import random
from datetime import date, timedelta
from typing import Any

import pytest

from jackpot.domain.callers import READ_SCOPES, Caller
from jackpot.models.jackpots import Jackpot
from jackpot.models.ledger import Leg
from jackpot.reports import REPORTS, Asked, Report
from tables.models.rounds import BoxResult, Round
from tables.reports import REPORTS as OF_ROUNDS
from tables.selectors.tables import jackpots_linked
from tests.api.reporting import NOON, site_with_days
from tests.factories import (
    caller,
    jackpot_with,
    play,
    receive,
    reported,
    royal,
    rule_set_with,
    settle_all,
    shuffle,
    table_with,
)
from tests.factories.documents import policy_document, rules_document
from tests.factories.random_rounds import RandomRounds
from tests.factories.random_settings import random_policy, random_rules
from tests.owner import as_owner
from tests.unit.builders import usd

DAY = shuffle.FIRST_ROUND.date()
AUDITOR = Caller(scopes=READ_SCOPES, user_id=1)
HOUSES = 4
ROUNDS = 40


def made(name: str, link: Jackpot, *, by: Caller = AUDITOR, day: date = DAY) -> Report:
    asked = Asked(caller=by, day=day, made_at=NOON, made_by="", linked=jackpots_linked, jackpot=link)
    return {**REPORTS, **OF_ROUNDS}[name](asked)


def cells(report: Report, column: str) -> list[Any]:
    n = [column.name for column in report.columns].index(column)
    return [line.cells[n] for line in report.lines]


def total(report: Report, column: str) -> int:
    found = report.totals.cells[[column.name for column in report.columns].index(column)]
    assert found == sum(cell or 0 for cell in cells(report, column))
    assert isinstance(found, int)
    return found


@pytest.fixture(params=range(HOUSES))
def link(request: pytest.FixtureRequest, db: None) -> Jackpot:
    return random_link(request.param)


def random_link(seed: int) -> Jackpot:
    """A jackpot with two tables at its home and one at another site; two integrators send its rounds by turns."""
    draw = random.Random(seed)
    settings, rules = random_policy(draw), {code: random_rules(draw, shared=code == "C") for code in "ABC"}
    home, away = (site_with_days(code, DAY, DAY + timedelta(days=1)) for code in ("HOME", "AWAY"))
    opened = jackpot_with(code="LINK", site=home, tables=(), now=shuffle.FIRST_ROUND, **policy_document(settings))
    for code, site in (("A", home), ("B", home), ("C", away)):
        table_with(code, site=site, link=opened, rules=rule_set_with(code.lower(), **rules_document(rules[code])))
    rounds = RandomRounds(draw, rules, settings)
    callers = [caller(integrator=name) for name in ("Acme", "Rival")]
    for _ in range(ROUNDS):
        receive(shuffle.reported(rounds.round()), by=draw.choice(callers))
        if draw.random() < 0.3:
            settle_all()
    settle_all()
    return opened


def test_reports_foot_and_agree(link: Jackpot) -> None:
    _agree(link)
    _parts_add_up(link)


def _agree(link: Jackpot) -> None:
    rolled, posted, tables = (made(name, link) for name in ("roll-forward", "expected-posted", "tables"))
    awards, owed, sites = (made(name, link) for name in ("awards", "liabilities", "by-site"))
    settled = Round.objects.filter(gaming_day=DAY, version__gt=0)
    assert len(posted.lines) == settled.count() > ROUNDS / 2
    assert set(cells(rolled, "difference")) | set(cells(posted, "difference")) == {0}
    assert total(posted, "contribution_posted") == total(posted, "contribution_expected")

    contributed = total(rolled, "contribution")
    assert contributed == total(sites, "contributed")
    assert total(rolled, "void") == total(sites, "voided")
    assert total(tables, "contributed") == total(posted, "contribution_posted") + total(rolled, "void")
    waiting = contributed - total(posted, "contribution_posted")  # of rounds whose void waits for a second person
    assert waiting == 0 or Round.objects.filter(phase="failed").exists()

    assert total(tables, "returned") == total(posted, "returned_posted")
    assert total(tables, "envy") == total(posted, "envy_posted") == total(sites, "envy")
    assert total(awards, "amount") == total(sites, "awarded") + total(sites, "envy")
    assert total(sites, "awarded") == -total(rolled, "award")
    assert total(sites, "hits") + total(sites, "envies") == len(awards.lines)
    assert owed.checks["difference"] == 0
    assert owed.checks["ledger"] == total(owed, "amount") <= total(awards, "amount")

    following = made("roll-forward", link, day=DAY + timedelta(days=1))
    assert cells(following, "opening") == cells(rolled, "closing")


def _parts_add_up(link: Jackpot) -> None:
    """What the keys read is together what staff read."""
    keys = [caller(integrator=name) for name in ("Acme", "Rival")]
    for name, columns in {
        "tables": ("handle", "returned", "contributed", "envy", "accrual_result"),
        "expected-posted": ("returned_posted", "envy_posted", "contribution_posted"),
        "awards": ("amount",), "liabilities": ("amount",), "voids": ("staked", "cancelled_prize"), "late": ("staked",),
    }.items():  # fmt: skip
        whole, parts = made(name, link), [made(name, link, by=key) for key in keys]
        for column in columns:
            assert total(whole, column) == sum(total(part, column) for part in parts), (name, column)


def past_the_guards(sql: str, *parameters: Any) -> None:
    """What only the owner of the database can do."""
    with as_owner(past_guards=True) as cursor:
        cursor.execute(sql, parameters)
        assert cursor.rowcount == 1


@pytest.fixture
def one_hit(db: None) -> Jackpot:
    site = site_with_days("HOME", DAY)
    opened = jackpot_with(site=site, now=shuffle.FIRST_ROUND)
    play(reported(royal(1), table="T-01", at=shuffle.FIRST_ROUND + timedelta(hours=1)), by=caller(site))
    assert set(cells(made("expected-posted", opened), "difference")) == {0}
    return opened


def test_a_falsified_result_is_a_difference(one_hit: Jackpot) -> None:
    """Two errors that cancel each other in the sum are two differences."""
    past_the_guards("UPDATE tables_boxresult SET ante = ante + 100, blind = blind - 100")
    found = made("expected-posted", one_hit)
    assert cells(found, "returned_expected") == cells(found, "returned_posted")
    assert cells(found, "difference") == [200]


def test_a_falsified_share_is_a_difference(one_hit: Jackpot) -> None:
    past_the_guards("UPDATE tables_boxresult SET progressive = progressive - %s", usd("0.01"))
    assert cells(made("expected-posted", one_hit), "difference") == [usd("0.01")]
    assert BoxResult.objects.get().progressive == usd("10000.19")


def test_a_falsified_contribution_is_a_difference(one_hit: Jackpot) -> None:
    past_the_guards("UPDATE jackpot_statementrow SET amount = amount + 7, after = after + 7"
                    " WHERE kind = 'contribution' AND pot = 'meter'")  # fmt: skip
    assert cells(made("expected-posted", one_hit), "difference") == [7]
    rolled = made("roll-forward", one_hit)
    assert cells(rolled, "difference")[0] > 0


def test_a_falsified_ledger_is_a_difference(one_hit: Jackpot) -> None:
    leg = Leg.objects.get(account__code="awards:LINK")
    past_the_guards("UPDATE jackpot_leg SET amount = amount + 5 WHERE entry_id = %s AND position = %s",
                    leg.entry_id, leg.position)  # fmt: skip
    assert made("liabilities", one_hit).checks["difference"] == 5
