"""The books as a whole: the same whatever the batches, agreeing after any story, and sealed against tampering."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jackpot.domain.awards import Move
from jackpot.domain.days import gaming_day
from jackpot.models.awards import Award
from jackpot.models.ledger import Leg, Link, StatementRow
from jackpot.models.sites import GamingDay
from jackpot.money import show
from jackpot.selectors import books
from jackpot.services import award_moves
from tables.domain.facts import Reported, VoidReason
from tables.models.rounds import BoxResult, Round
from tests.factories import (
    NOW,
    House,
    SiteFactory,
    assert_books_agree,
    assert_chain_holds,
    caller,
    digest_now,
    flush_hand,
    jackpot_with,
    low,
    play,
    reported,
    royal,
    straight_flush,
    three_queens,
)
from tests.owner import as_owner
from tests.unit.builders import USD

pytestmark = pytest.mark.django_db
T = "T-01"
YESTERDAY = NOW - timedelta(hours=20)


def undone(story: Callable[[], Any]) -> Any:
    """What a story comes to in a database that is as it was before."""
    with transaction.atomic():
        outcome = story()
        transaction.set_rollback(True)
    return outcome


def a_long_evening() -> list[Reported]:
    """Rounds of two open gaming days in no good order, with hits, voids and a late one among them."""
    return [
        reported(low(1), low(2, pair="4c 8d"), table=T, at=YESTERDAY),
        reported(low(1), table=T),
        reported(straight_flush(1), low(2), table=T, at=YESTERDAY + timedelta(hours=1)),
        reported(flush_hand(1), low(2, void=VoidReason.WRONG_BET), table=T),
        reported(low(1), table=T, at=YESTERDAY + timedelta(hours=2)),
        reported(royal(1), straight_flush(2), low(3), table=T, at=NOW),
        reported(low(1), table=T, void=VoidReason.MALFUNCTION),
        reported(straight_flush(1), three_queens(2), table=T, at=YESTERDAY + timedelta(hours=3)),
        reported(low(1), table=T, at=NOW - timedelta(days=9)),
    ]


def told(limit: int) -> dict[str, Any]:
    """Everything that was posted, without ids and posting times."""
    site = SiteFactory.create()
    for at in (YESTERDAY, NOW):
        day = gaming_day(at, ZoneInfo(site.timezone), site.day_starts_at)
        GamingDay.objects.create(site=site, day=day, opened_at=at)
    jackpot_with(site=site, at=YESTERDAY, now=YESTERDAY, limit="10000.50", void_contributions="reverse")
    play(*[_named(report, n) for n, report in enumerate(a_long_evening())], limit=limit)
    assert_books_agree()
    names = {f"{pk}": name for pk, name in Round.objects.values_list("pk", "external_id")}
    return {
        "statement": [
            (row.pot, row.seq, row.kind, row.amount, row.before, row.after, row.gaming_day, _of(row.entry, names))
            for row in StatementRow.objects.select_related("entry").order_by("pot", "seq")
        ],
        "legs": [
            (_of(leg.entry, names), leg.account.code, leg.amount, leg.gaming_day)
            for leg in Leg.objects.select_related("entry", "account").order_by("entry", "position")
        ],
        "awards": list(
            Award.objects.order_by("entry", "position").values_list(
                "kind", "box", "hand", "amount", "meter_before", "meter_after", "reset_to", "seq", "late", "state"
            )
        ),
        "results": list(
            BoxResult.objects.order_by("round__external_id", "box").values_list(
                "round__external_id", "box", "outcomes", "ante", "blind", "play", "trips", "progressive"
            )
        ),
        "rounds": list(Round.objects.order_by("external_id").values_list("external_id", "phase", "gaming_day", "late")),
    }


def _named(report: Reported, number: int) -> Reported:
    return replace(report, external_id=f"R{number}")


def _of(entry: Any, names: dict[str, str | None]) -> str:
    _, _, ref = entry.source_ref.partition(":")
    pk, _, rest = ref.partition(":")
    return f"{entry.kind} {names.get(pk, pk)} {rest}"


@pytest.mark.parametrize("limit", [1, 2, 7])
def test_the_size_of_a_batch_changes_nothing(limit: int) -> None:
    at_once = undone(lambda: told(1_000))
    assert undone(lambda: told(limit)) == at_once
    # the story does reach over both days, and the first pot does not take the others along to the second
    assert {YESTERDAY.date(), NOW.date()} <= {row[6] for row in at_once["statement"] if row[0] == "reserve"}


def test_what_the_checks_say_is_what_the_parts_say(demo: House) -> None:
    play(reported(straight_flush(1), low(2)), reported(royal(1)), reported(low(1)))
    link = demo.jackpot
    assert all(check.agrees for check in books.check_pots(link))
    rolls = {roll.pot: roll for roll in books.roll_forward(link)}
    # 10,000.00 funded; 0.80 in; 10% of 10,000.40 and then all of the 9,000.56 shown; 10,000.00 again
    assert {kind: show(amount, USD) for kind, amount in rolls["meter"].by_kind.items()} == {
        "reset": "20000.00", "contribution": "0.80", "award": "-10000.60",
    }  # fmt: skip
    assert all(roll.foots for roll in rolls.values())
    # both hits and one Envy of 300.00
    assert books.unpaid_awards(link) == (10_300_60 * 10**6, 10_300_60 * 10**6)


def test_the_checks_see_a_pot_that_was_tampered_with(demo: House) -> None:
    play(reported(low(1)))
    falsify("UPDATE jackpot_level SET meter = meter + 1")
    assert [check.pot for check in books.check_pots(demo.jackpot) if not check.agrees] == ["meter"]


def falsify(sql: str) -> None:
    """Change what is posted, past the guards."""
    with as_owner(past_guards=True) as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(sql)


TAMPERED = {
    "an amount": "UPDATE jackpot_leg SET amount = amount + 1 WHERE entry_id = {entry} AND position = 1",
    "an account": "UPDATE jackpot_leg SET account_id = account_id + 1 WHERE entry_id = {entry} AND position = 1",
    "a leg's day": "UPDATE jackpot_leg SET gaming_day = gaming_day - 1 WHERE entry_id = {entry}",
    "a leg less": "DELETE FROM jackpot_leg WHERE entry_id = {entry} AND position = 1",
    "a row's amount": "UPDATE jackpot_statementrow SET amount = amount + 1, after = after + 1 WHERE entry_id = {entry}",
    "a row's kind": "UPDATE jackpot_statementrow SET kind = 'void' WHERE entry_id = {entry}",
    "a row less": "DELETE FROM jackpot_statementrow WHERE entry_id = {entry}",
    "an entry's reason": "UPDATE jackpot_entry SET reason = 'x' WHERE id = {entry}",
    "an entry's time": "UPDATE jackpot_entry SET event_at = event_at + interval '1 microsecond' WHERE id = {entry}",
    "the facts": "UPDATE jackpot_entry SET facts_digest = '' WHERE id = {entry}",
    "an award's amount": "UPDATE jackpot_award SET amount = amount + 1 WHERE entry_id = {entry}",
    "an award's player": "UPDATE jackpot_award SET player = 'other' WHERE entry_id = {entry}",
    "an award's facts": "UPDATE jackpot_award SET facts = '{{}}' WHERE entry_id = {entry} AND kind = 'hit'",
    "an award less": "DELETE FROM jackpot_award WHERE entry_id = {entry} AND kind = 'envy'",
}


@pytest.mark.parametrize("sql", TAMPERED.values(), ids=TAMPERED)
def test_what_was_changed_no_longer_fits_its_seal(demo: House, sql: str) -> None:
    play(reported(straight_flush(1), low(2)))
    play(reported(low(1)))
    entry = Award.objects.filter(kind="hit").get().entry
    link = Link.objects.get(lane=entry.lane, seq=entry.link_seq)
    falsify(sql.format(entry=entry.pk))
    assert digest_now(link) != bytes(link.digest)
    with pytest.raises(AssertionError):
        assert_chain_holds(entry.lane)


def test_what_moves_on_does_not_break_the_seal(demo: House) -> None:
    """An award's state is no frozen fact: the link of its hit stays whole, and its moves are sealed as they come."""
    by = caller()
    play(reported(straight_flush(1)), by=by)
    award_moves.move(caller=by, award_id=Award.objects.get().pk, move=Move.DISPUTE, note="looked into", now=NOW)
    assert_books_agree()


