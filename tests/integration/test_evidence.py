"""The evidence pack of a hit: complete, the same in both formats, and honest about what was falsified."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import transaction
from pypdf import PdfReader

from jackpot.domain.awards import Move
from jackpot.domain.callers import STAFF_SCOPES, Caller
from jackpot.models.awards import Award
from jackpot.models.ledger import Entry, Leg, Link, StatementRow
from jackpot.models.sites import GamingDay
from jackpot.money import show_exact
from jackpot.selectors.days import day_of
from jackpot.services import open_site
from jackpot.services.award_moves import move
from tables.domain import record
from tables.domain.facts import VoidReason
from tables.http.evidence_documents import evidence_document
from tables.http.packs import evidence_as_json, evidence_as_pdf
from tables.models.rounds import Box, Round
from tables.reports.evidence import Evidence, evidence_of
from tests.api.reporting import NOON
from tests.factories import NOW, House, caller, house, jackpot_with, low, play, reported, royal, straight_flush
from tests.factories.copies import made_once
from tests.factories.corrections import correct
from tests.factories.live import LiveRound
from tests.integration.test_reports_random import past_the_guards
from tests.unit.builders import FOLD, usd

MADE_AT = datetime(2026, 12, 1, 9, tzinfo=UTC)
HOSTILE = "=1+1 <b>P</b> \u202e א 中 e\u0301 Łódź"


@pytest.fixture
def hit(db: None) -> Award:
    """A royal and a straight flush of one round, with Envy, between rounds of others; approved by two, and paid."""
    return _hit()


@made_once
def _hit() -> Award:
    house()
    before = [reported(low(1), external_id=f"b{n}", at=NOW - timedelta(minutes=30 - n)) for n in range(8)]
    after = [reported(low(1), external_id=f"a{n}", at=NOW + timedelta(minutes=n + 1)) for n in range(8)]
    disputed = reported(
        royal(1, player=HOSTILE, trips="5.00"), straight_flush(2, player="P-2"),
        low(3, pair="4c 4d", player="P-3", decision=FOLD), external_id="disputed",
    )  # fmt: skip
    play(*before, disputed, *after)
    found = Award.objects.get(kind="hit", hand="royal_flush")
    moves = (("ann", Move.APPROVE, "seen on tape"), ("ben", Move.APPROVE, ""), ("cy", Move.PAY, "slip 1"))
    for name, made, note in moves:
        user = User.objects.create_user(name, is_staff=True, is_superuser=True)
        with transaction.atomic():
            staff = Caller(scopes=STAFF_SCOPES, user_id=user.pk)
            move(caller=staff, award_id=found.pk, move=made, note=note, now=NOW + timedelta(hours=1))
    return found


def pack_of(award: Award) -> Evidence:
    pack = evidence_of(award.pk, made_at=MADE_AT, made_by="dee")
    assert pack is not None
    return pack


def document_of(award: Award) -> dict[str, Any]:
    return evidence_document(pack_of(award))


def text_of(made: bytes) -> str:
    return "".join("".join(page.extract_text() for page in PdfReader(BytesIO(made)).pages).split())


def test_it_holds_the_round_with_every_box_card_and_decision(hit: Award) -> None:
    found = document_of(hit)["round"]
    assert (found["external_id"], found["integrator"], found["site"], found["table"]) == (
        "disputed", "Acme", "DEMO", "UTH-01",
    )  # fmt: skip
    assert [(box["player"], box["cards"]) for box in found["boxes"]] == [
        (HOSTILE, ["As", "Ks"]), ("P-2", ["9s", "8s"]), ("P-3", ["4c", "4d"]),
    ]  # fmt: skip
    assert found["boxes"][2]["decision"] == {
        "action": "fold", "street": "river", "multiplier": None, "automatic": False,
    }  # fmt: skip
    assert (found["flop"], found["turn"], found["river"], found["dealer"]) == (
        ["Qs", "Js", "Ts"], "3c", "7h", ["2d", "2h"],
    )  # fmt: skip
    assert [found[name] for name in ("started_at", "locked_at", "completed_at")] == [
        "2026-11-29T14:22:33Z", "2026-11-29T14:22:58Z", "2026-11-29T14:24:10Z",
    ]  # fmt: skip


def test_it_holds_what_was_posted_and_who_decided(hit: Award) -> None:
    found = document_of(hit)
    assert (found["award"]["amount"], found["award"]["meter_before"]) == ("9001.98", "9001.98000000")
    assert found["pay_table_line"]["hand"] == "royal_flush"
    assert [award["kind"] for award in found["awards"]] == ["hit", "hit", "envy", "envy", "envy", "envy"]
    assert found["approvals"]["needed"] == 2
    assert [(one["by"], one["after"]) for one in found["approvals"]["given"]] == [
        ("staff:ann", "pending"), ("staff:ben", "approved"),
    ]  # fmt: skip
    assert [(one["move"], one["note"]) for one in found["award"]["moves"]] == [
        ("approve", "seen on tape"), ("approve", None), ("pay", "slip 1"),
    ]  # fmt: skip
    kinds = [entry["kind"] for entry in found["entries"]]
    assert kinds == ["lockout", "settlement", "reset", "award_move", "award_move", "award_paid"]
    for entry in found["entries"]:
        assert len(set(entry["totals"])) == 1
        assert len(entry["legs"]) == Leg.objects.filter(entry_id=entry["entry"]).count()
    assert found["performed_again"]["difference"] == "0.00000000"


def test_it_shows_the_statement_rows_around_those_of_the_round(hit: Award) -> None:
    meter = next(pot for pot in document_of(hit)["statement"] if pot["pot"] == "meter")
    assert [row["kind"] for row in meter["rows"] if row["own"]] == ["contribution", "award", "award", "reset"]
    first = next(n for n, row in enumerate(meter["rows"]) if row["own"])
    assert [row["seq"] for row in meter["rows"]] == list(range(meter["rows"][0]["seq"], meter["rows"][-1]["seq"] + 1))
    assert (first, len(meter["rows"]) - first - 4) == (5, 5)
    assert all(a["after"] == b["before"] for a, b in zip(meter["rows"], meter["rows"][1:], strict=False))


def test_its_digests_can_be_made_again_from_what_it_holds(hit: Award) -> None:
    found = document_of(hit)
    facts = found["facts"]
    assert sha256(record.canonical(facts["document"])).hexdigest() == facts["sha256"] == facts["entry_sha256"]
    assert facts["agrees"]
    settled = next(entry for entry in found["entries"] if entry["kind"] == "settlement")
    assert settled["facts_sha256"] == facts["sha256"]
    for version in found["versions"].values():
        assert sha256(record.canonical(version["document"])).hexdigest() == version["sha256"]
    links = found["chain"]["links"]
    assert [link["holds"] for link in links] == [True] * len(links)
    assert {(link["link"], link["sha256"]) for link in links} <= {
        (link.seq, bytes(link.digest).hex()) for link in Link.objects.all()
    }
    assert sorted(pk for link in links for pk in link["entries"]) == [entry["entry"] for entry in found["entries"]]


def test_an_envy_has_the_pack_of_its_hit(hit: Award) -> None:
    envy = Award.objects.filter(hit=hit).first()
    assert envy is not None
    of_envy, of_hit = document_of(envy), document_of(hit)
    assert (of_envy.pop("asked_for"), of_hit.pop("asked_for")) == (str(envy.pk), str(hit.pk))
    assert of_envy == of_hit


def test_the_same_pack_gives_the_same_bytes_and_both_formats_say_the_same(hit: Award) -> None:
    one, other = pack_of(hit), pack_of(hit)
    assert evidence_as_json(one) == evidence_as_json(other)
    assert evidence_as_pdf(one) == evidence_as_pdf(other)
    found, read = json.loads(evidence_as_json(one)), text_of(evidence_as_pdf(one))
    said = [found["award"]["amount"], found["facts"]["sha256"], found["round"]["game_number"], "staff:ben", "slip1",
            *(leg["account"] for entry in found["entries"] for leg in entry["legs"]),
            *(link["sha256"] for link in found["chain"]["links"]),
            *(row["after"] for pot in found["statement"] for row in pot["rows"]),
            *(version["sha256"] for version in found["versions"].values())]  # fmt: skip
    assert [one for one in said if one not in read] == []
    assert "=1+1<b>P</b>[U+202E][U+05D0][U+4E2D]" in read and "Łódź" in read
    assert all(card in read for card in ("A♠", "K♠", "10♠", "7♥", "2♦", "3♣"))


def moved_leg() -> None:
    past_the_guards("UPDATE jackpot_leg SET amount = amount + 1 WHERE entry_id = %s AND position = 1",
                    Entry.objects.get(kind="reset", source_ref__startswith="round:").pk)  # fmt: skip


def moved_row() -> None:
    row = StatementRow.objects.get(kind="award", entry__source_ref__startswith="round:", amount=-900198000000)
    past_the_guards("UPDATE jackpot_statementrow SET after = after + 7, before = before + 7"
                    " WHERE level_id = %s AND pot = 'meter' AND seq = %s", row.level_id, row.seq)  # fmt: skip


def other_facts() -> None:
    kept = Award.objects.get(facts__isnull=False)
    changed = json.dumps((kept.facts or {}) | {"turn": "4c"})
    past_the_guards("UPDATE jackpot_award SET facts = %s::jsonb WHERE id = %s", changed, kept.pk)


@pytest.mark.parametrize("falsify", [moved_leg, moved_row, other_facts])
def test_what_was_changed_after_it_was_sealed_is_said(falsify: Callable[[], None], hit: Award) -> None:
    falsify()
    found = document_of(hit)
    assert not all(link["holds"] for link in found["chain"]["links"])
    assert found["facts"]["agrees"] == (falsify is not other_facts)
    assert "NO:" in text_of(evidence_as_pdf(pack_of(hit)))


def test_a_falsified_result_is_a_difference(hit: Award) -> None:
    past_the_guards("UPDATE tables_boxresult SET ante = ante + %s WHERE round_id = %s AND box = 1",
                    usd("0.01"), hit.source_ref)  # fmt: skip
    assert document_of(hit)["performed_again"]["difference"] == "0.01000000"
    assert "DIFFERENCE" in text_of(evidence_as_pdf(pack_of(hit)))


def test_a_live_round_shows_when_each_bet_came_in_and_which_folds_were_automatic(demo: House) -> None:
    me = caller()
    body = reported(royal(1), low(2, pair="4c 4d", player="P-2", progressive="0.00", decision=FOLD))
    live = LiveRound(body, by=me, now=NOW)
    live.lock(now=NOW + timedelta(seconds=20))
    live.complete(now=NOW + timedelta(seconds=40))
    play()
    found = document_of(Award.objects.get(kind="hit"))["round"]
    placed = next(event for event in found["events"] if event["kind"] == "bets_placed")
    assert placed["at"] == "2026-11-29T14:24:10Z"
    staked = [(bet["player"], bet["progressive"]) for bet in placed["data"]["boxes"]]
    assert staked == [("P-1", "1.00"), ("P-2", "0.00")]
    assert [box["decision"]["automatic"] for box in found["boxes"]] == [False, True]


def test_the_command_writes_a_new_file_or_text(hit: Award, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("evidence", str(hit.pk))
    assert json.loads(capsys.readouterr().out)["award"]["id"] == str(hit.pk)
    made = tmp_path / "pack.pdf"
    call_command("evidence", str(hit.pk), "--format", "pdf", "--output", str(made))
    assert made.read_bytes().startswith(b"%PDF-")
    with pytest.raises(CommandError, match="is there already"):
        call_command("evidence", str(hit.pk), "--format", "pdf", "--output", str(made))
    with pytest.raises(CommandError, match="--output"):
        call_command("evidence", str(hit.pk), "--format", "pdf")
    with pytest.raises(CommandError, match="there is no award"):
        call_command("evidence", str(uuid4()))
    with pytest.raises(CommandError, match="can't be written"):
        call_command("evidence", str(hit.pk), "--output", str(tmp_path / "nowhere" / "x"))


def test_reading_it_takes_as_many_queries_for_a_round_of_many_boxes(
    demo: House, django_assert_max_num_queries: Any
) -> None:
    play(reported(royal(1), *(low(n, pair=f"{n}c {n}h", player=f"P-{n}") for n in (4, 5, 6, 8, 9))))
    hit = Award.objects.get(kind="hit")
    assert (Round.objects.count(), Box.objects.count()) == (1, 6)
    with django_assert_max_num_queries(45):
        document_of(hit)


def test_a_late_hit_shows_its_meter_when_it_happened(db: None) -> None:
    """It was complete before the last reset: priced by the order of the books. The meter of its time is by posting."""
    site = open_site(code="HOME", name="Home")
    jackpot_with(site=site, now=NOON)
    funded = StatementRow.objects.select_related("entry").get(pot="meter").entry.posted_at
    for day in {day_of(site, funded + timedelta(days=n)) for n in (0, 1)}:
        GamingDay.objects.get_or_create(site=site, day=day, defaults={"opened_at": funded})
    me = caller("HOME")
    play(reported(royal(1), table="T-01", at=funded + timedelta(hours=2)), by=me)
    play(reported(royal(1), table="T-01", at=funded + timedelta(hours=1)), by=me)
    first, late = Award.objects.order_by("entry_id")
    assert (first.late, late.late) == (False, True)
    assert document_of(first)["meter_at_event"] is None
    shown = document_of(late)["meter_at_event"]
    row = StatementRow.objects.select_related("entry").get(pot="meter", seq=shown["seq"])
    assert row.entry.posted_at <= late.hit_at
    assert shown["after"] == show_exact(int(row.after), late.jackpot.currency)
    assert "Meterateventtime" in text_of(evidence_as_pdf(pack_of(late)))


def test_a_dead_box_and_its_note_are_in_it(demo: House) -> None:
    dead = low(2, pair="4c 9d", player="P-2", progressive="0.00", void=VoidReason.WRONG_BET)
    play(reported(royal(1), dead))
    hit = Award.objects.get(kind="hit")
    found = document_of(hit)["round"]["boxes"]
    assert [box["void"] and box["void"]["reason"] for box in found] == [None, "wrong_bet"]
    assert "wrongbet" in text_of(evidence_as_pdf(pack_of(hit)))


def test_a_corrected_round_shows_each_version_with_its_own_facts(demo: House) -> None:
    """The pack once showed old results beside the new facts, lost boxes that were taken out, and the correction."""
    round_id = play(reported(royal(1), low(2), low(5, pair="9c 9d", player="gone")))[0]
    correct(round_id, reported(royal(1), low(2, pair="4c 4d"), board="Qs Js Ts 3c 8h"))
    made = pack_of(Award.objects.get(kind="hit", state="pending"))
    first, second = evidence_document(made)["settlements"]
    assert (first["in_force"], second["in_force"]) == (False, True)
    assert [(box["box"], box["player"], box["best"]) for box in first["boxes"]][1:] == [
        (2, "P-2", ["7h", "7d", "Qs", "Js", "Ts"]), (5, "gone", ["9d", "9c", "Qs", "Js", "Ts"]),
    ]  # fmt: skip
    assert [box["cards"] for box in first["facts"]["boxes"]] == [["As", "Ks"], ["2c", "7d"], ["9c", "9d"]]
    assert (first["facts"]["river"], first["totals"]["envy"]) == ("7h", "2000.00")
    assert [(box["box"], box["best"][:2]) for box in second["boxes"]][1:] == [(2, ["4d", "4c"])]
    document = evidence_document(made)
    assert [(one["kind"], one["asked_by"]) for one in document["changes"]] == [("correction", "staff:ann")]
    assert document["approvals"]["barred"] == ["ann"]
    shown = text_of(evidence_as_pdf(made))
    for wanted in ("Boardthen:Q♠J♠T♠3♣7♥".replace("T", "10"), "gone", "ann"):
        assert wanted in shown, wanted


def test_a_pack_of_a_falsified_amount_shows_it_exactly(hit: Award) -> None:
    past_the_guards("UPDATE tables_boxresult SET ante = ante + 1 WHERE round_id = %s AND box = 1", hit.source_ref)
    assert document_of(hit)["settlements"][0]["boxes"][0]["wagers"][0]["returned"] == "10.00000001"
