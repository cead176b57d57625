"""Heads kept outside the database, and the two commands: what an owner can rebuild without a trace, they tell apart."""

import json
import logging
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from jackpot.domain import chain
from jackpot.models.lanes import Lane
from jackpot.models.ledger import Entry, Link
from jackpot.selectors import sealed
from tables.domain import record
from tables.models.rounds import Box, BoxResult, Round
from tables.services import batch, verify
from tests.factories import House, jackpot_with, low, play, receive, reported, royal, settle_all, table_with
from tests.integration.test_audit import guards_off
from tests.unit.builders import box

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    """A jackpot's lane with several links, and a site's lane with one round."""
    link = jackpot_with(code="HOUSE", tables=("T-01",))
    table_with("T-02", site=link.home_site)
    play(
        reported(royal(1), low(2), table="T-01", external_id="royal"),
        reported(low(1), table="T-01", external_id="low"),
        reported(box("2c 7d"), table="T-02", external_id="plain"),
        limit=1,
    )
    return House(link.home_site, link)


def typed(*words: str, **options: Any) -> str:
    out = StringIO()
    call_command(*words, stdout=out, **options)
    return out.getvalue()


def heads_now() -> list[str]:
    return [chain.head(lane.pk, lane.sealed, bytes(lane.head)) for lane in Lane.objects.order_by("pk")]


def owner(sql: str, *values: Any) -> None:
    with guards_off() as cursor:
        cursor.execute(sql, values)


def rebuild(lane: Lane) -> None:
    """As the owner: every digest of a lane made anew from what is stored now, with the service's own function."""
    head = bytes(32)
    for link in Link.objects.filter(lane=lane).order_by("seq"):
        with connection.cursor() as cursor:
            cursor.execute("SELECT jackpot_link_digest(%s, %s, %s)", [lane.pk, link.seq, head])
            digest = bytes(cursor.fetchone()[0])
        owner("UPDATE jackpot_link SET previous = %s, digest = %s WHERE id = %s", head, digest, link.pk)
        head = digest
    owner("UPDATE jackpot_lane SET head = %s WHERE id = %s", head, lane.pk)


def another_player(external_id: str) -> None:
    """A round that another player played, its digest made anew: a forgery without a fault in itself."""
    rnd = Round.objects.get(external_id=external_id)
    owner("UPDATE tables_box SET player = 'somebody' WHERE round_id = %s", rnd.pk)
    digest = sha256(batch.settle(batch.load([rnd.pk], lock=False)[rnd.pk]).facts).digest()
    owner("UPDATE jackpot_entry SET facts_digest = %s WHERE source_ref = %s", digest, f"round:{rnd.pk}:v1")


def test_a_chain_that_was_made_anew_holds_in_itself_and_not_against_a_head_kept_elsewhere(house: House) -> None:
    kept = heads_now()
    another_player("low")
    assert not verify.verify().holds
    rebuild(house.jackpot.lane)
    assert verify.verify().findings.differences == []
    with pytest.raises(CommandError, match=r"link \d+ of lane \d+: head should be"):
        typed("verify", head=kept)
    assert heads_now() != kept


def test_an_older_head_tells_too_and_so_does_one_that_is_still_right(house: House) -> None:
    """A head of long ago is enough: everything up to it is what it was."""
    lane = house.jackpot.lane
    links = Link.objects.filter(lane=lane).order_by("seq")
    older = [chain.head(lane.pk, link.seq, bytes(link.digest)) for link in links]
    assert json.loads(typed("verify", head=older, json=True))["heads_held_against"] == len(older) == 3
    another_player("low")
    rebuild(lane)
    found = verify.verify(heads=chain.heads_in(" ".join(older))).findings.differences
    assert [(difference.what, difference.where) for difference in found] == [("head", f"link 3 of lane {lane.pk}")]


