"""What clients send that is no value at all: known failures 63, 64, 70 and 73, at every door of the API."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from tests.admin.test_pages import OURS
from tests.api.floor import BATCH, ROUNDS, Json, rows, send
from tests.api.live import LiveRound
from tests.api.test_problems import problem
from tests.cases.play import losing as plain
from tests.factories import House

LISTS = (ROUNDS, "/api/v1/awards/", "/api/v1/jackpots/MAIN/statement/")
BOX_1 = "/boxes/0"


def with_bets(**changes: Any) -> Json:
    body = plain()
    body["boxes"][0] |= changes
    return body


@pytest.fixture
def live(acme: Client) -> LiveRound:
    """A round open for bets, with one box."""
    made = LiveRound(acme)
    made.bet(1)
    return made


@pytest.fixture
def unchanged(request: pytest.FixtureRequest, acme: Client) -> Iterator[None]:
    """Nothing was written by the test, whatever it sent."""
    if "live" in request.fixturenames:
        request.getfixturevalue("live")
    before = rows()
    yield
    assert rows() == before


class TestStrictReading:
    OF_A_ROUND = (
        "id", "phase", "status", "version", "settlement", "problem", "mode", "site", "currency", "game_number",
        "gaming_day", "late", "events", "rule_set", "jackpot_policy", "integrator", "integrator_id", "lane", "payout",
        "tripz", "Table", "external-id",
    )  # fmt: skip
    OF_A_BOX = (
        "hand", "best", "returned", "net", "wagers", "envy", "payout", "meter", "outcome", "staked", "play", "tripz",
        "progressive_hand", "integrator",
    )  # fmt: skip

    STEPS = ("lock", "deal", "decisions", "flop", "river", "showdown", "suspend", "resume", "void", "boxes/1/void")

    def test_63_nothing_the_service_says_can_be_sent_to_it(self, acme: Client, unchanged: None) -> None:
        for name in self.OF_A_ROUND:
            found = problem(send(acme, ROUNDS, plain(**{name: "SETTLED"})), 400, "unknown_field")
            assert [error["pointer"] for error in found["errors"]] == [f"/{name}"]
        items = send(acme, BATCH, {"rounds": [plain(**{name: 1}) for name in self.OF_A_ROUND]}).json()["results"]
        assert {(item["status"], item["problem"]["code"]) for item in items} == {(400, "unknown_field")}

    def test_63_nor_can_what_it_says_of_a_box(self, live: LiveRound, unchanged: None) -> None:
        for name in self.OF_A_BOX:
            found = problem(send(live.client, ROUNDS, with_bets(**{name: "9999.00"})), 400, "unknown_field")
            assert found["errors"][0]["pointer"] == f"{BOX_1}/{name}"
            body = {"player": "P-1", "ante": "5.00", name: "9999.00"}
            problem(live.call("boxes/1", body, "put"), 400, "unknown_field")
            problem(live.call("boxes", {"boxes": [{"box": 1} | body]}, "put"), 400, "unknown_field")

    @pytest.mark.parametrize("step", STEPS)
    def test_63_every_step_refuses_what_it_does_not_know(self, step: str, live: LiveRound, unchanged: None) -> None:
        answer = live.call(step, {"payout": "9999.00"})
        assert answer.status_code == 400
        assert ("/payout", "unknown_field") in {(error["pointer"], error["code"]) for error in answer.json()["errors"]}

    AT = (
        "2026-03-08T02:30:00", "2026-11-01T01:30:00", "2026-07-01", "2026-11-29 14:22:33Z", "2026-11-29T14:22:33 Z",
        "2026-11-29T14:22:33America/New_York", "2026-11-29T14:22Z", "1764426153", "now", "2026-02-30T00:00:00Z",
    )  # fmt: skip

    @pytest.mark.parametrize("field", ["started_at", "locked_at", "completed_at"])
    def test_64_an_instant_has_its_offset(self, field: str, acme: Client, unchanged: None) -> None:
        for at in self.AT:
            found = problem(send(acme, ROUNDS, plain(**{field: at})), 400, "invalid_time")
            assert found["errors"][0]["pointer"] == f"/{field}"

    def test_64_and_so_has_every_instant_that_is_asked_for(self, acme: Client) -> None:
        for address in LISTS:
            for name in ("from", "to"):
                problem(acme.get(address, {name: "2026-11-01T01:30:00"}), 400, "invalid_time")
        one = send(acme, ROUNDS, plain(started_at="2026-11-29T09:22:33-05:00")).json()
        assert one["started_at"] == "2026-11-29T14:22:33Z"

    STAKES: tuple[object, ...] = (
        "1e2", "1E2", "NaN", "sNaN", "Infinity", "-Infinity", "+5.00", " 5.00", "5.00 ", "5,00", "5.", ".5", "٥.00",
        "５.00", "0x5", "5_0", "", "5.000", "-5.00", 5, 5.0, 500, True, ["5.00"], {"amount": "5.00"},
    )  # fmt: skip

    @pytest.mark.parametrize("bet", ["ante", "trips"])
    def test_73_a_stake_is_a_plain_string_of_digits(self, bet: str, live: LiveRound, unchanged: None) -> None:
        for stake in self.STAKES:
            found = problem(send(live.client, ROUNDS, with_bets(**{bet: stake})), 400, "invalid_money")
            assert found["errors"][0]["pointer"] == f"{BOX_1}/{bet}"
            body = {"player": "P-1", "ante": "5.00"} | {bet: stake}
            problem(live.call("boxes/1", body, "put"), 400, "invalid_money")

    def test_73_a_number_that_no_number_can_hold(self, acme: Client, unchanged: None) -> None:
        for number in ("1e400", "-1e400", "NaN", "Infinity", "1" * 5_000, "1e-400", "1.5", "1e2"):
            for field in ("ante", "box"):
                body = json.dumps(with_bets(**{field: "@"})).replace('"@"', number)
                answer = acme.post(ROUNDS, body, content_type="application/json")
                assert answer.status_code == 400, (number, answer.content)

    def test_73_nor_a_query(self, acme: Client) -> None:
        for query in ("min_amount=NaN", "page_size=NaN", "page_size=1e2", "page_size=Infinity", "day=NaN"):
            for address in LISTS:
                assert acme.get(f"{address}?{query}").status_code == 400, (address, query)


class TestNul:
    def test_70_a_zero_byte_in_a_body(self, acme: Client, unchanged: None) -> None:
        bodies = [
            plain(table="UTH\0"), plain(external_id="a\0b"), with_bets(player="P\0"),
            plain(void={"reason": "other", "note": "a\0b"}), plain(**{"no\0te": "x"}),
        ]  # fmt: skip
        for body in bodies:
            assert send(acme, ROUNDS, body).status_code == 400
            assert send(acme, BATCH, {"rounds": [body]}).status_code == 400

    ADDRESSES = (
        "rounds/?player=%00", "rounds/?table=%00", "rounds/?external_id=a%00", "rounds/?cursor=%00", "rounds/?%00=1",
        "awards/?player=%00", "awards/?hand=%00", "jackpots/%00/", "jackpots/MAIN/statement/?table=%00",
        "tables/?table=%00", "tables/?site=%00", "rule-sets/%00/", "rounds/%00/", "awards/%00/",
        "jackpots/MA%00IN/statement/",
    )  # fmt: skip

    def test_70_a_zero_byte_in_an_address(self, acme: Client) -> None:
        for address in self.ADDRESSES:
            assert acme.get(f"/api/v1/{address}").status_code in (400, 404), address
        assert send(acme, "/api/v1/tables/%00/rounds/", {}).status_code in (400, 404)

    @pytest.mark.parametrize("model", OURS, ids=lambda model: model.__name__)
    def test_70_a_zero_byte_in_the_console(self, model: type, demo: House) -> None:
        client = Client(raise_request_exception=False)
        client.force_login(get_user_model().objects.create_superuser("admin"))
        meta: Any = model._meta  # type: ignore[attr-defined]
        page = reverse(f"admin:{meta.app_label}_{meta.model_name}_changelist")
        for query in ("q=%00", "q=a%00b", "id=%00", "id__exact=%00", "o=%00", "p=%00"):
            assert client.get(f"{page}?{query}").status_code < 500, query
