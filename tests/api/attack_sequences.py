"""Calls of two integrators that are right in shape and come in any order, from a seed; each knows what it must come to.

The model knows of a round only what its integrator was told: its phase and which steps were taken with which content.
By hand against a running service, which two keys for the demo's site may call:

    python -m tests.api.attack_sequences http://127.0.0.1:8000 KEY OTHER_KEY SECONDS [SEED]
"""

import http.client
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from tests.api.rubbish import EXAMPLE

API = "/api/v1/"
Json = dict[str, Any]
MINE, THEIRS = "mine", "theirs"
TABLES = ("UTH-02", "UTH-03")
OPEN = frozenset({"betting", "locked", "preflop", "flop", "river"})


def _pairs(*pairs: str) -> Json:
    return {"cards": {str(box): pair.split() for box, pair in enumerate(pairs, start=1)}}


def _bets(ante: str) -> Json:
    return {"boxes": [{"box": n, "player": f"P-{n}", "ante": ante, "progressive": "1.00"} for n in (1, 2)]}


STEPS: dict[str, dict[str, Json]] = {
    "boxes": {"a": _bets("5.00"), "b": _bets("10.00")},
    "lock": {"a": {}},
    "deal": {"a": _pairs("2c 7d", "3c 8d"), "b": _pairs("2d 7c", "3d 8c")},
    "flop": {"a": {"cards": ["9h", "Js", "4s"]}, "b": {"cards": ["9s", "Jh", "4h"]}},
    "river": {"a": {"turn": "Qc", "river": "Kd"}, "b": {"turn": "Qd", "river": "Kc"}},
    "showdown": {"a": {"dealer": ["5c", "5d"]}, "b": {"dealer": ["6c", "6d"]}},
    "suspend": {"a": {"note": "a"}, "b": {"note": "b"}},
    "resume": {"a": {"note": "a"}, "b": {"note": "b"}},
    "void": {"a": {"reason": "other", "note": "a"}, "b": {"reason": "other", "note": "b"}},
}
"""Each step with two contents that are both right; no hand wins a Progressive, so that no void waits for anybody."""
ONWARD = {
    "deal": ("locked", "preflop"), "flop": ("preflop", "flop"), "river": ("flop", "river"),
    "showdown": ("river", "complete"),
}  # fmt: skip


class Outcome(NamedTuple):
    """What a call must come to; `code` only where it is refused."""

    status: int
    code: str = ""


DONE = Outcome(200)
CONFLICT, OUT_OF_ORDER = Outcome(409, "step_conflict"), Outcome(409, "wrong_phase")


@dataclass
class Live:
    """A live round as its integrator knows it: `taken` has the content of each step, last time it was taken."""

    id: str
    owner: str
    table: str
    phase: str = "betting"
    before: str = ""
    taken: dict[str, str] = field(default_factory=dict)

    @property
    def onward(self) -> str:
        """The step by which the round goes on."""
        if self.phase == "betting":
            return "lock" if "boxes" in self.taken else "boxes"
        return next((name for name, (start, _) in ONWARD.items() if start == self.phase), "void")

    def step(self, name: str, content: str) -> Outcome:
        """Take a step, or say how it is refused."""
        if name == "boxes":
            return self._bet(content)
        if name in ("suspend", "resume"):
            return self._pause(name, content)
        if name == "lock" and self.phase == "void" and "boxes" not in self.taken:
            return DONE
        if name in self.taken:
            return DONE if self.taken[name] == content else CONFLICT
        if (outcome := self._first(name)) is DONE:
            self.taken[name] = content
        return outcome

    def _first(self, name: str) -> Outcome:
        if name == "void":
            if self.phase == "settled":
                return Outcome(409, "already_settled")
            allowed, after = {*OPEN, "suspended", "complete"}, "void"
        elif name == "lock":
            allowed, after = {"betting"}, "locked" if "boxes" in self.taken else "void"
        else:
            start, after = ONWARD[name]
            allowed = {start}
        if self.phase not in allowed:
            return OUT_OF_ORDER
        self.phase = after
        return DONE

    def _bet(self, content: str) -> Outcome:
        if self.taken.get("boxes") == content:
            return DONE
        if self.phase != "betting":
            return OUT_OF_ORDER
        self.taken["boxes"] = content
        return DONE

    def _pause(self, name: str, content: str) -> Outcome:
        in_order = self.phase in OPEN if name == "suspend" else self.phase == "suspended"
        if not in_order:
            if name not in self.taken:
                return OUT_OF_ORDER
            return DONE if self.taken[name] == content else CONFLICT
        self.phase, self.before = ("suspended", self.phase) if name == "suspend" else (self.before, "")
        self.taken[name] = content
        return DONE


