"""What a jackpot's followers are told, out of the books: order, places, pages, a constant number of queries."""

from collections.abc import Callable
from typing import Any

import pytest

from jackpot.models.awards import Award
from jackpot.models.jackpots import Level
from jackpot.money import UNITS_PER_MINOR
from jackpot.selectors import live
from jackpot.selectors.live import Hit, Place, Reset
from tests.api.floor import key_client
from tests.api.people import moved, person
from tests.factories import House, caller, jackpot_with, low, play, reported, royal, straight_flush
from tests.factories.houses import policy

pytestmark = pytest.mark.django_db
USD = 100 * UNITS_PER_MINOR
BEGINNING = Place(0)


def all_of(code: str = "LINK", after: Place = BEGINNING, limit: int = live.PAGE) -> list[Hit | Reset]:
    """Page after page, as a follower is told."""
    now = live.standing(code)
    found: list[Hit | Reset] = []
    while after < Place(now.link):
        page, after = live.happened(now, after, limit=limit)
        found += page
    return found


def told(found: list[Hit | Reset]) -> list[tuple[str, str, int, Place]]:
    return [(type(event).__name__, event.level, event.seq, event.place) for event in found]


def test_how_a_jackpot_stands(demo: House) -> None:
    play(reported(low(progressive="1.00")))
    now = live.standing("MAIN")
    level = Level.objects.get()
    assert (now.link, now.code, now.currency.code) == (2, "MAIN", "USD")
    assert [(m.place, m.level, m.units, m.base, m.seq, m.as_of) for m in now.meters] == [
        (Place(2), "main", level.meter, 10_000 * USD, 2, level.posted_at)
    ]
    with pytest.raises(LookupError):
        live.standing("NONE")


def test_a_reset_between_two_hits_of_one_round_is_told_between_them() -> None:
    jackpot_with(hit_order="high_first")
    play(reported(royal(), straight_flush(2), table="T-01"))
    assert told(all_of()) == [
        ("Reset", "main", 1, Place(1, 1)),
        ("Hit", "main", 3, Place(2, 1)),
        ("Reset", "main", 4, Place(2, 2)),
        ("Hit", "main", 5, Place(2, 3)),
    ]
    assert told(all_of(after=Place(2, 2))) == [("Hit", "main", 5, Place(2, 3))]
    assert all_of(after=Place(2)) == all_of(after=Place(2, 3)) == all_of(after=Place(7)) == []


def test_levels_keep_their_own_order_and_share_their_places() -> None:
    levels = [policy()["levels"][0] | {"code": code} for code in ("main", "minor")]
    table = policy()["progressive_table"]
    table = [line | ({"level": "minor"} if line["hand"] == "straight_flush" else {}) for line in table]
    jackpot_with(levels=levels, progressive_table=table)
    play(*(reported(royal(), straight_flush(2), table="T-01") for _ in range(3)))
    found = all_of()
    assert len({event.place for event in found}) == len(found) == 2 + 3 * 3
    assert found == sorted(found, key=lambda event: event.place)
    for code in ("main", "minor"):
        seqs = [event.seq for event in found if event.level == code]
        assert seqs == sorted(set(seqs))
    assert [m.level for m in live.standing("LINK").meters] == ["main", "minor"]


def test_a_share_that_is_split_is_one_hit() -> None:
    jackpot_with(equal_rank="split")
    play(reported(low(1, "Ac 2c"), low(2, "6c 7c"), table="T-01", board="3c 4c 5c Kd 9s", dealer="Qh Jd"))
    (hit,) = [event for event in all_of() if isinstance(event, Hit)]
    first, second = Award.objects.filter(kind="hit").order_by("position")
    assert (hit.awards, hit.award, hit.amount) == (2, first.pk, first.amount + second.amount)


def test_a_reset_is_told_with_the_overflow_that_comes_in_with_it() -> None:
    jackpot_with(base="100.00", limit="100.10", overflow_to="next_reset")
    play(reported(low(progressive="1.00"), table="T-01"), reported(royal(), table="T-01"))
    *_, reset = all_of()
    award = Award.objects.get(kind="hit")
    assert isinstance(reset, Reset)
    assert (reset.to // UNITS_PER_MINOR * UNITS_PER_MINOR, reset.seq) == (award.reset_to, Level.objects.get().meter_seq)


def test_a_hit_paid_at_once_is_told_as_paid() -> None:
    jackpot_with(verify_from="100000.00")
    play(reported(straight_flush(), table="T-01"))
    (hit,) = [event for event in all_of() if isinstance(event, Hit)]
    assert hit.paid


def test_a_hit_is_told_as_it_was_whatever_became_of_its_award(demo: House) -> None:
    play(reported(royal()), by=caller())
    before = all_of("MAIN")
    hit = str(Award.objects.get(kind="hit").pk)
    for name in ("ann", "ben"):
        moved(person(name), hit, "approve")
    assert moved(key_client("Acme"), hit, "pay")["state"] == "paid"
    assert all_of("MAIN") == before
    assert not any(event.paid for event in before if isinstance(event, Hit))


def test_pages_hold_everything_once_whatever_their_size(demo: House) -> None:
    for count in (1, 3, 2):
        play(*(reported(royal()) for _ in range(count)))
        play(reported(low(progressive="1.00")))
    whole = all_of("MAIN")
    assert len(whole) == 1 + 2 * 6
    for limit in (1, 2, 3, 500):
        assert all_of("MAIN", limit=limit) == whole
    for n, event in enumerate(whole):
        assert all_of("MAIN", after=event.place, limit=2) == whole[n + 1 :]


def test_other_jackpots_are_not_told_of(demo: House) -> None:
    jackpot_with()
    play(reported(royal(), table="T-01"))
    assert told(all_of("MAIN")) == [("Reset", "main", 1, Place(1, 1))]


def test_queries_do_not_grow_with_what_happened(demo: House, django_assert_num_queries: Callable[..., Any]) -> None:
    for count in (1, 20):
        play(*(reported(royal(), straight_flush(2)) for _ in range(count)))
        with django_assert_num_queries(1):
            now = live.standing("MAIN")
        with django_assert_num_queries(4):
            live.happened(now, Place(0))
