"""What the benchmarks reckon with: medians, percentiles, goals, runs in turn, calls at a pace, processor time."""

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from tests.benchmarks import costs, senders
from tests.benchmarks.measuring import Goal, Measured, Way, interleaved, percentile

TABLES = [f"T-{number}" for number in range(32)]


@pytest.mark.parametrize(
    ("values", "percent", "expected"),
    [
        (range(1, 101), 99, 99),
        (range(1, 101), 100, 100),
        (range(1, 601), 99, 594),
        (range(1, 601), 50, 300),
        ([3, 1, 2], 99, 3),
        ([3, 1, 2], 1, 1),
        ([3, 1, 2], 0, 1),
        ([7], 50, 7),
    ],
)
def test_a_percentile_is_the_least_value_that_so_many_percent_do_not_exceed(
    values: range | list[int], percent: int, expected: int
) -> None:
    assert percentile(list(values), percent) == expected


@pytest.mark.parametrize(
    ("value", "goal", "at_least", "met"),
    [
        (0.6, 0.6, True, True),
        (0.59, 0.6, True, False),
        (250.0, 250.0, False, True),
        (250.1, 250.0, False, False),
        (5.0, None, True, None),
    ],
)
def test_a_goal_is_met_at_its_bound(value: float, goal: float | None, at_least: bool, met: bool | None) -> None:
    assert Goal("it", value, goal, at_least=at_least).met is met


def test_ways_are_measured_in_turn_and_count_by_their_median() -> None:
    done: list[str] = []
    values = {"one": iter([1.0, 9.0, 2.0]), "two": iter([5.0, 4.0, 6.0])}
    told: list[tuple[str, float]] = []

    def once(name: str) -> float:
        done.append(name)
        return next(values[name])

    ways = interleaved(
        {name: lambda name=name: once(name) for name in values},  # type: ignore[misc]
        3,
        lambda what, share: told.append((what, share)),
    )
    assert done == ["one", "two"] * 3
    assert {name: (way.median, list(way.values)) for name, way in ways.items()} == {
        "one": (2.0, [1.0, 9.0, 2.0]),
        "two": (5.0, [5.0, 4.0, 6.0]),
    }
    assert ways["one"].against(ways["two"]) == 2.0 / 6.0, "of 1/5, 9/4 and 2/6; and not 2/5, of the medians"
    assert told[0] == ("run 1 of 3: one", 0.0)
    assert told[-1] == ("run 3 of 3: two", 5 / 6)


def test_all_of_a_figure_is_in_its_json() -> None:
    measured = Measured([Way("settle", "rounds/s", [3.0, 1.0, 2.0])], [Goal("of it", 0.5, 0.6)], ["a note"])
    assert json.loads(json.dumps(measured.json())) == {
        "ways": [
            {"name": "settle", "unit": "rounds/s", "median": 2.0, "min": 1.0, "max": 3.0, "values": [3.0, 1.0, 2.0]}
        ],
        "goals": [{"what": "of it", "value": 0.5, "unit": "×", "goal": 0.6, "at_least": True, "met": False}],
        "notes": ["a note"],
    }


def test_calls_at_the_same_time_are_about_other_tables_and_every_round_is_sent_once() -> None:
    sent = [json.loads(body)["rounds"] for body in senders.batches(1_950, TABLES)]
    assert [len(rounds) for rounds in sent] == [100] * 19 + [50]
    assert len({played["external_id"] for rounds in sent for played in rounds}) == 1_950
    tables = [{played["table"] for played in rounds} for rounds in sent]
    for first in range(len(tables) - senders.CLIENTS + 1):
        together = tables[first : first + senders.CLIENTS]
        assert sum(map(len, together)) == len(set().union(*together))


@contextmanager
def slow_server(seconds: float) -> Iterator[str]:
    """Answers one call at a time, each after so long."""

    class Slow(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            time.sleep(seconds)
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Slow) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def test_a_call_that_could_not_be_sent_in_time_was_due_all_the_same() -> None:
    """Ten calls, 10 ms apart, of which each takes 30: the last is late by what the nine before it took too long."""
    with slow_server(0.03) as address:
        client = senders.Client(address, "key")
        calls = senders.paced([client], [("/", b"{}")] * 10, a_second=100)
        client.leave()
    assert [round(call.due - calls[0].due, 6) for call in calls] == [round(place / 100, 6) for place in range(10)]
    assert calls[-1].answered - calls[-1].due >= 9 * (0.03 - 0.01)


def test_processor_time_is_that_of_a_process_and_of_its_children_ended_or_not() -> None:
    burn = "import time\nwhile time.process_time() < 0.2: pass\n"
    parent = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {burn!r}])\n{burn}"
    with subprocess.Popen(
        [sys.executable, "-c", f"input()\n{parent}print(flush=True)\ninput()"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdin and process.stdout
        meter = costs.of_processes([process.pid])
        spent: dict[str, float] = {}
        with costs.counted({"it": meter}, spent):
            process.stdin.write("go on\n")
            process.stdin.flush()
            process.stdout.readline()
        nobody = costs.of_processes([])()
        process.communicate("end\n")
    assert spent["it"] >= 0.35
    assert nobody == 0


def test_what_a_round_costs_is_said_of_each_part_in_each_run() -> None:
    runs = [{"web": 2.0, "worker": 1.0}, {"web": 4.0, "worker": 1.0}]
    assert [(way.name, way.unit, list(way.values)) for way in costs.ways(runs, 1_000)] == [
        ("processor: web", "ms/round", [2.0, 4.0]),
        ("processor: worker", "ms/round", [1.0, 1.0]),
    ]


def test_ways_that_ran_differently_often_are_not_compared() -> None:
    with pytest.raises(ValueError, match="shorter"):
        Way("one", "rounds/s", [1.0, 2.0]).against(Way("two", "rounds/s", [1.0]))
