"""`Idempotency-Key`: a move that is sent again is answered again, and nothing is moved twice."""

from collections.abc import Callable

import pytest
from django.test import Client

from jackpot.models.awards import Award, AwardMove
from jackpot.models.ledger import Entry
from jackpot.models.requests import AnsweredRequest
from tests.api.floor import EXAMPLE, key_client, rows, send, settled
from tests.api.people import AWARDS, move, moved, person
from tests.api.test_problems import problem
from tests.factories import House, assert_books_agree
from tests.owner import as_owner

REPLAYED = "Idempotency-Replayed"


@pytest.fixture
def hit(acme: Client) -> str:
    """The contract's hit, approved by two."""
    settled(acme, EXAMPLE)
    found = str(Award.objects.get(kind="hit").pk)
    for name in ("ann", "ben"):
        moved(person(name), found, "approve")
    return found


@pytest.fixture
def envy(hit: str) -> str:
    return str(Award.objects.get(kind="envy").pk)


def test_the_same_again_has_the_same_answer_whatever_happened_since(acme: Client, hit: str, envy: str) -> None:
    first = move(acme, envy, "pay", key="k")
    assert (first.status_code, REPLAYED in first) == (200, False)
    moved(acme, hit, "pay")
    before = rows()
    again = move(acme, envy, "pay", key="k")
    assert (again.status_code, again[REPLAYED], again.content) == (200, "true", first.content)
    assert rows() == before
    assert Entry.objects.filter(source_ref=f"award:{envy}").count() == 1
    assert_books_agree()


def test_a_first_answer_that_was_lost_is_got_by_asking_again(acme: Client, hit: str) -> None:
    """The service died between commit and answer; or another key of the integrator asks, a year later."""
    lost = move(acme, hit, "pay", key="k").content
    found = move(key_client("Acme"), hit, "pay", key="k")
    assert (found.content, found[REPLAYED]) == (lost, "true")


@pytest.mark.parametrize(
    "raw", ['{ "reference" : "slip 4711" }', '{"reference": "slip\\u0020\\u0034711"}'], ids=["blanks", "escapes"]
)
def test_equal_content_written_otherwise_is_a_repeat(acme: Client, hit: str, raw: str) -> None:
    """Known failure 45."""
    first = move(acme, hit, "pay", key="k")
    again = acme.generic(
        "POST", f"{AWARDS}{hit}/pay/", raw, content_type="application/json", headers={"Idempotency-Key": "k"}
    )
    assert (again.status_code, again.content, again[REPLAYED]) == (200, first.content, "true")


def test_an_optional_value_given_as_its_default_is_a_repeat(acme: Client) -> None:
    settled(acme, EXAMPLE)
    found = str(Award.objects.get(kind="hit").pk)
    ann = person("ann")
    assert move(ann, found, "approve", key="k", body={}).status_code == 200
    for body in ({}, {"note": None}, {"note": ""}):
        assert move(ann, found, "approve", key="k", body=body)[REPLAYED] == "true"
    assert AwardMove.objects.count() == 1


def test_other_content_under_the_same_key_is_a_conflict_and_nothing_is_done(acme: Client, hit: str, envy: str) -> None:
    """Known failure 45: another body, another award, another move."""
    assert move(acme, hit, "pay", key="k").status_code == 200
    before = rows()
    for award, name, body in ((hit, "pay", {"reference": "slip 4712"}), (envy, "pay", None), (envy, "dispute", None)):
        problem(move(acme, award, name, key="k", body=body), 409, "idempotency_conflict")
    assert rows() == before
    assert Award.objects.get(pk=envy).state == "approved"


def test_keys_of_two_integrators_and_of_people_have_nothing_to_do_with_each_other(
    acme: Client, rival: Client, hit: str
) -> None:
    theirs = settled(rival, EXAMPLE)["settlement"]["awards"][0]["id"]
    ann, ben = person("cleo"), person("dora")
    assert move(acme, hit, "pay", key="k").status_code == 200
    for client, award, name in ((rival, theirs, "dispute"), (ann, theirs, "uphold"), (ben, theirs, "uphold")):
        answer = move(client, award, name, key="k")
        assert (answer.status_code, REPLAYED in answer) == (200, False)
    assert Award.objects.get(pk=theirs).state == "approved"
    assert AnsweredRequest.objects.filter(key="k").count() == 4


