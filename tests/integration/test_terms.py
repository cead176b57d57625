"""Base, rates and limit of a level change with its next reset: posted, proved, told, and named where falsified."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from jackpot.domain.awards import Move
from jackpot.models.awards import Award
from jackpot.models.jackpots import Jackpot
from jackpot.models.ledger import Entry, StatementRow
from jackpot.models.terms import TermsChange
from jackpot.selectors import changes
from jackpot.services import award_moves
from tables.domain.facts import VoidReason
from tests.api.floor import key_client
from tests.factories import (
    NOW,
    House,
    assert_books_agree,
    caller,
    change_policy,
    jackpot_with,
    low,
    person,
    play,
    reported,
    royal,
    settle_all,
    straight_flush,
    table_with,
)
from tests.factories.live import LiveRound
from tests.integration.test_audit import names, tamper
from tests.integration.test_reports_random import cells, made
from tests.unit.builders import usd
from tests.unit.meters import exact

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(hours=1)
MONTH = (NOW - timedelta(days=365), NOW + timedelta(days=3650))
"""Whatever the clock of the database says: postings have its time."""


def stands(link: Jackpot) -> dict[str, tuple[int, int, int, int | None, int]]:
    """Each level's base, rates and limit, and by which version of the policy."""
    return {
        level.code: (level.base, level.increment_ppm, level.reserve_ppm, level.limit, level.policy.version)
        for level in link.levels.select_related("policy")
    }


def test_they_wait_for_the_reset_and_come_with_it() -> None:
    link = jackpot_with()
    change_policy(link, base="500.00", increment_ppm=100_000, reserve_ppm=0, limit="10500.00")
    play(reported(low(1), table="T-01"), reported(straight_flush(1), table="T-01"))  # no smaller share resets
    assert stands(link) == {"main": (usd("10000.00"), 200_000, 20_000, None, 1)}
    assert not TermsChange.objects.exists()
    play(reported(royal(1), table="T-01"), reported(low(1), table="T-01"))
    assert stands(link) == {"main": (usd("500.00"), 100_000, 0, usd("10500.00"), 2)}
    came = TermsChange.objects.get()
    assert (came.entry.kind, came.policy.version, came.entry.facts_digest is not None) == ("reset", 2, True)
    rows = list(StatementRow.objects.filter(pot="meter").order_by("-seq").values_list("kind", "amount")[:3])
    assert rows[:2] == [("contribution", usd("0.10")), ("reset", usd("500.00"))]
    play(reported(royal(1), table="T-01"))  # nothing waits any more
    assert TermsChange.objects.count() == 1
    assert_books_agree()


def test_of_several_approved_before_one_reset_the_latest_wins() -> None:
    link = jackpot_with()
    change_policy(link, base="500.00")
    change_policy(link, base="700.00", at=LATER)
    play(reported(royal(1), table="T-01"))
    assert stands(link)["main"] == (usd("700.00"), 200_000, 20_000, None, 3)
    assert_books_agree()


def test_what_was_taken_back_before_a_reset_never_was() -> None:
    link = jackpot_with()
    change_policy(link, base="500.00")
    change_policy(link, base="10000.00", at=LATER)
    play(reported(royal(1), table="T-01"))
    assert stands(link)["main"] == (usd("10000.00"), 200_000, 20_000, None, 1)
    assert not TermsChange.objects.exists()
    assert_books_agree()


def two_levels(**figures: dict[str, Any]) -> dict[str, Any]:
    """Royals take all of mega, straight flushes all of mini."""
    levels = {"mega": {"base": "1000.00", "increment_ppm": 100_000}, "mini": {"base": "10.00", "increment_ppm": 50_000}}
    return {
        "levels": [{"code": code, **level, **figures.get(code, {})} for code, level in levels.items()],
        "progressive_table": [
            {"hand": "royal_flush", "basis": "meter_share", "level": "mega", "ppm": 1_000_000},
            {"hand": "straight_flush", "basis": "meter_share", "level": "mini", "ppm": 1_000_000},
        ],
    }


def test_each_level_changes_with_its_own_reset() -> None:
    link = jackpot_with(**two_levels())
    change_policy(link, **two_levels(mega={"base": "2000.00"}, mini={"base": "20.00", "limit": "20.04"}))
    play(reported(straight_flush(1), table="T-01"))
    assert {code: (base, version) for code, (base, *_, version) in stands(link).items()} == {
        "mega": (usd("1000.00"), 1), "mini": (usd("20.00"), 2),
    }  # fmt: skip
    change_policy(link, at=LATER, **two_levels(mega={"base": "2000.00"}, mini={"base": "30.00"}))
    at = LATER + timedelta(minutes=5)
    play(*(reported(hand(1), table="T-01", at=at) for hand in (royal, low, straight_flush)))
    assert {code: (base, version) for code, (base, *_, version) in stands(link).items()} == {
        "mega": (usd("2000.00"), 3), "mini": (usd("30.00"), 3),
    }  # fmt: skip
    assert sorted(TermsChange.objects.values_list("level__code", "policy__version")) == [
        ("mega", 3), ("mini", 2), ("mini", 3),
    ]  # fmt: skip
    assert_books_agree()


