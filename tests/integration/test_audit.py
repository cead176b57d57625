"""The audit proves what was settled, and names what somebody changed behind the service's back."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from jackpot.models.awards import Award
from jackpot.models.ledger import Entry
from jackpot.selectors import journal
from tables.demo.dealing import Session, deal
from tables.models.rounds import Box, BoxResult, Round
from tables.models.tables import Table
from tables.services import audit as audits
from tests import factories
from tests.factories import NOW, House, caller, jackpot_with, table_with
from tests.factories.shuffle import Json, reported
from tests.owner import as_owner

pytestmark = pytest.mark.django_db
ROUNDS = 24


@contextmanager
def guards_off() -> Iterator[Any]:
    """As the owner of the tables with every trigger off: what no role of the service can do."""
    with as_owner(past_guards=True) as cursor:
        yield cursor


def a_house(code: str = "HOUSE", *, linked: bool = True, **policy: Any) -> House:
    """A house with two tables; `linked`: they play for its jackpot."""
    tables = (f"{code}-1", f"{code}-2")
    link = jackpot_with(code=code, tables=tables if linked else (), **policy)
    for table in () if linked else tables:
        table_with(table, site=link.home_site)
    return House(link.home_site, link)


def bodies(house: House, rounds: int) -> list[Json]:
    """Dealt rounds, among them the demo's rounds that hit."""
    codes = list(Table.objects.filter(site=house.site).order_by("code").values_list("code", flat=True))
    session = Session("run", 1, rounds, codes, opened=NOW - timedelta(seconds=rounds), closed=NOW)
    return [dealt.body for dealt in deal(session)]


def play(house: House, played: list[Json], *, limit: int = 1_000) -> None:
    """Report rounds and settle them, `limit` in a batch."""
    by = caller(house.site, integrator=house.site.code)
    factories.play(*(reported(body) for body in played), by=by, limit=limit)


def audit(house: House) -> audits.Audit:
    return audits.audit(audits.lanes_of(jackpots=[house.jackpot]))


def names(house: House) -> set[str]:
    """What the audit names, by kind."""
    return {difference.what for difference in audit(house).findings.differences}


@pytest.fixture
def house() -> House:
    played = a_house()
    play(played, bodies(played, ROUNDS))
    return played


@pytest.mark.parametrize(
    "policy",
    [
        {},
        {"hit_order": "high_first", "equal_rank": "split"},
        {"after_share": "restore_base", "envy_per": "round"},
        {"verify_from": "20000.00"},
        {"levels": [{"code": "main", "base": "10000.00", "increment_ppm": 200_000, "limit": "10000.80"}]},
        {
            "levels": [
                {"code": "main", "base": "500.00", "increment_ppm": 100_000, "reserve_ppm": 10_000},
                {"code": "mega", "base": "9000.00", "increment_ppm": 90_000},
            ],
            "progressive_table": [
                {"hand": "royal_flush", "basis": "meter_share", "level": "mega", "ppm": 1_000_000},
                {"hand": "straight_flush", "basis": "meter_share", "level": "main", "ppm": 1_000_000},
                {"hand": "flush", "basis": "fixed", "amount": "25.00"},
                {"hand": "pair", "basis": "for_one", "odds": 2},
            ],
        },
    ],
    ids=["default", "high first and split", "restored base", "paid at once", "limit and overflow", "two levels"],
)
def test_what_is_untouched_is_proved(policy: dict[str, Any]) -> None:
    house = a_house(**policy)
    for_play = bodies(house, ROUNDS)
    play(house, for_play, limit=7)
    proof = audit(house)
    assert proof.findings.differences == []
    assert proof.proved
    assert proof.settlements == ROUNDS
    assert proof.boxes == sum(len(body["boxes"]) for body in for_play)
    assert proof.awards == Award.objects.count() > 0
    assert proof.entries == Entry.objects.filter(lane=house.jackpot.lane).count()