class Call(NamedTuple):
    """One call, what it must come to, and who learns what is made by it."""

    who: str
    method: str
    path: str
    body: Json
    outcome: Outcome
    learn: Callable[[Json], None] = lambda document: None
    key: str = ""


class Attack:
    """Endless calls; the same for the same seed and the same answers."""

    def __init__(self, seed: int, *, at: datetime) -> None:
        self.chance, self.at, self.name = Random(seed), at, f"{seed}-{at:%H%M%S}"
        self.rounds: list[Live] = []
        self.ids: dict[tuple[str, str], str] = {}
        """What each integrator used an external id for."""
        self.awards: dict[str, str] = {}
        """The states of hits of MINE."""
        self.keys: dict[str, tuple[str, str]] = {}

    def settled(self, hits: Iterable[str]) -> None:
        """All that was complete is settled now; these are all hits of MINE."""
        for live in self.rounds:
            live.phase = "settled" if live.phase == "complete" else live.phase
        for hit in hits:
            self.awards.setdefault(hit, "pending")

    def __iter__(self) -> Iterator[Call]:
        kinds = [self._step, self._whole, self._batch, self._open, self._award]
        while True:
            (kind,) = self.chance.choices(kinds, [12, 2, 1, 2, 1])
            yield kind()

    def _open(self) -> Call:
        who, table = self.chance.choice([MINE, THEIRS]), self.chance.choice(TABLES)
        known = self._id() if self.chance.random() < 0.5 else ""
        content, learn = f"live {table}", lambda document: self.rounds.append(Live(document["id"], who, table))
        path, body = f"tables/{table}/rounds/", {"external_id": known} if known else {}
        if known and (who, known) in self.ids:
            outcome = DONE if self.ids[who, known] == content else Outcome(409, "idempotency_conflict")
            return Call(who, "POST", path, body, outcome)
        if any(live.table == table and live.phase in {*OPEN, "suspended"} for live in self.rounds):
            return Call(who, "POST", path, body, Outcome(409, "round_open"))
        if known:
            self.ids[who, known] = content
        return Call(who, "POST", path, body, Outcome(201), learn)

    def _step(self) -> Call:
        if not self.rounds:
            return self._open()
        live = self.chance.choice(self.rounds[-5:])
        name = live.onward if self.chance.random() < 0.4 else self.chance.choice(list(STEPS))
        content = self.chance.choice(list(STEPS[name]))
        who = live.owner if self.chance.random() < 0.9 else {MINE: THEIRS, THEIRS: MINE}[live.owner]
        outcome = live.step(name, content) if who == live.owner else Outcome(404, "not_found")
        method = "PUT" if name == "boxes" else "POST"
        return Call(who, method, f"rounds/{live.id}/{name}/", STEPS[name][content], outcome)

    def _whole(self) -> Call:
        who = self.chance.choice([MINE, THEIRS])
        body, outcome, _ = self._report(who)
        return Call(who, "POST", "rounds/", body, outcome)

    def _batch(self) -> Call:
        who = self.chance.choice([MINE, THEIRS])
        reports = [self._report(who) for _ in range(self.chance.choice([1, 2, 5]))]
        expected = [(outcome.status, outcome.code, replayed) for _, outcome, replayed in reports]

        def compare(document: Json) -> None:
            found = [
                (one["status"], one.get("problem", {}).get("code", ""), one.get("replayed", False))
                for one in document["results"]
            ]
            if found != expected:
                raise AssertionError(f"{found} instead of {expected}")

        return Call(who, "POST", "rounds/batch/", {"rounds": [body for body, _, _ in reports]}, DONE, compare)

    def _report(self, who: str) -> tuple[Json, Outcome, bool]:
        """A whole round, what it must come to, and whether it is a repeat; contents differ by one card at most."""
        known, table = self._id(), self.chance.choice([*TABLES, "UTH-01", "NONE"])
        turn = self.chance.choice(["3c", "3c", "3s"])
        times = (self.at + timedelta(seconds=seconds) for seconds in (-90, -60, -30))
        started, locked, completed = (time.isoformat() for time in times)
        named = {"external_id": known, "table": table, "turn": turn}
        body = EXAMPLE | named | {"started_at": started, "locked_at": locked, "completed_at": completed}
        content = f"whole {table} {turn}"
        if table == "NONE":
            return body, Outcome(422, "unknown_table"), False
        replayed = (who, known) in self.ids
        if self.ids.setdefault((who, known), content) != content:
            return body, Outcome(409, "idempotency_conflict"), False
        return body, Outcome(202), replayed

    def _award(self) -> Call:
        if not self.awards:
            return self._whole()
        award, move = self.chance.choice(list(self.awards)), self.chance.choice(["pay", "dispute"])
        who, key = self.chance.choice([MINE, MINE, THEIRS]), f"k-{self.name}-{self.chance.randrange(20)}"
        path, body = f"awards/{award}/{move}/", {"reference": "slip"} if move == "pay" else {"reason": "seen"}
        return Call(who, "POST", path, body, self._moved(who, award, move, key), key=key)

    def _moved(self, who: str, award: str, move: str, key: str) -> Outcome:
        if who == THEIRS:
            return Outcome(404, "not_found")
        if key in self.keys:
            return DONE if self.keys[key] == (award, move) else Outcome(409, "idempotency_conflict")
        if move == "pay" or self.awards[award] == "disputed":
            return Outcome(409, "illegal_move")  # nobody approves: there is no person here
        self.awards[award], self.keys[key] = "disputed", (award, move)
        return DONE

    def _id(self) -> str:
        return f"id-{self.name}-{self.chance.randrange(40 + len(self.ids))}"