def test_waiting_overflow_comes_in_up_to_the_new_limit() -> None:
    link = jackpot_with(base="100.00", limit="100.01", reserve_ppm=0)
    play(*(reported(low(1), table="T-01") for _ in range(5)))  # 0.01 fitted, 0.99 wait
    change_policy(link, base="50.00", limit="150.00")
    play(reported(royal(1), table="T-01"))
    level = link.levels.get()
    assert (level.meter, level.overflow) == (usd("51.19"), 0)  # the royal's own 0.20 waited too
    assert_books_agree()


def test_a_reset_with_nothing_to_take_and_nothing_to_put_in_brings_terms_too() -> None:
    link = jackpot_with(base="0.00", increment_ppm=0, reserve_ppm=0)
    change_policy(link, base="0.00", increment_ppm=100_000)
    play(reported(royal(1), table="T-01"), reported(low(1), table="T-01"))
    level = link.levels.get()
    assert (level.increment_ppm, level.meter, level.meter_seq, level.reset_seq) == (100_000, usd("0.10"), 1, 0)
    assert TermsChange.objects.get().entry.leg_count == 0
    assert_books_agree()


@pytest.mark.parametrize("limit", [1, 7, 1_000])
def test_the_size_of_a_batch_changes_nothing(limit: int) -> None:
    """Resets that bring terms in the middle of a batch, with rates that go up, and with contributions on both sides."""
    link = jackpot_with(base="10.00", increment_ppm=1_000, reserve_ppm=0, void_contributions="reverse")
    play(*(reported(low(1), table="T-01") for _ in range(3)), limit=limit)
    change_policy(link, base="20.00", increment_ppm=500_000, reserve_ppm=100_000)
    story = [reported(low(1), table="T-01") for _ in range(9)]
    story[3], story[4] = reported(royal(1), low(2), table="T-01"), reported(low(1), royal(2), table="T-01")
    story[6] = reported(low(1), table="T-01", void=VoidReason.MALFUNCTION)
    play(*story, limit=limit)
    rows = StatementRow.objects.order_by("level", "pot", "seq").values_list("pot", "seq", "kind", "amount", "after")
    level = link.levels.get()
    assert (level.meter, level.reserve) == (exact("21.508"), usd("0.30"))
    assert sum(amount for pot, _, kind, amount, _ in rows if (pot, kind) == ("meter", "contribution")) == exact("3.008")
    assert_books_agree()


def test_a_round_locked_out_before_a_reset_and_void_after_it_is_reckoned_by_the_old_rates() -> None:
    """Another batch by then: the terms of the lock-out are read back from when they were in force."""
    link = jackpot_with(void_contributions="reverse", base="100.00", reserve_ppm=100_000)
    me = caller()
    live = LiveRound(reported(low(1), table="T-01"), by=me, now=NOW)
    live.lock(now=NOW)
    settle_all()
    change_policy(link, base="50.00", increment_ppm=1_000, reserve_ppm=1_000)
    second = table_with("T-02", site=link.home_site, link=link).code
    play(reported(royal(1), table=second), reported(low(1), table=second), by=me)
    before = link.levels.get()
    live.void(now=LATER)
    settle_all()
    after = link.levels.get()
    # 0.20 were won with the meter; of 0.10 that lay in the reserve the reset took all, 0.001 came since
    assert (before.meter - after.meter, before.reserve - after.reserve) == (0, exact("0.001"))
    void = Entry.objects.get(kind="void")
    assert "could not all be taken back" in void.reason
    assert void.legs.get(account__code="house:LINK").amount == exact("0.299")
    assert_books_agree()


def test_a_share_that_is_returned_leaves_the_terms_its_reset_brought() -> None:
    link = jackpot_with(base="100.00", increment_ppm=200_000, reserve_ppm=0)
    change_policy(link, base="50.00", limit="120.00")
    play(reported(royal(1), table="T-01"), reported(low(1), table="T-01"))
    hit = Award.objects.get()
    for move, name in ((Move.DISPUTE, "ann"), (Move.REJECT, "ben"), (Move.REJECT, "cid")):
        award_moves.move(caller=person(name), award_id=hit.pk, move=move, note="not so", now=NOW)
    level = link.levels.get()
    assert (level.base, level.limit, level.meter) == (usd("50.00"), usd("120.00"), usd("100.40"))
    assert_books_agree()


