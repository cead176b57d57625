"""Each address needs one scope, and no path or filter shows one integrator what is another's."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern

from config.urls import _API
from jackpot import services as jackpot
from jackpot.domain.callers import Scope
from jackpot.http.views import ApiView
from jackpot.models.jackpots import Level
from tests.api.floor import ROUNDS, Json, example, key_client, rows, send, settled
from tests.api.live import LiveRound
from tests.api.test_problems import problem
from tests.factories import SiteFactory, jackpot_with, table_with

API = "/api/v1/"
UNKNOWN = "00000000-0000-7000-8000-000000000000"

READ_ROUNDS, WRITE, READ_JACKPOTS = Scope.ROUNDS_READ, Scope.ROUNDS_WRITE, Scope.JACKPOTS_READ
_ROUND = "rounds/<uuid:round_id>/"
NEEDS: dict[str, dict[str, Scope]] = {
    "rounds/": {"get": READ_ROUNDS, "post": WRITE},
    "rounds/batch/": {"post": WRITE},
    _ROUND: {"get": READ_ROUNDS},
    _ROUND + "boxes/": {"get": READ_ROUNDS, "put": WRITE},
    _ROUND + "boxes/<int:box>/": {"put": WRITE, "delete": WRITE},
    _ROUND + "boxes/<int:box>/void/": {"post": WRITE},
    **{
        f"{_ROUND}{step}/": {"post": WRITE}
        for step in "lock deal decisions flop river showdown suspend resume void".split()
    },
    "tables/": {"get": READ_ROUNDS},
    "tables/<str:code>/rounds/": {"post": WRITE},
    "rule-sets/<str:code>/": {"get": READ_ROUNDS},
    "jackpots/": {"get": READ_JACKPOTS},
    "jackpots/<str:code>/": {"get": READ_JACKPOTS},
    "jackpots/<str:code>/statement/": {"get": READ_JACKPOTS},
    "jackpots/<str:code>/stream/": {"get": READ_JACKPOTS},
    "events/": {"get": READ_ROUNDS},
    "reports/<str:name>/": {"get": Scope.REPORTS_READ},
    "awards/": {"get": READ_JACKPOTS},
    "awards/<uuid:award_id>/": {"get": READ_JACKPOTS},
    **{f"awards/<uuid:award_id>/{move}/": {"post": Scope.AWARDS_WRITE} for move in ("dispute", "pay")},
}
"""What each call of each address needs. Addresses for persons only, and those that need no key, stand below."""
OTHERS = frozenset(
    {"schema/", "docs/", *(f"awards/<uuid:award_id>/{move}/" for move in ("approve", "uphold", "reject"))}
)

METHODS = ("get", "post", "put", "patch", "delete")


def routes() -> Iterator[tuple[str, type[ApiView]]]:
    for pattern in _API:
        assert isinstance(pattern, URLPattern)
        yield str(pattern.pattern), pattern.callback.view_class  # type: ignore[attr-defined]


def address(route: str, *, round_id: str = UNKNOWN, award_id: str = UNKNOWN, code: str = "none") -> str:
    for part, value in (("<uuid:round_id>", round_id), ("<uuid:award_id>", award_id), ("<int:box>", "1")):
        route = route.replace(part, value)
    return API + route.replace("<str:code>", code)


def test_every_address_says_what_it_needs() -> None:
    there = {route: {name for name in METHODS if hasattr(view, name)} for route, view in routes()}
    assert {route: there[route] for route in there.keys() - OTHERS} == {
        route: set(needs) for route, needs in NEEDS.items()
    }


@pytest.mark.parametrize("scope", list(Scope))
def test_each_call_takes_its_own_scope_and_no_other(scope: Scope, acme: Client) -> None:
    client = key_client(scopes=[scope])
    client.get(ROUNDS)
    before = rows()
    for route, calls in NEEDS.items():
        for method, needed in calls.items():
            answer = call(client, method, address(route))
            if scope is needed:
                assert answer.status_code in (200, 400, 404), (method, route, answer.content)
            else:
                assert needed in problem(answer, 403, "scope_required")["detail"], (method, route)
    assert rows() == before


def test_without_a_key_there_is_nothing(acme: Client) -> None:
    for client in (Client(), Client(headers={"Authorization": "Bearer x"})):
        for route, calls in NEEDS.items():
            for method in calls:
                problem(call(client, method, address(route)), 401, "unauthenticated")


@pytest.fixture
def theirs(acme: Client) -> dict[str, str]:
    """What Acme has at the site: a settled round with a hit, and a live one in betting."""
    found = settled(acme, example())
    live = LiveRound(acme, "UTH-02", external_id="live-1")
    live.bet(1, player="P-live")
    award = found["settlement"]["awards"][0]
    return {
        "round": found["id"], "live": live.opened["id"], "award": award["id"], "number": found["game_number"],
        "external_id": "gs-000123", "player": "P-17",
    }  # fmt: skip


def another_site() -> Client:
    """A key of Acme itself, for another site."""
    site = SiteFactory.create(code="ELSE")
    table_with("ELSE-01", site=site)
    return key_client("Acme", sites=["ELSE"])


CLIENTS: dict[str, Callable[[], Client]] = {
    "another integrator": lambda: key_client("Rival"),
    "another site": another_site,
    "both": lambda: key_client("Rival", sites=[SiteFactory.create(code="ELSE").code]),
}


@pytest.mark.parametrize("who", CLIENTS)
def test_no_path_tells_what_is_anothers_from_what_is_not_there(who: str, theirs: dict[str, str]) -> None:
    """Known failure 78: the same status and the same words, and nothing is written."""
    client = CLIENTS[who]()
    client.get(ROUNDS)
    before = rows()
    for route, calls in NEEDS.items():
        if "<uuid:" not in route:
            continue
        for method in calls:
            none = call(client, method, address(route))
            for round_id in (theirs["round"], theirs["live"]):
                one = call(client, method, address(route, round_id=round_id, award_id=theirs["award"]))
                assert one.status_code == none.status_code == 404, (method, route)
                assert without_instance(one) == without_instance(none)
    assert rows() == before


ROUND_FILTERS = {
    "external_id": "external_id", "game_number": "number", "player": "player", "table": "UTH-01", "site": "DEMO",
    "phase": "settled", "hand": "royal_flush", "day": "2026-11-29", "from": "2026-01-01T00:00:00Z",
}  # fmt: skip
AWARD_FILTERS = {
    "round": "round", "player": "player", "jackpot": "MAIN", "table": "UTH-01", "site": "DEMO", "kind": "hit",
    "state": "pending", "hand": "royal_flush", "day": "2026-11-29", "from": "2026-01-01T00:00:00Z",
}  # fmt: skip


@pytest.mark.parametrize("who", CLIENTS)
def test_no_filter_finds_what_is_anothers(who: str, theirs: dict[str, str], acme: Client) -> None:
    client = CLIENTS[who]()
    for address_of_list, filters in ((ROUNDS, ROUND_FILTERS), (f"{API}awards/", AWARD_FILTERS)):
        for name, value in filters.items():
            query = {name: theirs.get(value, value)}
            assert acme.get(address_of_list, query).json()["results"], query
            found = client.get(address_of_list, query)
            assert (found.status_code, found.json()) == (200, {"next": None, "previous": None, "results": []}), query
        assert client.get(address_of_list).json()["results"] == []


def test_no_external_id_and_no_cursor_leads_to_anothers(theirs: dict[str, str], acme: Client) -> None:
    rival = key_client("Rival")
    sent = send(rival, ROUNDS, example())
    assert sent.status_code == 202 and sent.json()["id"] != theirs["round"]
    following = acme.get(f"{ROUNDS}?page_size=1").json()["next"]
    assert rival.get(following).json()["results"] == []


def test_a_statement_shows_others_amounts_and_nothing_of_them(theirs: dict[str, str]) -> None:
    rival = key_client("Rival")
    shown = rival.get(f"{API}jackpots/MAIN/statement/").json()["results"]
    assert {row["kind"] for row in shown} >= {"contribution", "award", "reset"}
    assert {(row["source"], row["table"]) for row in shown} == {(None, None)}
    assert rival.get(f"{API}jackpots/MAIN/statement/?table=UTH-01").json()["results"] == []
    elsewhere = another_site()
    problem(elsewhere.get(f"{API}jackpots/MAIN/statement/"), 404, "not_found")
    assert elsewhere.get(f"{API}jackpots/").json()["results"] == []
    listed = {table["code"] for table in elsewhere.get(f"{API}tables/").json()["results"]}
    assert listed == {"ELSE-01"}
    assert elsewhere.get(f"{API}tables/?table=UTH-01").json()["results"] == []


def test_a_key_drives_no_table_of_another_site(acme: Client) -> None:
    elsewhere = another_site()
    before = rows()
    for code in ("UTH-01", "NONE"):
        found = problem(send(elsewhere, ROUNDS, example(table=code)), 422, "unknown_table")
        assert found["detail"] == f"there is no table '{code}' for this key"
        problem(send(elsewhere, f"{API}tables/{code}/rounds/", {}), 404, "not_found")
    assert rows() == before


def test_a_royal_of_a_sandbox_leaves_the_live_meter_alone(acme: Client) -> None:
    """Known failure 93, with a jackpot of the sandbox's own beside the live one."""
    live_before = list(Level.objects.filter(jackpot__code="MAIN").values())
    site = jackpot.open_site(code="SAND", name="Sandbox", sandbox=True)
    jackpot_with(code="SANDPOT", site=site, tables=("SAND-01",))
    client = key_client("Acme", sites=["SAND"])
    problem(send(client, ROUNDS, example()), 422, "unknown_table")
    found = settled(client, example(table="SAND-01"))
    assert (found["mode"], found["settlement"]["awards"][0]["amount"]) == ("test", "10000.40")
    assert list(Level.objects.filter(jackpot__code="MAIN").values()) == live_before
    assert [one["code"] for one in client.get(f"{API}jackpots/").json()["results"]] == ["SANDPOT"]
    assert [one["code"] for one in acme.get(f"{API}jackpots/").json()["results"]] == ["MAIN"]
    assert acme.get(f"{API}awards/").json()["results"] == []


def call(client: Client, method: str, where: str) -> Any:
    """With a body that is right in shape wherever that is cheap to know, so that only the caller can be wrong."""
    body = BODIES.get(where.rstrip("/").rpartition("/")[2], {}) if method != "get" else None
    if where.endswith("/boxes/1/"):
        body = {} if method == "delete" else {"player": "P-1", "ante": "5.00"}
    return client.get(where) if body is None else send(client, where, body, method, Idempotency_Key="k")


BODIES: dict[str, Json] = {
    "boxes": {"boxes": [{"box": 1, "player": "P-1", "ante": "5.00"}]}, "void": {"reason": "other"},
    "deal": {"player_cards": ["As", "Ks"]}, "decisions": {"box": 1, "action": "check"},
    "flop": {"cards": ["Qs", "Js", "Ts"]}, "river": {"turn": "3c", "river": "7h"}, "batch": {"rounds": []},
    "pay": {"reference": "slip"}, "dispute": {"reason": "other"},
}  # fmt: skip


def without_instance(answer: Any) -> Json:
    return {name: value for name, value in answer.json().items() if name != "instance"}
