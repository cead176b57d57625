"""Operational and regulatory incidents, as far as the API is concerned: known failures 72, 86 to 89, 92 and 93."""

import json
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from jackpot.domain.awards import Move
from jackpot.domain.callers import Caller
from jackpot.models.awards import Award
from jackpot.models.jackpots import Level
from jackpot.models.ledger import Leg
from jackpot.services import award_moves, open_site
from tests.api.conftest import Clock
from tests.api.floor import ROUNDS, Json, example, key_client, rows, send, settled
from tests.api.live import LiveRound
from tests.api.reporting import site_with_days
from tests.api.test_problems import problem
from tests.cases.play import losing, round_of, seat
from tests.factories import (
    assert_books_agree,
    caller,
    close_until,
    jackpot_with,
    low,
    person,
    play,
    reported,
    royal,
    rule_set_with,
    settle_all,
    table_with,
)
from tests.unit.builders import usd

STATEMENT = "/api/v1/jackpots/MAIN/statement/"
PRIZES = [
    ("As Ks", "Qs Js Ts", "royal_flush", "meter_share", "10000.20"),
    ("9s Ks", "Qs Js Ts", "straight_flush", "meter_share", "1000.02"),
    ("Qc Qd", "Qs Qh Ts", "four_of_a_kind", "for_one", "300.00"),
    ("Qc Qd", "Qs Th Ts", "full_house", "for_one", "50.00"),
    ("2s 4s", "Qs Js Ts", "flush", "for_one", "40.00"),
    ("9c Kd", "Qs Js Ts", "straight", "for_one", "30.00"),
    ("Qc Qd", "Qs Jh Ts", "three_of_a_kind", "for_one", "9.00"),
    ("Qc Jd", "Qs Jh Ts", "two_pair", None, "0.00"),
    ("2c 9d", "Qs Jh Ks", "high_card", None, "0.00"),
]
"""Every tier of the default pay table and what lies below it: cards, flop, hand, basis, prize."""


@pytest.mark.parametrize(("cards", "flop", "hand", "basis", "prize"), PRIZES, ids=[tier[2] for tier in PRIZES])
def test_86_one_tier_and_one_amount_wherever_a_prize_is_told(
    cards: str, flop: str, hand: str, basis: str | None, prize: str, acme: Client
) -> None:
    """The answer, the round, its award, the list of awards, the statement and the jackpot's last hit."""
    body = round_of(seat(cards, progressive="1.00"), board=f"{flop} 3c 5h", dealer="6d 7h")
    found = settled(acme, body)
    part = found["settlement"]["boxes"][0]
    wager = part["wagers"][-1]
    assert (part["progressive_hand"], wager["kind"], wager["basis"], wager["returned"]) == (
        hand, "progressive", basis, prize,
    )  # fmt: skip
    shares = [(hand, prize)] if basis == "meter_share" else []
    awards = found["settlement"]["awards"]
    assert [(award["hand"], award["amount"]) for award in awards] == shares
    listed = acme.get(f"/api/v1/awards/?round={found['id']}").json()["results"]
    assert [(award["hand"], award["amount"]) for award in listed] == shares
    stated = acme.get(f"{STATEMENT}?kind=award").json()["results"]
    assert [row["amount"] for row in stated] == [f"-{amount}000000" for _, amount in shares]
    assert [(award.hand, str(award.seq)) for award in Award.objects.all()] == [
        (hand, str(awards[0]["seq"])) for _ in shares
    ]
    last_hit = acme.get("/api/v1/jackpots/MAIN/").json()["levels"][0]["last_hit"]
    assert (last_hit is not None) == bool(shares)


def test_87_an_envy_of_300_is_told_as_300_00_with_its_currency_and_nothing_is_counted_in_cents(acme: Client) -> None:
    body = round_of(seat("9s Ks", progressive="1.00"), seat("2c 7d", 2, progressive="1.00"), board="Qs Js Ts 3c 5h")
    found = settled(acme, body)
    assert found["settlement"]["boxes"][1]["envy"] == [{"from_box": 1, "hand": "straight_flush", "amount": "300.00"}]
    envy = acme.get("/api/v1/awards/?kind=envy").json()["results"][0]
    assert (envy["amount"], envy["currency"], found["currency"]) == ("300.00", "USD", "USD")
    told = acme.get("/api/v1/events/").content.decode() + json.dumps(found)
    assert "30000" not in told and "300.00" in told


