"""Every list and every page of the API: a constant number of queries, and each row once while others come in.

A list that is not named here fails the last test.
"""

from collections.abc import Callable, Iterator

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from config import description
from jackpot.models.awards import Award
from jackpot.models.sites import Site
from tables.models.rounds import Round
from tests.api.floor import BATCH, ROUNDS, Json, box, example, send
from tests.cases.play import round_of, seat
from tests.factories import jackpot_with, settle_all, table_with

FEW, MANY = 2, 50
PLAY = {"action": "play", "street": "river", "multiplier": 1}


def more_rounds(client: Client, count: int) -> None:
    """Settled rounds that hit, each with its Envy: rounds, awards, statement rows and events."""
    first = Round.objects.count()
    boxes = [seat("9s Ks", 1, progressive="1.00"), box(2)]
    bodies = [
        round_of(*boxes, board="Qs Js Ts 3c 5h", dealer="6d 7h", external_id=f"n-{first + n}") for n in range(count)
    ]
    answers = send(client, BATCH, {"rounds": bodies}).json()["results"]
    assert {item["status"] for item in answers} == {202}
    settle_all()


def more_tables(client: Client, count: int) -> None:
    site = Site.objects.get(code="DEMO")
    first = site.tables.count()
    for n in range(first, first + count):
        table_with(f"N-{n}", site=site, link=site.jackpots.get(code="MAIN"))


def more_jackpots(client: Client, count: int) -> None:
    site = Site.objects.get(code="DEMO")
    first = site.jackpots.count()
    for n in range(first, first + count):
        jackpot_with(code=f"J-{n}", site=site, tables=(f"J-{n}",))


def wide_round(client: Client) -> str:
    """The boxes of a live round that is open for bets."""
    opened: str = send(client, "/api/v1/tables/LIVE-01/rounds/", {}).json()["id"]
    return f"{ROUNDS}{opened}/boxes/"


def more_boxes(client: Client, count: int) -> None:
    live = Round.objects.get(table__code="LIVE-01")
    first = live.boxes.count()
    boxes = [{"box": n, "player": f"P-{n}", "ante": "5.00"} for n in range(first + 1, first + count + 1)]
    assert send(client, f"{ROUNDS}{live.pk}/boxes/", {"boxes": boxes}, "put").status_code == 200


More = Callable[[Client, int], None]
LISTS: dict[str, tuple[str | Callable[[Client], str], More]] = {
    "rounds/": (ROUNDS, more_rounds),
    "rounds/{round_id}/boxes/": (wide_round, more_boxes),
    "tables/": ("/api/v1/tables/", more_tables),
    "jackpots/": ("/api/v1/jackpots/", more_jackpots),
    "jackpots/{code}/statement/": ("/api/v1/jackpots/MAIN/statement/", more_rounds),
    "awards/": ("/api/v1/awards/", more_rounds),
    "events/": ("/api/v1/events/", more_rounds),
}
OLDEST_FIRST = {"rounds/{round_id}/boxes/", "events/"}


@pytest.fixture(params=LISTS)
def listed(request: pytest.FixtureRequest, acme: Client) -> tuple[str, str, More]:
    """A list by its route, its address, and what puts more into it."""
    address, more = LISTS[request.param]
    return request.param, address(acme) if callable(address) else address, more


def cost(client: Client, address: str) -> tuple[int, int]:
    """How many rows an address answers with, and how many queries it costs."""
    client.get(address)  # what is noted once a minute is noted
    with CaptureQueriesContext(connection) as captured:
        answer = client.get(address)
    assert answer.status_code == 200, answer.content
    found = answer.json()
    return len(found.get("results", ())), len(captured)


def test_a_page_of_two_costs_what_a_page_of_fifty_does(listed: tuple[str, str, More], acme: Client) -> None:
    _, address, more = listed
    more(acme, MANY)
    few, many = (cost(acme, f"{address}?page_size={size}") for size in (FEW, MANY))
    assert (few[0], many[0]) == (FEW, MANY)
    assert few[1] == many[1]


def test_a_round_costs_the_same_whatever_is_in_it(acme: Client) -> None:
    more_rounds(acme, 1)
    seats = [seat(None, n, decision=PLAY) for n in range(1, MANY + 1)]
    body = example(table="LIVE-01", external_id="wide", boxes=seats, player_cards=["Ac", "Kd"])
    wide = send(acme, ROUNDS, body).json()["id"]
    settle_all()
    narrow = Round.objects.exclude(pk=wide).get().pk
    reading_awards = 1  # the narrow one owes some
    assert cost(acme, f"{ROUNDS}{narrow}/")[1] == cost(acme, f"{ROUNDS}{wide}/")[1] + reading_awards
    few, many = (cost(acme, f"{ROUNDS}{wide}/boxes/?page_size={size}") for size in (FEW, MANY))
    assert few[1] == many[1]


def test_a_jackpot_an_award_and_a_rule_set_cost_the_same_whatever_is_beside_them(acme: Client) -> None:
    more_rounds(acme, 1)
    award = Award.objects.latest("hit_at").pk
    addresses = [f"/api/v1/awards/{award}/", "/api/v1/jackpots/MAIN/", "/api/v1/rule-sets/casino-progressive/"]
    before = [cost(acme, address) for address in addresses]
    more_rounds(acme, 20)
    more_tables(acme, 5)
    assert [cost(acme, address) for address in addresses] == before


def walk(client: Client, address: str, link: str = "next") -> Iterator[Json]:
    following: str | None = address
    while following:
        page: Json = client.get(following).json()
        yield page
        following = page[link]


def keys(page: Json) -> list[str]:
    """What tells the rows of a page apart."""
    names = ("id", "code", "seq", "box", "level", "pot")
    return [str([row.get(name) for name in names]) for row in page["results"]]


def test_no_row_is_left_out_or_told_twice_while_others_come_in(listed: tuple[str, str, More], acme: Client) -> None:
    """There and back: newest first, what comes later is not on the way; oldest first, it is at the end of it."""
    route, address, more = listed
    more(acme, 5)
    old = [key for page in walk(acme, address) for key in keys(page)]
    seen, pages = [], []
    for page in walk(acme, f"{address}?page_size=3"):
        seen += keys(page)
        pages.append(page)
        if len(pages) <= 3:
            more(acme, 1)
    assert len(set(seen)) == len(seen)
    assert [key for key in seen if key in old] == old
    if route not in OLDEST_FIRST and route not in ("tables/", "jackpots/"):
        assert seen == old
    back = list(walk(acme, pages[-1]["previous"], "previous"))
    told = [key for page in reversed(back) for key in keys(page)]
    assert len(set(told)) == len(told)
    before_last = seen[: len(seen) - len(keys(pages[-1]))]
    assert told[len(told) - len(before_last) :] == before_last


def test_every_list_is_tried_here() -> None:
    """Whatever is described as taking a `page_size` is a list."""
    described = description.document()["paths"].items()
    paged = {path for path, methods in described if "page_size" in str(methods.get("get", {}).get("parameters"))}
    assert {path.removeprefix("/api/v1/") for path in paged} == set(LISTS)
