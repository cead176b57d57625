"""Django, DRF, Celery and psycopg in operation: known failures 66 to 78 that one client of the API can cause."""

import ast
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from jackpot.models.sites import GamingDay
from jackpot.services import open_site, open_today
from tables import tasks
from tables.models.rounds import Round
from tables.services import settlement
from tables.services.closing import close_day
from tests.api.floor import BATCH, ROUNDS, example, rows, send, settled
from tests.api.live import LiveRound
from tests.api.test_problems import problem
from tests.cases.play import losing
from tests.factories import House, low, receive, reported, settle_all

ROOT = Path(__file__).resolve().parents[2]


class TestWorkers:
    def test_66_a_round_without_any_of_its_optional_rows_is_settled(self, acme: Client) -> None:
        """No jackpot at its table, no policy, no external id: what it is locked together with may be missing."""
        live = LiveRound(acme, "ONL-01")
        live.bet(1)
        live.to_the_flop("2c 7d", flop="Kh Kd 9c")
        live.go("river", {"turn": "3c", "river": "8h"})
        live.go("showdown", {"dealer": ["2d", "2h"]})
        settle_all()
        found = live.read()
        assert (found["phase"], found["jackpot_policy"], found["external_id"]) == ("settled", None, None)
        assert found["settlement"]["awards"] == []

    def test_66_every_lock_of_the_source_is_a_weak_one_of_one_table(self) -> None:
        calls = [
            (path.name, {keyword.arg for keyword in call.keywords}, ast.unparse(call.func))
            for app in ("jackpot", "tables")
            for path in sorted((ROOT / app).rglob("*.py"))
            for call in ast.walk(ast.parse(path.read_text()))
            if isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "select_for_update"
        ]  # fmt: skip
        assert len(calls) >= 6
        for name, keywords, on in calls:
            assert "no_key" in keywords, name
            assert "of" in keywords or "select_related(None)" in on, name

    def test_67_a_task_that_is_given_out_again_finds_nothing_to_do(self, demo: House) -> None:
        """While the first still runs: `tests/cases/test_ledger_races.py`, case 107."""
        receive(reported(low(1)))
        [lane_id] = Round.objects.values_list("lane_id", flat=True)
        tasks.drain(lane_id)
        before = rows()
        for _ in range(3):
            tasks.drain(lane_id)
            assert settlement.drain(lane_id) is settlement.Drained.EMPTY
        assert rows() == before
        assert Round.objects.get().version == 1

    def test_68_a_message_is_sent_after_the_commit_and_for_nothing_else(
        self, acme: Client, django_capture_on_commit_callbacks: Callable[..., Any]
    ) -> None:
        with django_capture_on_commit_callbacks() as sent:
            problem(send(acme, ROUNDS, losing(turn="Qs")), 422, "duplicate_card")
            problem(send(acme, ROUNDS, losing(table="UTH-99")), 422, "unknown_table")
            assert send(acme, BATCH, {"rounds": [losing(turn="Qs")]}).json()["results"][0]["status"] == 422
        assert [callback for callback in sent if callback.__module__ == tasks.__name__ and wakes(callback)] == []
        with django_capture_on_commit_callbacks() as sent:
            send(acme, ROUNDS, losing())
        assert [wakes(callback) for callback in sent] == [[Round.objects.get().lane_id]]

    def test_77_the_meter_is_locked_before_it_is_written(self, demo: House) -> None:
        receive(reported(low(1)))
        with CaptureQueriesContext(connection) as captured:
            settle_all()
        said = [query["sql"] for query in captured]
        order = [
            next(n for n, sql in enumerate(said) if "FOR NO KEY UPDATE" in sql and f'FROM "{table}"' in sql)
            for table in ("jackpot_lane", "tables_round", "jackpot_level")
        ]
        written = next(n for n, sql in enumerate(said) if sql.startswith('UPDATE "jackpot_level"'))
        assert order == sorted(order)
        assert order[-1] < written

    def test_77_every_step_of_a_live_round_locks_it_first(self, acme: Client) -> None:
        live = LiveRound(acme)
        for step, body, method in [
            ("boxes/1", {"player": "P-1", "ante": "5.00"}, "put"), ("lock", {}, "post"),
            ("deal", {"cards": {"1": ["As", "Kd"]}}, "post"), ("decisions", {"box": 1, "action": "check"}, "post"),
            ("flop", {"cards": ["Qs", "Js", "2d"]}, "post"), ("suspend", {}, "post"), ("resume", {}, "post"),
            ("boxes/1/void", {"reason": "other"}, "post"), ("void", {"reason": "other"}, "post"),
        ]:  # fmt: skip
            with CaptureQueriesContext(connection) as captured:
                live.go(step, body, method)
            said = [query["sql"] for query in captured]
            locked = next(n for n, sql in enumerate(said) if "FOR NO KEY UPDATE" in sql and '"tables_round"' in sql)
            written = [n for n, sql in enumerate(said) if sql.startswith(("UPDATE", "INSERT", "DELETE", "COPY"))]
            assert locked < min(n for n in written if "jackpot_apikey" not in said[n]), step


