"""What is stored is what its parts say, sealed as it was sent, and gone where it was rolled back: 100, 101, 105."""

import unicodedata
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from jackpot.models.jackpots import Level
from jackpot.models.lanes import Lane
from jackpot.models.ledger import Account, StatementRow
from tables.services import audit, verify
from tests.api.floor import BATCH, EXAMPLE, ROUNDS, box, example, rows, send, settled
from tests.api.live import LiveRound
from tests.api.test_problems import problem
from tests.cases.play import losing, round_of, seat
from tests.factories import assert_books_agree, assert_chain_holds, settle_all
from tests.owner import as_owner


class TestTotals:
    STORED = (
        "meter", "reserve", "overflow", "meter_seq", "reserve_seq", "overflow_seq", "reset_seq", "wagered",
        "contributed", "awarded", "hits",
    )  # fmt: skip

    @pytest.fixture
    def evening(self, acme: Client) -> Client:
        """Hits, voids and plain rounds, so that every total has something in it."""
        bodies = [losing(external_id=f"low-{n}") for n in range(5)]
        bodies += [example(external_id="royal"), losing(external_id="void", void={"reason": "other"})]
        bodies += [round_of(seat("9s 8s", progressive="1.00"), board="Qs Js Ts 3c 7h", external_id="straight flush")]
        answer = send(acme, BATCH, {"rounds": bodies})
        assert {item["status"] for item in answer.json()["results"]} == {202}
        settle_all(limit=3)
        return acme

    @staticmethod
    def proof() -> audit.Audit:
        return audit.audit(Lane.objects.select_related("jackpot", "site"))

    def test_101_every_stored_total_is_what_its_parts_say(self, evening: Client) -> None:
        assert_books_agree()
        assert self.proof().proved
        assert verify.verify().findings.differences == []

    @pytest.mark.parametrize("total", STORED)
    def test_101_one_that_was_made_to_differ_is_found(self, total: str, evening: Client) -> None:
        """As the owner of the database with every guard off: what nobody else can do."""
        with as_owner(past_guards=True) as cursor:
            cursor.execute(f'UPDATE jackpot_level SET "{total}" = "{total}" + 1')  # noqa: S608
        found = self.proof().findings
        assert found.count >= 1
        assert f"level {total}" in {difference.what for difference in found.differences}
        assert f"level {total}" in {difference.what for difference in verify.verify().findings.differences}

    def test_101_a_balance_is_the_sum_of_its_legs_and_stored_nowhere(self) -> None:
        assert {field.name for field in Account._meta.get_fields()} == {"id", "code", "side", "site", "legs"}


COMPOSED, DECOMPOSED = (unicodedata.normalize(form, "Zoë") for form in ("NFC", "NFD"))
ASTRAL = "𝔓layer 🂡🃏"


class TestTexts:
    @pytest.mark.parametrize("name", [DECOMPOSED, "e\u0301\u0301\u0323", "\u200bP", "\u200f\u0631", "A\u030a"])
    def test_105_a_name_has_one_spelling_and_the_others_are_refused_everywhere(self, name: str, acme: Client) -> None:
        """Two players never look alike for being written in two ways: a body that is not composed is no body."""
        live = LiveRound(acme)
        before = rows()
        problem(live.call("boxes/1", {"player": name, "ante": "5.00"}, "put"), 400, "invalid_value")
        problem(live.call("suspend", {"note": name}), 400, "invalid_value")
        problem(send(acme, ROUNDS, losing(external_id=name)), 400, "invalid_value")
        problem(send(acme, ROUNDS, losing(void={"reason": "other", "note": name})), 400, "invalid_value")
        assert rows() == before

    @pytest.mark.parametrize("name", [COMPOSED, ASTRAL, "ﬁ", "李小龍"])
    def test_105_what_was_sent_is_what_is_sealed_proved_and_shown(self, name: str, acme: Client) -> None:
        body = example(boxes=[EXAMPLE["boxes"][0] | {"player": name}, box(2, player="P")], external_id=name)
        found = settled(acme, body)
        assert (found["boxes"][0]["player"], found["external_id"]) == (name, name)
        assert acme.get("/api/v1/awards/?kind=hit").json()["results"][0]["player"] == name
        assert [rnd["id"] for rnd in acme.get(ROUNDS, {"player": name}).json()["results"]] == [found["id"]]
        void = losing(external_id="void", void={"reason": "other", "note": f"{name}\n{ASTRAL}"})
        assert settled(acme, void)["phase"] == "void"
        for lane in Lane.objects.all():
            assert_chain_holds(lane)
        assert TestTotals.proof().proved
        assert verify.verify().findings.differences == []


def test_100_a_settlement_that_is_rolled_back_leaves_nothing(
    acme: Client, django_capture_on_commit_callbacks: Any
) -> None:
    """Neither entries nor results, awards, events, chain or places; and no message was sent for it."""
    with django_capture_on_commit_callbacks() as sent:
        send(acme, ROUNDS, example())
        levels = list(Level.objects.values())
        before = rows()
        with transaction.atomic():
            settle_all()
            assert rows() != before
            assert StatementRow.objects.filter(kind="award").exists()
            transaction.set_rollback(True)
    assert (rows(), list(Level.objects.values())) == (before, levels)
    assert len(sent) == 1  # the round itself, which still waits
    settle_all()
    assert_books_agree()