def wrong(call: Call, status: int, document: Json) -> str:
    """What is wrong with an answer, or nothing. Teaches the model what was made."""
    code = document.get("code", "") if status >= 400 else ""
    if (status, code) != call.outcome:
        return f"{status} {code} instead of {call.outcome}: {call.who} {call.method} {call.path} {call.body} {document}"
    if status < 300:
        call.learn(document)
    return ""


class Wire:
    """A running service, called with two keys."""

    def __init__(self, address: str, keys: dict[str, str]) -> None:
        where = urlsplit(address)
        self._web, self._keys = http.client.HTTPConnection(where.hostname or "", where.port, timeout=60), keys

    def send(self, call: Call) -> tuple[int, Json]:
        headers = {"Authorization": f"Bearer {self._keys[call.who]}", "Content-Type": "application/json"}
        headers |= {"Idempotency-Key": call.key} if call.key else {}
        self._web.request(
            call.method, API + call.path, json.dumps(call.body) if call.method != "GET" else None, headers
        )
        answer = self._web.getresponse()
        return answer.status, json.loads(answer.read())

    def get(self, path: str, who: str = MINE) -> Json:
        return self.send(Call(who, "GET", path, {}, DONE))[1]

    def wait_until_settled(self, live: Live) -> None:
        while self.get(f"rounds/{live.id}/", live.owner)["phase"] == "complete":
            time.sleep(0.05)


def main(address: str, key: str, other_key: str, seconds: str, seed: str = "0") -> int:
    """Attacks for so many seconds. Answers how many calls came to something else."""
    wire, until = Wire(address, {MINE: key, THEIRS: other_key}), time.monotonic() + float(seconds)
    attack, outcomes, found = Attack(int(seed), at=datetime.now(UTC)), Counter[Outcome](), 0
    for call in attack:
        if trouble := wrong(call, *wire.send(call)):
            found += 1
            sys.stderr.write(f"{trouble}\n")
        outcomes[call.outcome] += 1
        for live in attack.rounds:
            if live.phase == "complete":
                wire.wait_until_settled(live)
        attack.settled(award["id"] for award in wire.get("awards/?kind=hit&page_size=20")["results"])
        if time.monotonic() > until:
            break
    for live in attack.rounds:
        if live.phase in {*OPEN, "suspended"}:
            wire.send(Call(live.owner, "POST", f"rounds/{live.id}/void/", STEPS["void"]["a"], DONE))
    sys.stderr.write(f"{ {str(tuple(outcome)): times for outcome, times in outcomes.items()} }, wrong: {found}\n")
    return found


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) > 0)
