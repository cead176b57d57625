"""Calls that no sane client makes, made from a seed: right calls with something wrong in them, and plain rubbish.

`python -m tests.api.rubbish ADDRESS KEY SECONDS [SEED]` sends them to a running service and prints what it gets wrong.
"""

import http.client
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

API = "/api/v1/"
_ROOT = Path(__file__).resolve().parent.parent.parent
# From its file, not through the service: this runs as a script, without Django, too.
EXAMPLE: dict[str, Any] = json.loads((_ROOT / "tables/api/described/examples/round.json").read_text())
UNKNOWN = "00000000-0000-7000-8000-000000000000"
STRINGS = [
    *(
        "",
        " ",
        "0",
        "-1",
        "5.00",
        "1e2",
        "NaN",
        "As",
        "null",
        "UTH-01",
        "x" * 40,
        "x" * 3_000,
        "a\0b",
        "\ud800",
        "\udfff",
    ),
    *(
        "\u202eabc",
        "e\u0301",
        "\ufeff",
        "\u0663",
        "６",
        "💰",
        "'; DROP TABLE x; --",
        "{}",
        "../..",
        "%00",
        "%s%n",
        "=1+1",
    ),
    *(
        "2026-11-29T14:22:33Z",
        "0001-01-01T00:00:00+23:59",
        "9999-12-31T23:59:59-23:59",
        "2026-02-30",
        UNKNOWN,
        "\n\r\t",
    ),
]
NUMBERS = [0, -1, 1, 2**31, 2**63, 2**64, -(2**63) - 1, 10**40, 0.1, 1.5, -0.0, 1e308, 5e-324]
NAMES = [
    *"table external_id started_at locked_at completed_at boxes box player cards ante blind trips progressive".split(),
    *"decision action street multiplier void reason note flop turn river dealer player_cards rounds decisions".split(),
    *("reference", "x", "", "a/b~c", "\0", "\ud800", "x" * 500, "__proto__", "1", "01", "-1"),
]
QUERY = [
    *"table site phase day player hand external_id game_number from to cursor page_size jackpot round kind".split(),
    *("state", "level", "pot", "after", "format", "x", "", "page_size", "cursor"),
]
VALUES = [
    *STRINGS,
    "1",
    "500",
    "501",
    "settled",
    "royal_flush",
    "meter",
    "DEMO",
    "MAIN",
    "2026-11-29",
    "WyJ4Il0",
    "W10",
]
CODES = [
    "MAIN",
    "UTH-01",
    "UTH-02",
    "LIVE-01",
    "ONL-01",
    "practice",
    "x",
    "%00",
    "%ff",
    "a%2Fb",
    "..",
    "%F0%9F%92%B0",
    "'",
]
READ = [
    *("rounds/", "rounds/{id}/", "rounds/{id}/boxes/", "awards/", "awards/{id}/", "jackpots/", "jackpots/{code}/"),
    *(
        "jackpots/{code}/statement/",
        "tables/",
        "rule-sets/{code}/",
        "",
        "rounds",
        "rounds/{id}/nothing/",
        "%ff/",
        "a%00b",
    ),
]
STEPS = [
    *"lock deal decisions flop river showdown suspend resume void boxes boxes/1 boxes/1/void".split(),
    *("boxes/0", "boxes/99999999999", "boxes/-1", "nothing"),
]
HEADERS: list[tuple[str, str]] = [
    *(("Accept", "text/html"), ("Accept", ";;,"), ("Accept", "application/problem+json"), ("Accept", "*/*;q=x")),
    *(("Prefer", "wait=0"), ("Prefer", "wait=999999"), ("Prefer", "x\xff"), ("Content-Encoding", "gzip")),
    *(("Content-Type", "text/plain"), ("Content-Type", ""), ("Content-Type", "application/json; charset=utf-16")),
    *(("Idempotency-Key", "x" * 300), ("X-HTTP-Method-Override", "DELETE"), ("Authorization", "Bearer \xff")),
    *(("Authorization", "Basic Og=="), ("Authorization", "Bearer"), ("Last-Event-ID", "x"), ("Range", "bytes=0-1")),
    *(("If-Match", "*"), ("Cookie", "sessionid=x; csrftoken=\xff"), ("Content-Type", "multipart/form-data; boundary=")),
]