def test_voids_are_proved() -> None:
    house = a_house(void_contributions="reverse")
    played = bodies(house, ROUNDS)
    played[4]["void"] = {"reason": "malfunction", "note": ""}
    played[5]["boxes"][0]["void"] = "wrong_bet"
    play(house, played)
    assert audit(house).findings.differences == []
    assert Round.objects.filter(phase="void").count() == 1
    assert BoxResult.objects.filter(outcomes__startswith="r").count() == len(played[4]["boxes"]) + 1


def test_a_lane_without_a_jackpot_is_proved() -> None:
    house = a_house(linked=False)
    played = bodies(house, ROUNDS)
    for body in played:
        for box in body["boxes"]:
            box.pop("progressive", None)
    play(house, played)
    proof = audits.audit(audits.lanes_of(sites=[house.site]))
    assert proof.findings.differences == []
    assert (proof.settlements, proof.statement_rows) == (ROUNDS, 0)


@pytest.mark.parametrize("chunk", [1, 2, 7])
def test_where_a_chunk_ends_makes_no_difference(house: House, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A round's lock-out, settlement and reset may be read in different chunks."""
    monkeypatch.setattr(journal, "CHUNK", chunk)
    proof = audit(house)
    assert proof.findings.differences == []
    assert proof.settlements == ROUNDS


def test_progress_tells_how_far_it_is(house: House) -> None:
    told: list[tuple[int, int]] = []
    proof = audits.audit(audits.lanes_of(sites=[house.site]), progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (proof.entries, proof.entries)


def test_a_round_a_table_and_a_site_lead_to_their_lane(house: House) -> None:
    other = a_house("OTHER")
    play(other, bodies(other, 2))
    lane = [house.jackpot.lane]
    assert list(audits.lanes_of(jackpots=[house.jackpot])) == lane
    assert list(audits.lanes_of(sites=[house.site])) == lane
    table = house.table("HOUSE-1")
    assert list(audits.lanes_of(tables=[table])) == lane
    assert list(audits.lanes_of(rounds=Round.objects.filter(table=table))) == lane


ONE_OF = {
    "the_hit": "(SELECT id FROM jackpot_award WHERE kind = 'hit' ORDER BY id LIMIT 1)",
    "the_envy": "(SELECT id FROM jackpot_award WHERE kind = 'envy' ORDER BY id LIMIT 1)",
    "the_round": "(SELECT id FROM tables_round ORDER BY id OFFSET 9 LIMIT 1)",
    "the_entry": "(SELECT id FROM jackpot_entry WHERE source_ref = 'round:' || the_round || ':v1')",
    "the_box": "(round_id, box) = (the_round, 1)",
    "the_row": "(pot, seq) = ('meter', 7)",
    "the_leg": "(entry_id, position) = (the_entry, 1)",
}


def tamper(sql: str) -> None:
    """Run a statement that changes one row, its names above spelt out."""
    for name in reversed(ONE_OF):
        sql = sql.replace(name, ONE_OF[name])
    with guards_off() as cursor:
        cursor.execute(sql)
        assert cursor.rowcount == 1


@pytest.mark.parametrize(
    ("sql", "named"),
    [
        ("UPDATE tables_boxresult SET trips = trips + 1000000 WHERE the_box", "result trips"),
        ("UPDATE tables_boxresult SET outcomes = 'ppp--' WHERE the_box", "result outcomes"),
        ("DELETE FROM tables_boxresult WHERE the_box", "missing result"),
        ("UPDATE tables_boxresult SET version = 2 WHERE the_box", "invented result"),
        ("UPDATE tables_round SET phase = 'void' WHERE id = the_round", "phase"),
        (
            "UPDATE jackpot_statementrow SET amount = amount + 1, after = after + 1 WHERE the_row",
            "statement row amount",
        ),
        ("UPDATE jackpot_statementrow SET kind = 'adjustment' WHERE the_row", "statement row kind"),
        ("DELETE FROM jackpot_statementrow WHERE the_row", "missing statement row"),
        ("UPDATE jackpot_leg SET amount = amount + 1 WHERE the_leg", "legs"),
        ("DELETE FROM jackpot_leg WHERE the_leg", "legs"),
        ("UPDATE jackpot_entry SET table_ref = 'X' WHERE id = the_entry", "entry table_ref"),
        ("DELETE FROM jackpot_entry WHERE id = the_entry", "missing entry"),
        ("UPDATE jackpot_award SET amount = amount + 1 WHERE id = the_hit", "award amount"),
        ("UPDATE jackpot_award SET player = 'somebody' WHERE id = the_envy", "award player"),
        ("DELETE FROM jackpot_award WHERE id = the_envy", "missing award"),
        ("UPDATE jackpot_level SET meter = meter + 1", "level meter"),
        ("UPDATE jackpot_level SET increment_ppm = increment_ppm + 1", "level terms"),
    ],
)
def test_what_was_changed_is_named(house: House, sql: str, named: str) -> None:
    tamper(sql)
    assert named in names(house)


def test_a_changed_unpaid_award_no_longer_adds_up_to_what_is_owed(house: House) -> None:
    tamper("UPDATE jackpot_award SET state = 'paid' WHERE id = the_hit")
    assert names(house) == {"unpaid awards", "award state"}


def test_a_changed_card_is_named_even_where_it_changes_no_result(house: House) -> None:
    rnd = Round.objects.order_by("id")[9]
    deck = {*rnd.river, rnd.river}
    taken = "".join([rnd.flop, rnd.turn, rnd.dealer, *rnd.boxes.values_list("cards", flat=True)])
    other = next(
        rank + suit for rank in "23456789TJQKA" for suit in "shdc" if rank + suit not in taken and rank not in deck
    )
    with guards_off() as cursor:
        cursor.execute("UPDATE tables_round SET river = %s WHERE id = %s", [other, rnd.pk])
    assert "entry facts_digest" in names(house)


def test_a_card_that_is_there_twice_is_named_and_the_audit_goes_on(house: House) -> None:
    rnd = Round.objects.order_by("id")[9]
    with guards_off() as cursor:
        cursor.execute("UPDATE tables_round SET river = turn WHERE id = %s", [rnd.pk])
    proof = audit(house)
    assert "a card is there twice" in str(proof.findings.differences[0])
    assert proof.settlements == ROUNDS - 1


def test_an_invented_award_is_named(house: House) -> None:
    award = Award.objects.filter(kind="envy").first()
    assert award is not None
    award.pk, award.position, award.player = uuid4(), 99, "somebody"
    with guards_off():
        award.save(force_insert=True)
    assert {"invented award", "unpaid awards"} <= names(house)


def test_an_invented_but_balanced_entry_is_named(house: House) -> None:
    entry = Entry.objects.filter(kind="settlement").first()
    assert entry is not None
    entry.pk, entry.source_ref = None, f"round:{uuid4()}:v1"
    with guards_off():
        entry.save(force_insert=True)
    found = audit(house).findings
    assert [difference.what for difference in found.differences] == ["invented entry"]


def test_an_award_booked_outside_its_lane_is_named(house: House) -> None:
    other = a_house("OTHER")
    stray = Entry.objects.get(lane=other.jackpot.lane)
    with guards_off():
        Award.objects.filter(pk=Award.objects.filter(kind="envy")[0].pk).update(entry=stray)
    found = {(difference.what, difference.expected) for difference in audit(house).findings.differences}
    assert ("invented award", "nothing") in found


def test_one_difference_does_not_hide_another_round(house: House) -> None:
    first, second = Round.objects.order_by("id")[9:11]
    with guards_off():
        BoxResult.objects.filter(round_id__in=[first.pk, second.pk], box=1).update(hand="nothing")
    found = audit(house).findings
    assert found.count == 2
    assert [str(first.game_number) in str(found.differences[0]), str(second.pk) in str(found.differences[1])] == [
        True
    ] * 2


def test_a_changed_bet_is_named(house: House) -> None:
    with guards_off():
        Box.objects.filter(round_id=Round.objects.order_by("id")[9].pk, box=1).update(ante=700_000_000)
    assert "legs" in names(house)
