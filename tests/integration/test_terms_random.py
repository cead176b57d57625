"""Random days under policies that change again and again: everything is proved, and what is expected is posted."""

import random
from datetime import timedelta
from typing import Any

import pytest

from jackpot.models.jackpots import Jackpot
from jackpot.models.terms import TermsChange
from tests.api.reporting import site_with_days
from tests.factories import (
    assert_books_agree,
    caller,
    change_policy,
    jackpot_with,
    receive,
    rule_set_with,
    settle_all,
    shuffle,
    table_with,
)
from tests.factories.documents import policy_document, rules_document
from tests.factories.random_rounds import RandomRounds
from tests.factories.random_settings import random_policy, random_rules
from tests.integration.test_reports_random import DAY, cells, made

pytestmark = pytest.mark.django_db
ROUNDS = 30


def other_levels(draw: random.Random, link: Jackpot) -> list[dict[str, Any]]:
    """The jackpot's levels with other figures; a limit lies above base and meter."""
    left, found = 1_000_000, []
    for level in link.levels.order_by("position"):
        increment = draw.choice([0, 7_500, 100_000, 200_000])
        reserve = draw.choice([0, 1, 50_000])
        left -= increment + reserve
        base = draw.choice([0, 1, 3_333, 100_000])
        least = max(base, level.meter // 1_000_000 + 1)
        limit = None if draw.random() < 0.3 else least + draw.choice([1, 30, 777])
        found.append({
            "code": level.code, "base": f"{base / 100:.2f}", "increment_ppm": increment, "reserve_ppm": reserve,
            "limit": None if limit is None else f"{limit / 100:.2f}",
        })  # fmt: skip
    assert left >= 0
    return found


@pytest.mark.parametrize("seed", range(2))
def test_whatever_was_changed_when_the_books_are_proved(seed: int) -> None:
    draw = random.Random(seed)
    settings, rules = random_policy(draw), {code: random_rules(draw, shared=code == "B") for code in "AB"}
    site = site_with_days("HOME", DAY, DAY + timedelta(days=1))
    link = jackpot_with(code="LINK", site=site, tables=(), now=shuffle.FIRST_ROUND, **policy_document(settings))
    for code, setting in rules.items():
        table_with(code, site=site, link=link, rules=rule_set_with(code.lower(), **rules_document(setting)))
    rounds, me = RandomRounds(draw, rules, settings), caller()
    for n in range(ROUNDS):
        receive(shuffle.reported(rounds.round()), by=me)
        if draw.random() < 0.3:
            settle_all(limit=draw.choice([1, 7, 1_000]))
        if n % 6 == 5:
            change_policy(link, at=shuffle.FIRST_ROUND, levels=other_levels(draw, link), approvals=1 + n % 9)
    settle_all()
    assert link.policies.count() > 5
    assert TermsChange.objects.exists()
    assert_books_agree()
    assert set(cells(made("expected-posted", link), "difference")) == {0}
