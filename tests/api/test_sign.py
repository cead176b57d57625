"""What anybody may see of a jackpot by its sign: a closed set of keys, of which none says who played or where."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from jackpot import services as jackpot
from jackpot.domain.awards import Move
from jackpot.models.awards import Award
from jackpot.models.jackpots import Jackpot
from jackpot.money import show
from jackpot.services import award_moves
from jackpot.services.changes import jackpot_states
from jackpot.sign.glances import glances
from jackpot.sign.on_page import grouped, words
from tables.services import demo_data
from tests.factories import NOW, House, jackpot_with, low, person, play, reported, royal, straight_flush
from tests.factories.moves import retire

WHOLE = {"jackpot", "name", "currency", "state", "test", "at", "levels", "hit", "version"}
LEVEL = {"level", "displayed", "as_of"}
HIT = {"level", "hand", "amount", "at"}
HIDDEN = ("P-1", "UTH-01", "DEMO", "Demo casino", "gs-", "reserve", "10000.40000000", "seq")
PLACES = ("/sign/MAIN/", "/sign/MAIN/now", "/sign/MAIN/stream")


@pytest.fixture(autouse=True)
def _nothing_is_kept() -> Iterator[None]:
    glances.forget()
    yield
    glances.forget()


def now(client: Client, code: str = "MAIN") -> dict[str, Any]:
    glances.forget()
    answer = client.get(f"/sign/{code}/now")
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


def test_it_says_how_the_meters_stand_and_what_was_hit_and_nothing_else(demo: House, client: Client) -> None:
    assert now(client)["hit"] is None
    play(reported(royal(), low(2)))
    shown = now(client)
    assert shown.keys() == WHOLE
    assert [level.keys() for level in shown["levels"]] == [LEVEL]
    assert {name: shown[name] for name in ("jackpot", "name", "currency", "state", "test")} == {
        "jackpot": "MAIN", "name": "Main progressive", "currency": "USD", "state": "active", "test": False,
    }  # fmt: skip
    level = demo.jackpot.levels.get()
    assert level.posted_at is not None
    as_of = level.posted_at.isoformat(timespec="microseconds")
    assert shown["levels"] == [{"level": "main", "displayed": "10000.00", "as_of": as_of}]
    assert shown["hit"] == {
        "level": "main", "hand": "royal_flush", "amount": "10000.40", "at": "2026-11-29T14:24:10.000000+00:00",
    }  # fmt: skip
    award = Award.objects.get(kind="hit")
    for text in (json.dumps(shown), client.get("/sign/MAIN/").content.decode()):
        for hidden in (*HIDDEN, str(award.pk), str(award.source_ref)):
            assert hidden not in text


def test_the_page_takes_nothing_from_elsewhere_and_leaves_no_cookie(demo: House, client: Client) -> None:
    answer = client.get("/sign/MAIN/")
    assert answer.status_code == 200
    assert "default-src 'none'; script-src 'self'; style-src 'self'" in answer["Content-Security-Policy"]
    assert (answer["Cache-Control"], answer["X-Robots-Tag"], answer["X-Frame-Options"]) == (
        "no-store",
        "noindex",
        "DENY",
    )
    assert not answer.cookies
    assert " style=" not in answer.content.decode() and "<script>" not in answer.content.decode()
    assert client.get("/sign/MAIN/now")["Cache-Control"] == "public, max-age=1"


def test_however_many_ask_it_is_read_once_a_second(demo: House, client: Client, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(2):
        answers = {client.get("/sign/MAIN/now").content for _ in range(20)}
        client.get("/sign/MAIN/")
    assert len(answers) == 1


def test_there_is_no_other_and_nothing_to_be_done(demo: House, client: Client) -> None:
    assert client.get("/sign/NONE/").status_code == 404
    for path in ("/sign/NONE/now", "/sign/NONE/stream"):
        answer = client.get(path)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    for path in PLACES:
        assert {client.generic(method, path).status_code for method in ("POST", "PUT", "DELETE")} == {405}


def test_without_streams_it_is_told_so(demo: House, client: Client) -> None:
    answer = client.get("/sign/MAIN/stream")
    assert (answer.status_code, answer.json()["code"]) == (503, "busy")


def test_a_hit_that_was_taken_back_is_not_the_last_one(demo: House, client: Client) -> None:
    play(reported(straight_flush(), external_id="first"))
    play(reported(royal(), external_id="second"))
    assert now(client)["hit"]["hand"] == "royal_flush"
    hit = Award.objects.get(kind="hit", hand="royal_flush")
    moves = [(Move.DISPUTE, "ann"), (Move.REJECT, "ann"), (Move.REJECT, "ben")]
    for move, name in moves:
        award_moves.move(caller=person(name), award_id=hit.pk, move=move, note="cards were foul", now=NOW)
    assert now(client)["hit"]["hand"] == "straight_flush"


def test_two_who_share_a_hit_are_one(client: Client, db: None) -> None:
    link = jackpot_with(code="SPLIT", equal_rank="split")
    play(reported(low(1, pair="Ts Js"), low(2, pair="5s 6s"), board="7s 8s 9s 3c 7h", table="T-01"))
    shares = Award.objects.filter(jackpot=link, kind="hit").values_list("amount", flat=True)
    assert len(shares) == 2
    assert now(client, "SPLIT")["hit"]["amount"] == show(sum(shares), link.currency) == "1000.04"


def test_its_times_are_those_of_the_house(client: Client, db: None) -> None:
    site = jackpot.open_site(code="NY", name="Harbour", timezone="America/New_York")
    jackpot_with(code="HARBOUR", site=site)
    play(reported(royal(), table="T-01"))
    assert now(client, "HARBOUR")["hit"]["at"] == "2026-11-29T09:24:10.000000-05:00"


def test_a_suspended_and_a_retired_one_say_so(demo: House, client: Client) -> None:
    jackpot_states.suspend_jackpot(caller=person("ann"), jackpot_id=demo.jackpot.pk, now=NOW)
    assert now(client)["state"] == "suspended"
    assert "Suspended" in client.get("/sign/MAIN/").content.decode()
    other = demo_data.open_demo_jackpot(code="NEXT", name="Next", site=demo.site, now=NOW)
    retire(Jackpot.objects.get(pk=demo.jackpot.pk), other)
    assert now(client)["state"] == "retired"
    page = client.get("/sign/MAIN/").content.decode()
    assert "Closed – this jackpot is no longer played" in page and "data-displayed" not in page


def test_that_of_a_sandbox_is_marked_as_a_test(client: Client, db: None) -> None:
    site = jackpot.open_site(code="SAND", name="Sandbox", sandbox=True)
    jackpot_with(code="SANDBOX", site=site)
    assert now(client, "SANDBOX")["test"] is True
    assert "Test – not a real jackpot" in client.get("/sign/SANDBOX/").content.decode()


@pytest.mark.parametrize(
    ("amount", "figures"),
    [("0.00", "0.00"), ("999.50", "999.50"), ("1234567", "1,234,567"), ("12345.678", "12,345.678")],
)
def test_thousands_stand_apart(amount: str, figures: str) -> None:
    assert grouped(amount) == figures


def test_codes_are_words_for_people() -> None:
    assert [words(code) for code in ("royal_flush", "main", "mega-2")] == ["Royal flush", "Main", "Mega 2"]
