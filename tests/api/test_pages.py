"""Pages neither skip nor repeat a row, also while rows come in and share their time."""

import base64
import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from hashlib import sha256
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from jackpot.models.clients import ApiKey
from tests.api.test_problems import problem
from tests.owner import as_owner

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.api.probe")]
THINGS = "/api/v1/things/"
NOW = timezone.now()
THERE = sha256(THINGS.encode()).hexdigest()[:8]
"""What marks a cursor of the list of things."""


@pytest.fixture
def client(caller: Callable[..., Client]) -> Client:
    """A client of an integrator with five keys of one instant, its own among them, and two older ones."""
    made = caller("Acme")
    own = ApiKey.objects.get()
    with as_owner():
        ApiKey.objects.update(created_at=NOW)
    for minutes in (0, 0, 0, 0, 5, 9):
        add(own, minutes)
    return made


def add(like: ApiKey, minutes: float = 0) -> int:
    made = ApiKey.objects.create(
        integrator=like.integrator,
        prefix=f"k{ApiKey.objects.count()}",
        secret_hash="",
        scopes=like.scopes,
        created_at=NOW - timedelta(minutes=minutes),
        expires_at=like.expires_at,
    )
    return made.pk


def newest_first() -> list[int]:
    return list(ApiKey.objects.order_by("-created_at", "-id").values_list("id", flat=True))


def ids(page: dict[str, Any]) -> list[int]:
    return [row["id"] for row in page["results"]]


def walk(client: Client, address: str, link: str = "next") -> Iterator[dict[str, Any]]:
    following: str | None = address
    while following:
        page: dict[str, Any] = client.get(following).json()
        assert list(page) == ["next", "previous", "results"]
        yield page
        following = page[link]


@pytest.mark.parametrize("size", [1, 2, 3, 6, 7, 500])
def test_pages_together_hold_every_row_once_newest_first(client: Client, size: int) -> None:
    pages = list(walk(client, f"{THINGS}?page_size={size}"))
    assert [row for page in pages for row in ids(page)] == newest_first()
    assert pages[0]["previous"] is None
    assert len(pages) == -(-7 // size)


def test_the_way_back_is_the_same_way(client: Client) -> None:
    there = list(walk(client, f"{THINGS}?page_size=3"))
    back = list(walk(client, there[-1]["previous"], "previous"))
    assert [ids(page) for page in back] == [ids(page) for page in reversed(there[:-1])]
    assert [ids(client.get(page["next"]).json()) for page in back] == [ids(page) for page in reversed(there[1:])]


def test_rows_that_come_in_between_move_nothing(client: Client) -> None:
    before = newest_first()
    own = ApiKey.objects.order_by("id")[0]
    seen = []
    for page in walk(client, f"{THINGS}?page_size=2"):
        seen += ids(page)
        add(own)
    assert seen == before
    last = client.get(f"{THINGS}?page_size=2&cursor={cursor_of(client, 2)}").json()
    assert ids(client.get(last["previous"]).json()) == newest_first()[:2]


def test_filters_stay_in_the_links(client: Client) -> None:
    page = client.get(f"{THINGS}?page_size=2").json()
    assert "page_size=2" in page["next"]
    assert page["next"].startswith("http://testserver/api/v1/things/?")


def test_a_page_costs_one_query_whatever_its_size(
    client: Client, django_assert_num_queries: Callable[..., Any]
) -> None:
    client.get(THINGS)
    for size in (1, 500):
        with django_assert_num_queries(2):  # the key, the page
            client.get(f"{THINGS}?page_size={size}")


@pytest.mark.parametrize(
    "document",
    [
        *(None, [], ["THERE"], [0, NOW.isoformat(), "1"], ["there", 0, NOW.isoformat(), "1"], [None], {}, "x"),
        *([THERE, 0], [THERE, 2, "a", "1"], [THERE, 0, "a"], [THERE, 0, "now", "1"], [THERE, 0, NOW.isoformat(), "x"]),
        *([THERE, 0, "\0", "1"], [THERE, 0, 1, 1], [THERE, 0, NOW.isoformat(), None], [THERE, 0, "2026-02-30", "1"]),
        *([THERE, 0, NOW.isoformat(), "1", "1"], [THERE, None, NOW.isoformat(), "1"]),
    ],
)
def test_a_made_up_cursor(client: Client, document: object) -> None:
    problem(client.get(f"{THINGS}?cursor={written(document)}"), 400, "invalid_value")


@pytest.mark.parametrize("cursor", ["", "x", "!!!", "%C3%A9", "W1tb", "AAAA", "x" * 10_000, "W1tb" * 100])
def test_an_unreadable_cursor(client: Client, cursor: str) -> None:
    problem(client.get(f"{THINGS}?cursor={cursor}"), 400, "invalid_value")


def test_a_cursor_beyond_all_numbers_is_a_page_like_any_other(client: Client) -> None:
    cursor = written([THERE, 0, NOW.isoformat(), "9" * 40])
    assert client.get(f"{THINGS}?cursor={cursor}").status_code == 200


def written(document: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(document).encode()).decode().rstrip("=")


def cursor_of(client: Client, size: int) -> str:
    link: str = client.get(f"{THINGS}?page_size={size}").json()["next"]
    return link.partition("cursor=")[2].partition("&")[0]


def test_a_cursor_with_another_filter_is_the_same_place_in_the_filtered_list(client: Client) -> None:
    cursor, rest = cursor_of(client, 2), newest_first()[2:]
    wanted = ApiKey.objects.get(pk=rest[1])
    assert ids(client.get(f"{THINGS}?prefix={wanted.prefix}&cursor={cursor}").json()) == [wanted.pk]
    before = ApiKey.objects.get(pk=newest_first()[0])
    assert ids(client.get(f"{THINGS}?prefix={before.prefix}&cursor={cursor}").json()) == []