def wakes(callback: Callable[[], None]) -> list[int]:
    """The lanes that a callback after a commit wakes."""
    [cell] = callback.__closure__ or ()
    lanes: list[int] = cell.cell_contents
    return lanes


class TestOneLineOfMany:
    def test_75_a_line_that_is_there_already_leaves_the_others_in_order(self, acme: Client) -> None:
        send(acme, ROUNDS, losing(external_id="2"))
        lines = [losing(external_id=str(n)) for n in (1, 2, 3)]
        results = send(acme, BATCH, {"rounds": lines}).json()["results"]
        assert [(item["status"], item.get("replayed", False)) for item in results] == [
            (202, False), (202, True), (202, False),
        ]  # fmt: skip
        results = send(acme, BATCH, {"rounds": [line | {"turn": "4c"} for line in lines] + [losing(external_id="4")]})
        assert [item["status"] for item in results.json()["results"]] == [409, 409, 409, 202]
        settle_all()
        assert Round.objects.filter(phase="settled").count() == 4

    def test_78_another_integrators_round_does_not_exist(self, acme: Client, rival: Client) -> None:
        mine = settled(acme, example(external_id="mine"))
        waiting = send(acme, ROUNDS, losing()).json()
        before = rows()
        for rnd in (mine, waiting):
            address = f"{ROUNDS}{rnd['id']}/"
            for path in ("", "boxes/"):
                problem(rival.get(address + path), 404, "not_found")
            for step in ("void", "boxes/1/void", "showdown", "lock"):
                body = {"reason": "other"} if "void" in step else {}
                problem(send(rival, f"{address}{step}/", body), 404, "not_found")
        queries = [
            "", "table=UTH-01", "site=DEMO", "player=P-17", "external_id=mine", "phase=settled", "hand=royal_flush",
            f"game_number={mine['game_number']}", "day=2026-11-29", "from=2020-01-01T00:00:00Z",
        ]  # fmt: skip
        for query in queries:
            assert rival.get(f"{ROUNDS}?{query}").json()["results"] == [], query
        for query in ("", f"round={mine['id']}", "table=UTH-01", "player=P-17", "jackpot=MAIN"):
            assert rival.get(f"/api/v1/awards/?{query}").json()["results"] == [], query
        settle_all()
        assert Round.objects.get(pk=waiting["id"]).phase == "settled"
        assert rows()["tables.Round"] == before["tables.Round"]

    def test_74_the_days_of_a_night_that_has_an_hour_twice_are_opened_once(self, demo: House) -> None:
        """Swept every ten minutes over both hours, as by two beats: one row a site and day, and it closes once."""
        site = open_site(code="NY", name="New York", timezone="America/New_York", day_starts_at="01:30")
        site.refresh_from_db()
        begin = datetime(2026, 11, 1, 4, 50, tzinfo=UTC)
        for minutes in range(0, 180, 10):
            for _beat in range(2):
                open_today(now=begin + timedelta(minutes=minutes))
        opened = list(GamingDay.objects.filter(site=site).order_by("day").values_list("day", "opened_at"))
        assert [day for day, _ in opened] == [date(2026, 10, 31), date(2026, 11, 1)]
        assert opened[1][1] == datetime(2026, 11, 1, 5, 30, tzinfo=UTC)
        over = begin + timedelta(minutes=180)
        closed = [close_day(site=site, day=date(2026, 10, 31), by=None, now=over).now for _beat in range(2)]
        assert closed == [True, False]