@pytest.mark.parametrize("stake", [500, 5, 500.0, [500], {"minor": 500}])
def test_87_a_bare_number_is_no_amount_whatever_unit_its_client_means(stake: object, acme: Client) -> None:
    live = LiveRound(acme)
    before = rows()
    problem(live.call("boxes/1", {"player": "P-1", "ante": stake}, "put"), 400, "invalid_money")
    body = losing()
    body["boxes"][0]["ante"] = stake
    problem(send(acme, ROUNDS, body), 400, "invalid_money", "/boxes/0/ante")
    assert rows() == before


@pytest.mark.parametrize(("code", "amount", "finer"), [("JPY", "500", "500.1"), ("KWD", "5.125", "5.1251")])
def test_87_a_currency_has_its_own_decimals(code: str, amount: str, finer: str, acme: Client) -> None:
    site = open_site(code="ABROAD", name="Abroad")
    stakes = {"min": "1", "max": "1000"}
    rules = rule_set_with(bet_limits={"ante": stakes, "trips": stakes, "box": {"max": None}})
    table_with("AB-01", site=site, currency=code, rules=rules)
    client = key_client("Acme", sites=["ABROAD"])
    body = round_of(seat("2c 7d", ante=amount), board="Qs Js Ts 3c 8h", table="AB-01")
    found = settled(client, body)
    assert found["settlement"]["boxes"][0]["wagers"][0]["stake"] == amount
    problem(send(client, ROUNDS, body | {"boxes": [seat("2c 7d", ante=finer)]}), 400, "invalid_money")


def test_88_one_command_twice_is_one_bet_and_equal_bets_in_two_rounds_are_two(acme: Client, clock: Clock) -> None:
    live = LiveRound(acme)
    for _device_repeats in range(3):
        live.bet(1)
    assert [event["kind"] for event in live.read()["events"]] == ["opened", "bets_placed"]
    body = losing(external_id="one")
    first, again = (send(acme, ROUNDS, body).json()["id"] for _ in range(2))
    clock.advance(20)
    later = {name: f"2026-11-29T14:24:{second}Z" for name, second in
             (("started_at", 25), ("locked_at", 30), ("completed_at", 40))}  # fmt: skip
    second = send(acme, ROUNDS, losing(external_id="two", **later))
    assert (first == again, second.status_code, second.json()["id"] == first) == (True, 202, False)
    settle_all()
    assert [rnd["phase"] for rnd in acme.get(f"{ROUNDS}?player=P-1&phase=settled").json()["results"]] == ["settled"] * 2


def test_92_the_servers_order_decides_and_a_zone_is_no_later_time(acme: Client, clock: Clock) -> None:
    """A bet whose client's clock, eight hours ahead, puts it before the deal; and whole rounds in any zone."""
    live = LiveRound(acme)
    live.bet(1)
    live.go("lock")
    live.go("deal", {"cards": {"1": ["As", "Kd"]}})
    before = rows()
    problem(live.call("boxes/2", {"player": "P-2", "ante": "5.00"}, "put"), 409, "wrong_phase")
    dated = {"player": "P-2", "ante": "5.00", "at": "2026-11-29T22:24:00+08:00"}
    problem(live.call("boxes/2", dated, "put"), 400, "unknown_field")
    ahead = {"started_at": "2026-11-29T22:22:33+08:00", "locked_at": "2026-11-29T22:22:58+08:00"}
    problem(send(acme, ROUNDS, losing(**ahead, completed_at="2026-11-29T22:24:10Z")), 422, "time_order")
    assert rows() == before
    answer = send(acme, ROUNDS, losing(**ahead, completed_at="2026-11-29T22:24:10+08:00"))
    assert (answer.status_code, answer.json()["completed_at"]) == (202, "2026-11-29T14:24:10Z")


