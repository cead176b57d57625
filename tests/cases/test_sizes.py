"""Large pages, large sums, long locks, many rounds: known failures 76, 79, 80 and 81."""

from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from jackpot.models.jackpots import Level
from jackpot.models.sites import Site
from tables.models.rounds import Round
from tables.services import settlement
from tests.api.floor import BATCH, ROUNDS, Json, rows, send, settled
from tests.api.live import LiveRound
from tests.api.test_problems import problem
from tests.cases.play import losing, round_of, seat
from tests.factories import (
    assert_books_agree,
    caller,
    house,
    jackpot_with,
    low,
    receive,
    reported,
    rule_set_with,
    settle_all,
    table_with,
)

LISTS = (
    ROUNDS, "/api/v1/awards/", "/api/v1/jackpots/", "/api/v1/jackpots/MAIN/statement/", "/api/v1/tables/",
    "/api/v1/events/",
)  # fmt: skip


class TestPages:
    @pytest.mark.parametrize("address", LISTS)
    def test_76_no_page_is_larger_than_it_may_be(self, address: str, acme: Client) -> None:
        for size in ("1000000", "501", "0", "-1", "1.5", "", "x", "9" * 40, "0x10"):
            problem(acme.get(address, {"page_size": size}), 400, "invalid_value")
        problem(acme.get(address, {"limit": "1000000"}), 400, "unknown_field")
        assert acme.get(address, {"page_size": "500"}).status_code == 200

    def test_76_five_rounds_of_one_second_and_a_sixth_between_the_pages(self, acme: Client) -> None:
        old = {send(acme, ROUNDS, losing(external_id=str(n))).json()["id"] for n in range(5)}
        seen, address = [], f"{ROUNDS}?page_size=2"
        while address:
            page = acme.get(address).json()
            seen += [rnd["id"] for rnd in page["results"]]
            address = page["next"]
            send(acme, ROUNDS, losing(external_id=f"between {len(seen)}"))
        assert sorted(seen) == sorted(old)


class TestSums:
    def limits(self, ante: str) -> dict[str, Any]:
        highest = {"min": "0.01", "max": ante}
        return {"ante": highest, "trips": highest, "box": {"max": None}}

    def test_79_a_meter_beyond_ten_digits_goes_on(self, acme: Client) -> None:
        """999,999,999.99 and the cents that make it one digit longer: in the meter, its statement and its award."""
        jackpot_with(code="BIG", site=Site.objects.get(code="DEMO"), tables=("BIG-01",), base="999999999.99")
        assert settled(acme, losing(table="BIG-01", external_id="one"))["phase"] == "settled"
        assert acme.get("/api/v1/jackpots/BIG/").json()["levels"][0]["displayed"] == "1000000000.19"
        royal = round_of(seat("As Ks", progressive="1.00"), board="Qs Js Ts 3c 7h", table="BIG-01")
        assert settled(acme, royal)["settlement"]["awards"][0]["amount"] == "1000000000.39"
        assert_books_agree()

    def test_79_five_hundred_times_the_highest_blind_is_paid(self, acme: Client) -> None:
        rules = rule_set_with(bet_limits=self.limits("100000000.00"))
        table_with("HIGH-01", site=Site.objects.get(code="DEMO"), rules=rules)
        body = round_of(seat("As Ks", ante="100000000.00"), board="Qs Js Ts 3c 7h", table="HIGH-01")
        part = settled(acme, body)["settlement"]["boxes"][0]
        assert part["wagers"][1]["returned"] == "50100000000.00"
        assert_books_agree()

    def test_79_rules_whose_highest_bet_could_win_more_than_the_books_hold_are_no_rules(self, acme: Client) -> None:
        rules = rule_set_with(bet_limits=self.limits("999999999.99"))
        with pytest.raises(ValueError, match="more than the books can hold"):
            rules.versions.get().read("USD")

    @pytest.mark.parametrize("how", ["whole", "live"])
    def test_79_boxes_that_together_could_win_more_than_the_books_hold_are_refused(
        self, how: str, acme: Client
    ) -> None:
        """One hand for all, and each box at its limit: refused before the cards, never half a round."""
        rules = rule_set_with(like="live-shared", bet_limits=self.limits("100000000.00"), betting_seconds=None)
        table_with("HIGH-01", site=Site.objects.get(code="DEMO"), rules=rules)
        boxes = [seat(None, n, ante="100000000.00", decision=...) for n in (1, 2)]
        if how == "whole":
            before = rows()
            body = round_of(*boxes, board="Qs Js Ts 3c 7h", table="HIGH-01", player_cards=["As", "Ks"])
            problem(send(acme, ROUNDS, body), 422, "amount_too_large", "/boxes")
        else:
            live = LiveRound(acme, "HIGH-01")
            live.go("boxes", {"boxes": boxes}, "put")
            before = rows()
            problem(live.call("lock"), 422, "amount_too_large", "/boxes")
        assert rows() == before


