"""The demo's rounds: the same for the same seed, right in themselves, and dealt to hit where they should."""

from datetime import UTC, datetime, timedelta

import pytest

from tables.demo.blueprints import BLUEPRINTS, Blueprint
from tables.demo.dealing import ROUND_TAKES, Dealt, Session, blueprints_for, deal
from tables.demo.playing import jobs
from tables.demo.strategy import decide
from tables.domain.hands import HandName, rank

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)
TABLES = ("T-01", "T-02", "T-03", "T-04")
HITS = (HandName.ROYAL_FLUSH, HandName.STRAIGHT_FLUSH)


def dealt(rounds: int, seed: int = 1, hours: float = 6) -> list[Dealt]:
    return list(deal(Session("run", seed, rounds, TABLES, NOON - timedelta(hours=hours), NOON)))


def test_a_seed_deals_the_same_rounds_again_and_another_one_others() -> None:
    assert dealt(50) == dealt(50)
    assert dealt(50) != dealt(50, seed=2)


def test_no_card_is_dealt_twice_in_a_round() -> None:
    for round_ in dealt(200):
        body = round_.body
        cards = [
            *body["flop"],
            body["turn"],
            body["river"],
            *body["dealer"],
            *(c for b in body["boxes"] for c in b["cards"]),
        ]
        assert len(cards) == len(set(cards)) == 7 + 2 * len(body["boxes"])


@pytest.mark.parametrize("rounds", [1, 2, 3, 4, 5, 7, 8, 100, 2_000])
def test_any_number_of_rounds_holds_as_many_that_hit_as_fit(rounds: int) -> None:
    placed = blueprints_for(rounds)
    assert list(placed.values()) == list(BLUEPRINTS[: min(rounds, len(BLUEPRINTS))])
    assert all(0 <= n < rounds for n in placed)
    assert [n for n, round_ in enumerate(dealt(rounds)) if round_.blueprint] == list(placed)


@pytest.mark.parametrize("blueprint", BLUEPRINTS, ids=lambda blueprint: blueprint.title)
def test_a_blueprint_brings_what_it_says(blueprint: Blueprint) -> None:
    bettors = [seat for seat in blueprint.seats if seat.progressive]
    winners = [seat for seat in bettors if rank(seat.cards + blueprint.flop).name in HITS]
    assert len(winners) == blueprint.hits
    assert sum(winner.player != seat.player for winner in winners for seat in bettors) == blueprint.envy
    assert any(seat.folds for seat in bettors)


def test_together_they_show_what_the_demo_promises() -> None:
    hands = [[rank(seat.cards + b.flop).name for seat in b.seats if seat.progressive] for b in BLUEPRINTS]
    hits = [sorted(hand for hand in found if hand in HITS) for found in hands]
    royal, straight = HITS
    assert hits == [[straight], [royal], [royal, straight], [straight, straight]]
    assert any(len({seat.player for seat in b.seats}) < len(b.seats) for b in BLUEPRINTS)


@pytest.mark.parametrize("hours", [0.001, 0.1, 6])
def test_times_lie_in_order_within_the_session(hours: float) -> None:
    found = dealt(40, hours=hours)
    for table in TABLES:
        of_table = [r.body for r in found if r.body["table"] == table]
        times = [
            datetime.fromisoformat(body[name])
            for body in of_table
            for name in ("started_at", "locked_at", "completed_at")
        ]
        assert times == sorted(times)
        assert NOON - timedelta(hours=hours) <= times[0]
        assert times[-1] <= NOON
    paces = [datetime.fromisoformat(r.body["started_at"]) for r in found if r.body["table"] == "T-01"]
    assert paces[1] - paces[0] <= ROUND_TAKES


def test_jobs_keep_the_order_and_send_what_hits_alone() -> None:
    rounds = dealt(500)
    work = list(jobs(rounds, seed=1))
    assert [round_ for job in work for round_ in job] == rounds
    assert all(len(job) == 1 for job in work if any(round_.blueprint for round_ in job))
    assert {len(job) == 1 for job in work} == {True, False}


@pytest.mark.parametrize(
    ("pair", "board", "street", "action"),
    [
        ("As2d", "9h7c5d4hKc", "preflop", "play"),
        ("3s3d", "9h7c5d4hKc", "preflop", "play"),
        ("2s2d", "2h7c5d4hKc", "flop", "play"),
        ("9s2d", "9h7c5d4hKc", "flop", "play"),
        ("Th2h", "9h7h5h4cKc", "flop", "play"),
        ("Ts2s", "9s7s5d4hKc", "flop", "play"),
        ("9s2d", "Th7c5d4h9c", "river", "play"),
        ("Qs2d", "Th7c5d4h9c", "river", "play"),
        ("8s2d", "Th7c5d4hKc", "river", "fold"),
        ("8s2d", "ThTc5d4hKc", "river", "fold"),
    ],
)
def test_the_strategy(pair: str, board: str, street: str, action: str) -> None:
    cards = tuple(board[n : n + 2] for n in range(0, 10, 2))
    made = decide((pair[:2], pair[2:]), cards[:3], cards)
    assert (made["street"], made["action"]) == (street, action)