def test_what_is_not_seen_is_not_answered_again(acme: Client, rival: Client, hit: str) -> None:
    assert move(acme, hit, "pay", key="k").status_code == 200
    problem(move(rival, hit, "pay", key="k"), 404, "not_found")


def test_a_refusal_is_not_remembered(acme: Client, hit: str) -> None:
    moved(acme, hit, "dispute")
    problem(move(acme, hit, "pay", key="k"), 409, "illegal_move")
    problem(move(acme, hit, "pay", key="k", body={}), 400, "missing_field")
    for name in ("ann2", "ben2"):
        moved(person(name), hit, "uphold")
    answer = move(acme, hit, "pay", key="k")
    assert (answer.status_code, REPLAYED in answer) == (200, False)


BAD_KEYS = {
    "none": ({}, "missing_field"),
    "empty": ({"Idempotency-Key": ""}, "missing_field"),
    "long": ({"Idempotency-Key": "x" * 256}, "invalid_value"),
    "another alphabet": ({"Idempotency-Key": "cl\u00e9"}, "invalid_value"),
    "control characters": ({"Idempotency-Key": "a\tb"}, "invalid_value"),
    "NUL": ({"Idempotency-Key": "a\x00b"}, "malformed"),
}


def test_the_key_is_needed_and_read_strictly(acme: Client, hit: str) -> None:
    before = rows()
    for name, body in (("pay", '{"reference": "x"}'), ("dispute", '{"reason": "x"}')):
        for headers, code in BAD_KEYS.values():
            address = f"{AWARDS}{hit}/{name}/"
            answer = acme.generic("POST", address, body, content_type="application/json", headers=headers)
            detail = problem(answer, 400, code)["detail"]
            assert code == "malformed" or "Idempotency-Key" in detail
    assert rows() == before


def test_every_move_needs_the_key(demo: House) -> None:
    ann = person("ann")
    for name in ("approve", "uphold", "reject"):
        answer = send(ann, f"{AWARDS}00000000-0000-7000-8000-000000000000/{name}/", {"reason": "x"})
        problem(answer, 400, "missing_field")


def test_any_printable_key_will_do(acme: Client, hit: str, envy: str) -> None:
    for award, key in ((hit, "{ ~!}"), (envy, "k" * 255)):
        assert move(acme, award, "pay", key=key).status_code == 200
        assert move(acme, award, "pay", key=key)[REPLAYED] == "true"


@pytest.mark.parametrize("table", ["jackpot_answeredrequest", "jackpot_link", "jackpot_awardmove"])
def test_where_the_last_statement_fails_nothing_remains_of_the_earlier_ones(
    acme: Client, hit: str, table: str, break_inserts: Callable[[str], None]
) -> None:
    """Known failure 95."""
    before = rows()
    break_inserts(table)
    problem(move(acme, hit, "pay", key="k"), 503, "busy")
    assert rows() == before
    assert Award.objects.get(pk=hit).state == "approved"
    break_inserts("")
    answer = move(acme, hit, "pay", key="k")
    assert (answer.status_code, REPLAYED in answer) == (200, False)
    assert_books_agree()


@pytest.fixture
def break_inserts(db: None) -> Callable[[str], None]:
    """Makes every insert into a table fail, until it is called with another one or none."""

    def broken(table: str) -> None:
        with as_owner() as cursor:
            cursor.execute("DROP FUNCTION IF EXISTS pg_temp.fail() CASCADE")
            if table:
                cursor.execute(
                    "CREATE FUNCTION pg_temp.fail() RETURNS trigger LANGUAGE plpgsql AS"
                    " $$ BEGIN RAISE EXCEPTION 'no room' USING ERRCODE = 'disk_full'; END $$"
                )
                cursor.execute(
                    f"CREATE TRIGGER fail AFTER INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION pg_temp.fail()"
                )

    return broken