class Call(NamedTuple):
    """One request; `headers` come on top of the key's."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    def __str__(self) -> str:
        return f"{self.method} {self.path[:300]} {self.headers} {self.body[:600]!r}"


def calls(seed: int, ids: Callable[[], str] = lambda: UNKNOWN) -> Iterator[Call]:
    """Endless; the same for the same seed and the same ids. `ids` gives a round that is there."""
    chance = Random(seed)
    while True:
        yield _call(chance, ids)


def _call(chance: Random, ids: Callable[[], str]) -> Call:
    headers = dict(chance.sample(HEADERS, 1)) if chance.random() < 0.1 else {}
    one = chance.choice([ids(), ids(), UNKNOWN, "x", ids().upper()])
    kind = chance.random()
    if kind < 0.3:
        path = chance.choice(READ).format(id=one, code=chance.choice(CODES))
        query = "&".join(_parameter(chance) for _ in range(chance.choice([0, 0, 1, 1, 2, 5])))
        method = chance.choice(["GET"] * 8 + ["HEAD", "DELETE", "OPTIONS", "PATCH", "TRACE", "BREW"])
        return Call(method, f"{API}{path}{'?' + query if query else ''}", headers, b"")
    if kind < 0.55:
        return Call("POST", f"{API}rounds/", headers, _body(chance, _round(chance)))
    if kind < 0.65:
        rounds = [_round(chance) for _ in range(chance.choice([0, 1, 2, 5]))]
        return Call("POST", f"{API}rounds/batch/", headers, _body(chance, {"rounds": rounds}))
    if kind < 0.75:
        path = f"{API}tables/{chance.choice(CODES)}/rounds/"
        return Call("POST", path, headers, _body(chance, chance.choice([{}, {"external_id": _text(chance)}])))
    path = f"{API}rounds/{one}/{chance.choice(STEPS)}/"
    return Call(chance.choice(["POST", "POST", "PUT", "DELETE"]), path, headers, _body(chance, _step(chance)))


def _round(chance: Random) -> dict[str, Any]:
    made = deepcopy(EXAMPLE) | {"external_id": f"r-{chance.randrange(10**9)}", "table": chance.choice(CODES[1:5])}
    for _ in range(chance.choice([0, 0, 1, 1, 2, 4])):
        _spoil(made, chance)
    return made


def _step(chance: Random) -> dict[str, Any]:
    bets = {"player": "P-1", "ante": "5.00", "progressive": "1.00"}
    made: dict[str, Any] = deepcopy(
        chance.choice([
            *({}, {}, bets, {"boxes": [bets | {"box": 1}, bets | {"box": 2, "player": "P-2"}]}, {"note": "x"}),
            *({"cards": {"1": ["As", "Ks"], "2": ["2c", "7d"]}}, {"player_cards": ["As", "Ks"]}, {"reason": "other"}),
            *({"cards": ["Qs", "Js", "Ts"]}, {"turn": "3c", "river": "7h"}, {"dealer": ["2d", "2h"]}),
            *({"box": 1, "action": "play", "multiplier": 4}, {"decisions": [{"box": 1, "action": "check"}]}),
        ])
    )  # fmt: skip
    for _ in range(chance.choice([0, 0, 0, 1, 2])):
        _spoil(made, chance)
    return made


def _spoil(tree: Any, chance: Random) -> None:
    """Change one thing somewhere in it."""
    inside = [value for value in (tree.values() if isinstance(tree, dict) else tree) if isinstance(value, dict | list)]
    if inside and chance.random() < 0.6:
        _spoil(chance.choice(inside), chance)
    elif isinstance(tree, list):
        if tree and chance.random() < 0.7:
            tree[chance.randrange(len(tree))] = _value(chance)
        else:
            tree.insert(0, deepcopy(tree[-1]) if tree and chance.random() < 0.5 else _value(chance))
    elif tree and chance.random() < 0.3:
        del tree[chance.choice(list(tree))]
    else:
        tree[chance.choice([*tree, *NAMES])] = _value(chance)


def _value(chance: Random, depth: int = 0) -> Any:
    kind = chance.random()
    if kind < 0.5:
        return _text(chance)
    if kind < 0.7:
        return chance.choice(NUMBERS)
    if kind < 0.8 or depth > 3:
        return chance.choice([None, True, False, [], {}])
    if kind < 0.9:
        return [_value(chance, depth + 1) for _ in range(chance.randrange(4))]
    return {chance.choice(NAMES): _value(chance, depth + 1) for _ in range(chance.randrange(3))}


def _text(chance: Random) -> str:
    if chance.random() < 0.8:
        return chance.choice(STRINGS)
    return "".join(
        chr(chance.choice([chance.randrange(128), chance.randrange(0x110000)])) for _ in range(chance.randrange(9))
    )


def _parameter(chance: Random) -> str:
    value = quote(chance.choice(VALUES) if chance.random() < 0.8 else _text(chance), errors="replace", safe="")
    return (
        f"{quote(chance.choice(QUERY))}={value}"
        if chance.random() < 0.95
        else chance.choice(["%", "%zz", "&&", "=", "%ff=%fe"])
    )


def _body(chance: Random, tree: Any) -> bytes:
    """The tree as JSON, now and then with its bytes spoilt."""
    body = json.dumps(tree, ensure_ascii=chance.random() < 0.5).encode(errors="surrogatepass")
    if chance.random() < 0.9:
        return body
    at = chance.randrange(len(body) + 1)
    wrong = [
        b"\x00",
        b"\xff",
        b'"',
        b"}",
        b"[" * 2_000,
        b",",
        b"NaN",
        b"1e999",
        b"9" * 400,
        b'"a":1,"a":2',
        b"\xef\xbb\xbf",
    ]
    return chance.choice([body[:at], body[:at] + chance.choice(wrong) + body[at:], b"", body + body])


def wrong(status: int, kind: str, body: bytes, method: str = "GET") -> str:
    """What is wrong with an answer (`kind` is its Content-Type), or nothing."""
    if status >= 500:
        return "a fault of the service"
    if method == "HEAD":
        return "" if not body else "a body after HEAD"
    if kind != ("application/json" if status < 400 else "application/problem+json"):
        return f"it is {kind}"
    try:
        document = json.loads(body)
    except ValueError:
        return "it is no JSON"
    if status >= 400 and (document["status"], document["type"]) != (status, f"/errors/{document['code']}"):
        return "the problem is about something else"
    return ""


def main(address: str, key: str, seconds: str, seed: str = "0") -> int:
    """Sends calls for so many seconds. Answers how many went wrong."""
    where, until = urlsplit(address), time.monotonic() + float(seconds)
    found, statuses, known = 0, Counter[int](), [UNKNOWN]
    chance = Random(int(seed))
    web = http.client.HTTPConnection(where.hostname or "", where.port, timeout=30)
    made = calls(int(seed), lambda: chance.choice(known))
    while time.monotonic() < until:
        call = next(made)
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"} | call.headers
        try:
            web.request(call.method, call.path, call.body, headers)
            answer = web.getresponse()
            body = answer.read()
        except (OSError, http.client.HTTPException, ValueError) as error:
            web.close()
            _tell(f"no answer: {error!r} {call}")
            continue
        statuses[answer.status] += 1
        kind = answer.headers.get("Content-Type", "")
        if answer.status != 414 and (trouble := wrong(answer.status, kind, body, call.method)):
            found += 1
            _tell(f"{answer.status} {trouble}: {call} {body[:300]!r}")
        if answer.status in (201, 202) and body.startswith(b'{"id"'):
            known[:] = [*known[-30:], json.loads(body)["id"]]
    _tell(f"{dict(statuses)}, wrong: {found}")
    return found


def _tell(line: str) -> None:
    sys.stderr.write(f"{line}\n")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) > 0)