def test_a_chain_that_was_cut_off_with_all_it_sealed_is_missed_by_its_head_alone(house: House) -> None:
    kept = heads_now()
    rnd = Round.objects.get(external_id="plain")
    lane = rnd.lane
    entries = Entry.objects.filter(lane=lane).values_list("id", flat=True)
    owner("DELETE FROM jackpot_leg WHERE entry_id = ANY(%s)", list(entries))
    owner("DELETE FROM jackpot_entry WHERE lane_id = %s", lane.pk)
    owner("DELETE FROM jackpot_link WHERE lane_id = %s", lane.pk)
    owner("UPDATE jackpot_lane SET sealed = 0, head = %s, posted_at = NULL WHERE id = %s", bytes(32), lane.pk)
    owner("DELETE FROM tables_boxresult WHERE round_id = %s", rnd.pk)
    unsettled = "version = 0, phase = 'complete', settled_at = NULL, gaming_day = NULL"
    owner(f"UPDATE tables_round SET {unsettled} WHERE id = %s", rnd.pk)  # noqa: S608
    assert verify.verify().findings.differences == []
    found = verify.verify(heads=chain.heads_in("\n".join(kept))).findings.differences
    assert [(difference.what, difference.stored) for difference in found] == [("head", "nothing")]


def test_a_committed_link_is_logged_and_one_that_is_undone_is_not(
    house: House, django_capture_on_commit_callbacks: Any
) -> None:
    """The log itself is a file of heads."""
    told: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: told.append(record.getMessage())  # type: ignore[method-assign]
    logger = logging.getLogger("jackpot.chain")
    logger.addHandler(handler)
    try:
        receive(reported(low(1), table="T-01"))
        with django_capture_on_commit_callbacks(execute=True):
            with transaction.atomic():
                settle_all()
                transaction.set_rollback(True)
            assert told == []
            settle_all()
    finally:
        logger.removeHandler(handler)
    assert told == [f"sealed HOUSE head={head}" for head in heads_now() if head.startswith(f"{house.jackpot.lane.pk}:")]
    assert [chain.head(*head) for head in chain.heads_in(told[0])] == [told[0].partition("head=")[2]]


class TestCommands:
    def test_verify_says_what_was_verified_and_prints_the_heads(self, house: House, tmp_path: Path) -> None:
        said = typed("verify")
        assert said.endswith("holds\n")
        assert chain.heads_in(said) == chain.heads_in("\n".join(heads_now()))
        kept = tmp_path / "heads"
        kept.write_text(said)
        answer = json.loads(typed("verify", heads=str(kept), json=True))
        assert (answer["holds"], answer["differences"], answer["lanes"]) == (True, 0, 2)
        assert answer["heads_held_against"] == 2
        assert answer["heads"][0].keys() == {"lane", "name", "seq", "digest"}

    @pytest.mark.parametrize("command", ["verify", "audit"])
    def test_a_difference_is_named_first_counted_and_makes_the_exit_code_1(self, command: str, house: House) -> None:
        owner("UPDATE tables_boxresult SET trips = trips + 1 WHERE box = 1")
        out = StringIO()
        with pytest.raises(CommandError, match=r"differences: 3; the first: round T-0\d-.*result trips") as failed:
            call_command(command, stdout=out)
        assert failed.value.returncode == 1
        assert out.getvalue().startswith("first difference: round ")
        out = StringIO()
        with pytest.raises(CommandError):
            call_command(command, stdout=out, json=True)
        answer = json.loads(out.getvalue())
        assert (answer["differences"], len(answer["found"])) == (3, 3)
        assert "result trips should be" in answer["first"]

    def test_verify_takes_lanes_jackpots_and_sites(self, house: House) -> None:
        lane = house.jackpot.lane.pk
        for options in ({"lane": [lane]}, {"jackpot": ["HOUSE"]}, {"jackpot": ["HOUSE"], "site": [house.site.code]}):
            assert [head["lane"] for head in json.loads(typed("verify", json=True, **options))["heads"]] == [lane]
        assert len(json.loads(typed("verify", json=True, site=[house.site.code]))["heads"]) == 2

    def test_audit_takes_what_a_lane_is_found_by(self, house: House) -> None:
        rnd = Round.objects.get(external_id="low")
        whole = {"settlements": 2, "lanes": 1, "boxes": Box.objects.filter(round__lane=rnd.lane).count()}
        ways: list[dict[str, Any]] = [
            {"jackpot": ["HOUSE"]}, {"table": ["T-01"]}, {"round": rnd.game_number}, {"round": str(rnd.pk)},
            {"table": ["T-01"], "day": rnd.gaming_day}, {"site": [house.site.code], "jackpot": ["HOUSE"]},
        ]  # fmt: skip
        for way in ways:
            assert json.loads(typed("audit", json=True, **way)).items() >= whole.items(), way
        assert typed("audit").endswith("proved\n")
        assert json.loads(typed("audit", json=True))["boxes"] == BoxResult.objects.count()

    @pytest.mark.parametrize(
        ("command", "options", "said"),
        [
            ("verify", {"jackpot": ["NONE"]}, "there is no jackpot 'NONE'"),
            ("verify", {"site": ["NONE"]}, "there is no site 'NONE'"),
            ("verify", {"lane": [0]}, "there is no lane 0"),
            ("verify", {"head": ["1:2:x"]}, "is no head"),
            ("verify", {"heads": "/nowhere"}, "can't be read"),
            ("verify", {"heads": __file__}, "there is no head in"),
            ("audit", {"table": ["NONE"]}, "there is no table 'NONE'"),
            ("audit", {"round": "NONE"}, "there is no round 'NONE'"),
            ("audit", {"table": ["T-01"], "site": []}, None),
            ("audit", {"table": ["T-03"]}, "no round is there"),
        ],
    )
    def test_what_is_not_there_proves_nothing(
        self, command: str, options: dict[str, Any], said: str | None, house: House
    ) -> None:
        table_with("T-03", site=house.site)
        if said is None:
            assert typed(command, **options)
            return
        with pytest.raises(CommandError, match=said):
            typed(command, **options)