HANDS = [royal, straight_flush, flush_hand, three_queens, low]
boxes = st.lists(st.sampled_from(HANDS), min_size=1, max_size=4, unique=True).map(
    lambda made: [hand(n, player=f"P-{n % 2}") for n, hand in enumerate(made, start=1)]
)
evenings = st.lists(st.tuples(boxes, st.integers(0, 4), st.integers(0, 50)), min_size=1, max_size=8)
policies = st.fixed_dictionaries(
    {
        "hit_order": st.sampled_from(["low_first", "high_first"]),
        "after_share": st.sampled_from(["leave", "restore_base"]),
        "overflow_to": st.sampled_from(["next_reset", "house"]),
        "void_contributions": st.sampled_from(["keep", "reverse"]),
        "envy_per": st.sampled_from(["hit", "round"]),
        "limit": st.sampled_from([None, "10000.01", "10000.55"]),
        "verify_from": st.sampled_from(["0.00", "5000.00"]),
        "increment_ppm": st.sampled_from([7_500, 200_000, 980_000]),
    }
)


@given(policy=policies, evening=evenings, limit=st.sampled_from([1, 3, 1_000]))
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_books_agree_after_any_evening(policy: dict[str, Any], evening: list[Any], limit: int) -> None:
    def story() -> None:
        jackpot_with(**policy)
        rounds = [
            reported(*made, table=T, at=NOW - timedelta(hours=ago), void=VoidReason.OTHER if not chance else None)
            for made, chance, ago in evening
        ]
        play(*rounds, limit=limit)
        assert not Round.objects.filter(phase="complete").exists()
        assert_books_agree()

    undone(story)