class TestLongLocks:
    @pytest.mark.django_db(transaction=True)
    def test_80_a_sleeper_with_the_meters_lock_is_ended_and_nothing_is_lost(self) -> None:
        """Every connection of the service has both limits; here they are short. Who waits gives up, or outlives him."""
        with connection.cursor() as cursor:
            for limit in ("lock_timeout", "idle_in_transaction_session_timeout"):
                cursor.execute(f"SHOW {limit}")
                assert cursor.fetchone() != ("0",)
        house()
        receive(reported(low(1)))
        with psycopg.connect(**connection.get_connection_params()) as sleeper:
            sleeper.execute("SET idle_in_transaction_session_timeout = '400ms'")
            sleeper.execute("SELECT FROM jackpot_level FOR UPDATE")
            with connection.cursor() as cursor:
                cursor.execute("SET lock_timeout = '50ms'")
            with pytest.raises(OperationalError):
                settle_all()
            assert Round.objects.get().phase == "complete"
            with connection.cursor() as cursor:
                cursor.execute("SET lock_timeout = '30s'")
            settle_all()
            with pytest.raises(psycopg.Error):
                sleeper.execute("SELECT 1")
            sleeper.close()
        assert Round.objects.get().phase == "settled"


class TestManyRounds:
    def statements(self, work: Callable[[], object]) -> int:
        with CaptureQueriesContext(connection) as captured:
            work()
        return len(captured)

    @pytest.mark.django_db
    def test_81_a_batch_costs_the_same_statements_however_many_rounds_and_lines(self) -> None:
        """8 boxes a round: to take 10 or 200 of them in, and to settle them. 1,000: `test_batches`."""
        house()
        by = caller()
        pairs = ["2c 7d", "3d 8d", "4c 9d", "5c Td", "6c Jd", "2s 7s", "3h 8s", "4h 9s"]
        receive(reported(low(1)), by=by)  # opens the day
        settle_all()
        took, settled_in = [], []
        for size in (10, 200):
            reports = [
                reported(*(low(n, pair) for n, pair in enumerate(pairs, start=1)), table=f"UTH-0{k % 4 + 1}")
                for k in range(size)
            ]
            took.append(self.statements(lambda: receive(*reports, by=by)))  # noqa: B023
            [lane_id] = Round.objects.values_list("lane_id", flat=True).distinct()
            settled_in.append(self.statements(lambda: settlement.drain(lane_id)))  # noqa: B023
        assert Round.objects.filter(phase="settled").count() == 211
        assert took[0] == took[1]
        assert settled_in[0] == settled_in[1]
        assert Level.objects.get().meter_seq == 212

    def test_81_so_does_a_batch_over_the_api(self, acme: Client) -> None:
        send(acme, ROUNDS, losing())  # opens the day
        cost = []
        for size in (5, 100):
            bodies = [losing(external_id=f"{size}-{n}", table=f"UTH-0{n % 4 + 1}") for n in range(size)]
            cost.append(self.statements(lambda: send(acme, BATCH, {"rounds": bodies})))  # noqa: B023
        assert cost[0] == cost[1]

    def test_81_thousands_of_decisions_are_a_statement_for_each_thing_there_is_to_want(self, acme: Client) -> None:
        cost = []
        for boxes in (3, 300):
            live = LiveRound(acme, "LIVE-01")
            bets = [{"box": n, "player": f"P-{n}", "ante": "5.00"} for n in range(1, boxes + 1)]
            one = [self.statements(lambda: live.go("boxes", {"boxes": bets}, "put"))]  # noqa: B023
            live.go("lock")
            live.go("deal", {"player_cards": ["As", "Kd"]})
            wishes: list[Json] = [
                {"action": "check"},
                {"action": "play", "multiplier": 4},
                {"action": "play", "multiplier": 3},
            ]
            decisions = [{"box": n} | wishes[n % 3] for n in range(1, boxes + 1)]
            one.append(self.statements(lambda: live.go("decisions", {"decisions": decisions})))  # noqa: B023
            live.go("void", {"reason": "other"})
            cost.append(one)
        assert cost[0] == cost[1]