def test_expected_is_reckoned_by_the_terms_of_each_round() -> None:
    link = jackpot_with(base="100.00", limit="100.30", hit_order="high_first")
    play(*(reported(low(1), table="T-01") for _ in range(3)))
    change_policy(link, base="50.00", increment_ppm=300_000, limit="150.00")
    play(
        reported(royal(1), straight_flush(2), low(3), table="T-01"),
        *(reported(low(1), table="T-01") for _ in range(2)),
        reported(royal(1), table="T-01"),
    )
    found = made("expected-posted", link, day=NOW.date())
    assert len(found.lines) == 7
    assert set(cells(found, "difference")) == {0}


def test_what_is_shown_is_in_force_now() -> None:
    link = jackpot_with()
    acme = key_client("Acme", sites=[link.home_site.code])
    change_policy(link, base="500.00", limit="20000.00")
    shown = acme.get("/api/v1/jackpots/LINK/").json()
    assert (shown["policy"], shown["levels"][0]["base"], shown["levels"][0]["limit"]) == ("LINK@2", "10000.00", None)
    play(reported(royal(1), table="T-01"))
    shown = acme.get("/api/v1/jackpots/LINK/").json()
    assert (shown["levels"][0]["base"], shown["levels"][0]["limit"]) == ("500.00", "20000.00")


def test_the_log_says_who_changed_what_and_which_reset_brought_it() -> None:
    link = jackpot_with()
    change_policy(link, reason="base", base="500.00")
    change_policy(link, at=LATER, reason="rates", increment_ppm=100_000)
    (round_id,) = play(reported(royal(1), table="T-01"))
    found = changes.of_jackpots([link], *MONTH)
    assert [(c.what, c.subject, c.parameter, c.before, c.after, *c.people) for c in found] == [
        ("policy", "LINK@2", "levels.main.base", "10000.00", "500.00", "ann", "ben", "base"),
        ("policy", "LINK@3", "levels.main.increment_ppm", "200000", "100000", "ann", "ben", "rates"),
        ("terms", f"LINK@3, main, reset round:{round_id}:v1:hit1", "base", "10000.00", "500.00", "ann", "ben", "rates"),
        ("terms", f"LINK@3, main, reset round:{round_id}:v1:hit1", "increment_ppm", "200000", "100000",
         "ann", "ben", "rates"),
    ]  # fmt: skip
    posted = TermsChange.objects.get().entry.posted_at
    assert found[-1].at == posted
    assert changes.of_jackpots([link], posted + timedelta(microseconds=1), MONTH[1]) == [
        change for change in found if change.at > posted
    ]


TAMPERED = [
    ("UPDATE jackpot_level SET base = base + 1", {"level terms"}),
    ("UPDATE jackpot_level SET policy_id = (SELECT min(id) FROM jackpot_policyversion)", {"level policy_id"}),
    ("DELETE FROM jackpot_termschange", {"missing terms"}),
    ("UPDATE jackpot_termschange SET entry_id = (SELECT min(id) FROM jackpot_entry)",
     {"missing terms", "invented terms"}),
    ("UPDATE jackpot_termschange SET policy_id = (SELECT max(id) FROM jackpot_policyversion)", {"terms policy_id"}),
    ("""UPDATE jackpot_policyversion SET terms = jsonb_set(terms, '{main,base}', '7') WHERE version = 2""",
     {"policy terms"}),
    ("""UPDATE jackpot_policyversion SET document = jsonb_set(document, '{stake}', '"9.00"') WHERE version = 3""",
     {"policy document"}),
    ("UPDATE jackpot_policyversion SET in_force_at = in_force_at + interval '1 hour' WHERE version = 2",
     {"policy in force"}),
    ("UPDATE jackpot_policyversion SET change_id = NULL WHERE version = 3",
     {"entry", "invented entry", "policy approval"}),
    ("""UPDATE jackpot_changerequest SET document = jsonb_set(document, '{levels,0,base}', '"7.00"')
         WHERE id = (SELECT request_id FROM jackpot_changedecision ORDER BY id LIMIT 1)""",
     {"entry facts_digest", "policy document", "statement row amount"}),
    ("""UPDATE jackpot_changedecision SET by_id = (SELECT asked_by_id FROM jackpot_changerequest LIMIT 1)
         WHERE id = (SELECT min(id) FROM jackpot_changedecision)""", {"entry actor"}),
]  # fmt: skip


@pytest.mark.parametrize(("sql", "named"), TAMPERED, ids=[f"{n} {sql[:40]}" for n, (sql, _) in enumerate(TAMPERED)])
def test_what_was_falsified_is_named(sql: str, named: set[str]) -> None:
    link = jackpot_with()
    change_policy(link, base="500.00", increment_ppm=100_000)
    play(reported(royal(1), table="T-01"), reported(low(1), table="T-01"))
    change_policy(link, at=LATER, stake="2.00")
    house = House(link.home_site, link)
    assert names(house) == set()
    connection.check_constraints()  # what is falsified afterwards, nobody looks at
    tamper(sql)
    assert named <= names(house)