def test_93_a_royal_at_a_sandbox_table_is_a_test_and_moves_nothing_that_is_live(acme: Client) -> None:
    sand = open_site(code="SAND", name="Sandbox", sandbox=True)
    jackpot_with(code="TOY", site=sand, tables=("SAND-01",))
    tester = key_client("Acme", sites=["SAND"])

    def live_side() -> list[Any]:
        addresses = ["/api/v1/jackpots/MAIN/", STATEMENT, "/api/v1/awards/", ROUNDS]
        told: list[Json] = [acme.get(address).json() for address in addresses]
        return [told, list(Level.objects.filter(jackpot__code="MAIN").values())]

    before = live_side()
    found = settled(tester, example(table="SAND-01"))
    assert (found["mode"], found["settlement"]["awards"][0]["amount"]) == ("test", "10000.40")
    assert live_side() == before
    problem(tester.get("/api/v1/jackpots/MAIN/"), 404, "not_found")
    problem(send(tester, ROUNDS, example(external_id="x")), 422, "unknown_table")
    problem(send(acme, ROUNDS, example(table="SAND-01", external_id="x")), 422, "unknown_table")


def test_72_text_that_a_spreadsheet_would_run_is_text_in_every_answer(acme: Client) -> None:
    """The API speaks JSON and changes no text; what a file for a spreadsheet must do is its writer's."""
    names = ["=1+1", "@x", "+1", "-1", "=HYPERLINK(1)"]
    seats = [seat(f"{n + 1}c {n + 5}d", n, player=name) for n, name in enumerate(names, start=1)]
    found = settled(acme, round_of(*seats, board="Qs Js Ts Kh 8h", dealer="As Ad"))
    assert [one["player"] for one in found["boxes"]] == names
    assert found["settlement"]["boxes"][0]["net"][0] in "-0123456789"
    note = {"reason": "other", "note": "=1+1"}
    assert settled(acme, losing(external_id="void", void=note))["phase"] == "void"
    problem(send(acme, ROUNDS, losing(external_id="\t=1")), 400, "invalid_value", "/external_id")


def test_89_a_royal_that_is_disputed_for_a_week_stays_as_it_was_and_every_day_between_reconciles(db: None) -> None:
    """Its amount stands in its own account from the hit on, the meter goes on from its base, and what is paid in
    the end is what was frozen.
    """
    first = date(2026, 11, 1)
    days = [first + timedelta(days=n) for n in range(8)]
    site = site_with_days("HOME", *days)
    link, staff = jackpot_with(site=site, now=datetime(2026, 11, 1, 6, tzinfo=UTC)), [person("ann"), person("ben")]
    noons = [datetime(day.year, day.month, day.day, 12, tzinfo=UTC) for day in days]
    play(reported(royal(1), table="T-01", at=noons[0]), by=caller("HOME"))
    hit = Award.objects.get()

    def moved(name: Move, *people: Caller) -> None:
        for one in people:
            award_moves.move(caller=one, award_id=hit.pk, move=name, note="ruled", now=timezone.now())

    moved(Move.DISPUTE, staff[0])
    for age, (day, noon) in enumerate(zip(days, noons, strict=True)):
        if age:
            play(reported(low(1), table="T-01", at=noon), by=caller("HOME"))
        closing = close_until(site, day)[-1]
        assert list(closing.unpaid_lines.values_list("award", "amount", "owed_day")) == [(hit.pk, hit.amount, first)]
        meter = closing.pot_lines.get(pot="meter")
        assert meter.closing == usd("10000.00") + age * usd("0.20")
    assert hit.amount == usd("10000.20")
    moved(Move.UPHOLD, *staff)
    moved(Move.PAY, staff[0])
    paid_on = Leg.objects.get(entry__kind="award_paid", account__code="awards:LINK")
    assert paid_on.amount == hit.amount
    last = close_until(site, paid_on.gaming_day)[-1]
    assert (last.unpaid, last.account_lines.get(account__code="awards:LINK").closing) == (0, 0)
    assert Level.objects.get(jackpot=link).meter == usd("10001.40")
    assert_books_agree()