def before_notes_were_sealed() -> None:
    """Entries and awards as they were when records had neither notes nor external ids."""
    for work in batch.load(Round.objects.values_list("pk", flat=True), lock=False).values():
        rnd = work.round
        document = json.loads(batch.settle(work).facts)
        plain = {name: value for name, value in document.items() if name not in batch.TOLD}
        facts = record.canonical(plain)
        owner("UPDATE jackpot_entry SET facts_digest = %s WHERE source_ref = %s AND facts_digest IS NOT NULL",
              sha256(facts).digest(), f"round:{rnd.pk}:v1")  # fmt: skip
        owner("UPDATE jackpot_award SET facts = %s WHERE source_ref = %s AND facts IS NOT NULL", facts.decode(), rnd.pk)


def test_rows_that_were_moved_to_a_file_still_prove_their_link(house: House) -> None:
    """What decision 0015 builds on: the lines of a link and the link before it are all that its digest needs."""
    lane = house.jackpot.lane
    (link,) = [link for window in sealed.windows(lane) for link in window if link.seq == 2]
    assert link.previous is not None
    moved = list(link.lines())
    owner("DELETE FROM jackpot_leg WHERE entry_id = ANY(%s)", [entry.id for entry in link.entries])
    assert chain.link_digest(lane.pk, link.seq, link.previous, moved) == link.digest
    forged = [line.replace("round", "Round") for line in moved]
    assert chain.link_digest(lane.pk, link.seq, link.previous, forged) != link.digest


@pytest.fixture
def older(house: House) -> House:
    """A house whose rounds were settled before documents were sealed: its lanes have no entry of that kind."""
    owner("DELETE FROM jackpot_entry WHERE kind = 'document'")
    before_notes_were_sealed()
    for lane in Lane.objects.all():
        rebuild(lane)
    return house


def test_a_lane_of_before_documents_were_sealed_holds_and_seals_them_with_its_next_batch(older: House) -> None:
    assert verify.verify().findings.differences == []
    assert not Entry.objects.filter(kind="document").exists()
    play(reported(low(1), table="T-01"), reported(low(1), table="T-01"))
    entries = Entry.objects.filter(kind="document").order_by("id").values_list("source_ref", "leg_count")
    of_lane = f"document:{older.jackpot.lane.pk}"
    assert list(entries) == [(f"{of_lane}:policy:HOUSE@1", 0), (f"{of_lane}:rule_set:casino-progressive@1", 0)]
    assert verify.verify().findings.differences == []
    assert typed("audit").endswith("proved\n")
