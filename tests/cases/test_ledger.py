"""Ledger and accounting: known failures whose proof needs one client only. What needs several: `test_ledger_races`."""

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import DatabaseError, connection, transaction
from django.db.models import Sum
from django.test import Client

from jackpot.models.ledger import Entry, Leg
from jackpot.models.sites import GamingDay, Site
from jackpot.money import share
from jackpot.selectors import books
from jackpot.services import open_site
from tables.models.rounds import Round
from tests.api.conftest import Clock
from tests.api.floor import BATCH, ROUNDS, Json, key_client, rows, send, settled
from tests.api.live import LiveRound
from tests.api.test_problems import problem
from tests.cases.play import losing, round_of, seat
from tests.factories import (
    House,
    assert_books_agree,
    close_until,
    jackpot_with,
    rule_set_with,
    settle_all,
    table_with,
)

MAIN = "/api/v1/jackpots/MAIN/"


class TestKeys:
    def test_45_another_body_under_one_id_is_a_conflict(self, acme: Client) -> None:
        first = send(acme, ROUNDS, losing(external_id="K")).json()
        before = rows()
        dearer = losing(external_id="K") | {"boxes": [seat("2c 7d", ante="500.00", progressive="1.00")]}
        problem(send(acme, ROUNDS, dearer), 409, "idempotency_conflict")
        assert rows() == before
        again = json.dumps(dict(reversed(losing(external_id="K").items()))).replace('"5.00"', '"5.0"')
        answer = send(acme, ROUNDS, json.loads(again))
        assert (answer["Idempotency-Replayed"], answer.json()) == ("true", first)
        assert rows() == before

    def test_45_an_id_is_known_whatever_the_address_it_comes_to(self, acme: Client) -> None:
        """One live, one whole, one of a batch: the second use is a conflict in every order."""
        LiveRound(acme, external_id="K")
        problem(send(acme, ROUNDS, losing(external_id="K")), 409, "idempotency_conflict")
        send(acme, ROUNDS, losing(external_id="L"))
        problem(send(acme, "/api/v1/tables/UTH-02/rounds/", {"external_id": "L"}), 409, "idempotency_conflict")
        [item] = send(acme, BATCH, {"rounds": [losing(external_id="K")]}).json()["results"]
        assert (item["status"], item["problem"]["code"]) == (409, "idempotency_conflict")

    def test_99_one_id_twice_in_a_batch_spoils_nothing(self, acme: Client) -> None:
        items = [
            losing(external_id="a"),
            losing(external_id="a"),
            losing(external_id="a", turn="4c"),
            losing(external_id="b"),
        ]
        results = send(acme, BATCH, {"rounds": items}).json()["results"]
        assert [(item["status"], item.get("replayed")) for item in results] == [
            (202, None), (202, True), (409, None), (202, None),
        ]  # fmt: skip
        settle_all()
        assert {rnd.phase for rnd in Round.objects.all()} == {"settled"}
        assert Entry.objects.filter(kind="settlement").count() == 2

    def test_55_what_was_refused_is_not_remembered_and_is_taken_later(self, acme: Client) -> None:
        """A step for a round that is not there, a round for a table that is not there, a step before its time."""
        unknown = f"{ROUNDS}00000000-0000-7000-8000-000000000000/showdown/"
        before = rows()
        problem(send(acme, unknown, {"dealer": ["2d", "2h"]}), 404, "not_found")
        problem(send(acme, ROUNDS, losing(table="NEW-01")), 422, "unknown_table")
        assert rows() == before
        table_with("NEW-01", site=Site.objects.get(code="DEMO"), link=Site.objects.get(code="DEMO").jackpots.get())
        assert settled(acme, losing(table="NEW-01"))["phase"] == "settled"
        live = LiveRound(acme)
        live.bet(1)
        problem(live.call("showdown", {"dealer": ["2d", "2h"]}), 409, "wrong_phase")
        live.to_the_flop("As Kd")
        live.go("river", {"turn": "3c", "river": "7h"})
        live.go("showdown", {"dealer": ["2d", "2h"]})
        settle_all()
        assert live.read()["phase"] == "settled"


class TestReversals:
    @pytest.fixture
    def voided(self, acme: Client) -> Json:
        """A round that was locked out and voided: its stakes are given back by one entry."""
        return settled(acme, losing(void={"reason": "malfunction", "note": ""}))

    def test_51_94_a_void_is_repeated_and_never_done_twice(self, voided: Json, acme: Client) -> None:
        before, legs = rows(), Leg.objects.aggregate(sum=Sum("amount"))
        again = {"reason": "malfunction", "note": ""}
        assert send(acme, f"{ROUNDS}{voided['id']}/void/", again).status_code == 200
        problem(send(acme, f"{ROUNDS}{voided['id']}/void/", again | {"note": "x"}), 409, "step_conflict")
        problem(send(acme, f"{ROUNDS}{voided['id']}/boxes/1/void/", {"reason": "other"}), 409, "wrong_phase")
        settle_all()
        assert (rows(), Leg.objects.aggregate(sum=Sum("amount"))) == (before, legs)
        assert Entry.objects.filter(kind="void").count() == 1

    @pytest.mark.parametrize(
        ("second", "name"),
        [("first.reverses_id", "entry_reversed_once"), ("first.id", "reversal_reversed")],
        ids=["the entry again", "the reversal"],
    )
    def test_51_94_the_books_take_one_reversal_of_an_entry_and_none_of_a_reversal(
        self, second: str, name: str, voided: Json
    ) -> None:
        """Whoever writes it: in raw SQL, the first one is taken, the second refused by its name."""
        columns = "id, lane_id, link_seq, kind, source_ref, table_ref, leg_count, event_at, posted_at, actor, reason"
        values = "lane_id, (SELECT sealed + 1 FROM jackpot_lane WHERE id = lane_id), 'correction'"
        before = rows()

        def reverse_both() -> None:
            with transaction.atomic(), connection.cursor() as cursor:
                for new, of, reverses in ((1, "settled", "settled.id"), (2, "first", second)):
                    cursor.execute(f"""
                        WITH settled AS (SELECT * FROM jackpot_entry WHERE kind = 'void'),
                             first AS (SELECT * FROM jackpot_entry WHERE source_ref = 'reversal 1')
                        INSERT INTO jackpot_entry ({columns}, reverses_id)
                        SELECT {900 + new}, {values}, 'reversal {new}', '', 0, event_at, posted_at, '', '', {reverses}
                          FROM {of}""")  # noqa: S608
                    assert cursor.rowcount == 1

        with pytest.raises(DatabaseError) as refused:
            reverse_both()
        assert name in str(refused.value.__cause__.diag.constraint_name)  # type: ignore[union-attr]
        assert rows() == before


class TestDays:
    """The site's day begins at 06:00 New York time, which was 10:00 UTC in October and 11:00 UTC from November 1 on."""

    @pytest.fixture
    def new_york(self, acme: Client) -> Client:
        site = open_site(code="NY", name="New York", timezone="America/New_York")
        table_with("NY-01", site=site, link=Site.objects.get(code="DEMO").jackpots.get())
        return key_client("Acme", sites=["NY"])

    def play_at(self, client: Client, clock: Clock, at: datetime) -> Json:
        clock.now = at
        text = at.isoformat()
        times = {"started_at": text, "locked_at": text, "completed_at": text}
        body = losing(table="NY-01", external_id=text) | times
        return settled(client, body)

    @pytest.mark.parametrize(
        ("begins", "day"),
        [
            (datetime(2026, 10, 20, 10, tzinfo=UTC), date(2026, 10, 20)),
            (datetime(2026, 11, 1, 11, tzinfo=UTC), date(2026, 11, 1)),  # after a night of 25 hours
            (datetime(2026, 3, 8, 10, tzinfo=UTC), date(2026, 3, 8)),  # after one of 23
        ],
        ids=["usual", "summer time ends", "summer time begins"],
    )
    def test_47_a_day_ends_where_the_next_begins(
        self, begins: datetime, day: date, new_york: Client, clock: Clock
    ) -> None:
        """The last microsecond is the old day's, the next one the new day's; no entry is in none or in both."""
        last = self.play_at(new_york, clock, begins - timedelta(microseconds=1))
        first = self.play_at(new_york, clock, begins)
        before = day - timedelta(days=1)
        assert [last["gaming_day"], first["gaming_day"]] == [before.isoformat(), day.isoformat()]
        assert [last["late"], first["late"]] == [False, False]
        listed = {
            asked: [rnd["id"] for rnd in new_york.get(f"{ROUNDS}?day={asked}").json()["results"]]
            for asked in (before, day)
        }
        assert listed == {before: [last["id"]], day: [first["id"]]}
        at = begins.isoformat().replace("+00:00", "Z")
        for address in (ROUNDS, f"{MAIN}statement/"):
            halves = [new_york.get(f"{address}?table=NY-01&{end}={at}").json()["results"] for end in ("to", "from")]
            whole = new_york.get(f"{address}?table=NY-01").json()["results"]
            assert halves[1] + halves[0] == whole
            assert len(halves[0]) == len(halves[1]) == len(whole) // 2
        by_day = Leg.objects.filter(account__code="float:NY-01").values("gaming_day").annotate(sum=Sum("amount"))
        together = Leg.objects.filter(account__code="float:NY-01").aggregate(sum=Sum("amount"))
        assert {row["gaming_day"] for row in by_day} == {before, day}
        assert sum(row["sum"] for row in by_day) == together["sum"]
        assert_books_agree()

    @pytest.mark.parametrize("how", ["whole", "live", "batch"])
    def test_53_nothing_is_entered_under_a_closed_day_by_any_way(self, how: str, acme: Client, clock: Clock) -> None:
        """It goes to the open day, marked late, with its round as reference. Raw SQL: `guards/days.py`."""
        settled(acme, losing(external_id="before"))
        closed = GamingDay.objects.select_related("site").get(site__code="DEMO", day=date(2026, 11, 29))
        live = LiveRound(acme, "UTH-02")
        if how == "live":
            live.bet(1, progressive="1.00")
            live.to_the_flop("2c 7d", flop="Kh Kd 9c")
            live.go("river", {"turn": "3c", "river": "8h"})
            live.go("showdown", {"dealer": ["2d", "2h"]})
        close_until(closed.site, closed.day)
        entered = Leg.objects.filter(gaming_day=closed.day).count()
        if how == "batch":
            assert send(acme, BATCH, {"rounds": [losing()]}).json()["results"][0]["status"] == 202
        elif how == "whole":
            assert send(acme, ROUNDS, losing()).json()["late"] is True
        settle_all()
        rnd = Round.objects.exclude(external_id="before").get(phase="settled")
        assert (rnd.late, rnd.gaming_day is not None and rnd.gaming_day > closed.day) == (True, True)
        assert Leg.objects.filter(gaming_day=closed.day).count() == entered
        of_round = Leg.objects.filter(entry__source_ref__startswith=f"round:{rnd.pk}")
        assert {leg.gaming_day for leg in of_round} == {rnd.gaming_day}
        assert_books_agree()

    def test_53_the_console_posts_into_no_day(self, admin_client: Client, demo: House) -> None:
        before = rows()
        for model in ("leg", "statementrow", "entry", "gamingday"):
            answer = admin_client.post(
                f"/admin/jackpot/{model}/add/", {"day": "2026-07-01", "gaming_day": "2026-07-01"}
            )
            assert answer.status_code in (403, 404), model
        assert admin_client.get("/admin/jackpot/gamingday/").status_code == 200
        assert rows() == before


class TestAmounts:
    def test_57_money_is_text_in_every_answer(self, acme: Client) -> None:
        """Fourteen million and its cents: in the meter, its statement, its award, and never a JSON number."""
        site = Site.objects.get(code="DEMO")
        jackpot_with(code="BIG", site=site, tables=("BIG-01",), base="14876279.30", increment_ppm=0, reserve_ppm=0)
        address = "/api/v1/jackpots/BIG/"
        assert '"displayed":"14876279.30"' in acme.get(address).content.decode().replace(" ", "")
        found = settled(acme, round_of(seat("As Ks", progressive="1.00"), board="Qs Js Ts 3c 7h", table="BIG-01"))
        texts = [acme.get(url).content.decode() for url in (address, f"{address}statement/", "/api/v1/awards/", ROUNDS)]
        assert all("14876279.3" in text and "14876279.3000000007" not in text for text in texts)
        assert found["settlement"]["awards"][0]["amount"] == "14876279.30"

        def numbers(value: object) -> Iterator[float]:
            if isinstance(value, dict | list):
                for item in value.values() if isinstance(value, dict) else value:
                    yield from numbers(item)
            elif isinstance(value, float):
                yield value

        assert [list(numbers(json.loads(text))) for text in texts] == [[]] * 4

    def test_58_nothing_is_zero_and_never_minus_zero(self, acme: Client) -> None:
        level = acme.get(MAIN).json()["levels"][0]
        assert (level["reserve"], level["overflow"]) == ("0.00000000", "0.00000000")
        assert set(books.account_balances(["float:UTH-01", "awards:MAIN"]).values()) == {0}
        found = settled(acme, round_of(seat("2c 3d"), board="9c Th 8s Jd Qc", dealer="2h 3h"))
        assert found["settlement"]["boxes"][0]["net"] == "0.00"
        assert "-0.00" not in json.dumps(found)
        before = rows()
        for stake in ("-0.00", "-0", "+0.00", "0", "0.00"):
            body = losing(external_id="x") | {"boxes": [seat("2c 7d", ante=stake)]}
            status, code = (422, "ante_required") if stake[0] == "0" else (400, "invalid_money")
            problem(send(acme, ROUNDS, body), status, code)
        assert rows() == before

    @pytest.mark.parametrize("base", ["100.00", "0.01", "0.02", "100.01"])
    def test_59_a_shared_prize_is_divided_to_the_cent_in_a_fixed_order(self, base: str, acme: Client) -> None:
        """Three boxes with one hand: 33.34, 33.33, 33.33; what cannot be divided goes to the first ones."""
        jackpot_with(
            code="SPLIT", site=Site.objects.get(code="DEMO"), tables=("S-01",), base=base, increment_ppm=0,
            reserve_ppm=0, rules=rule_set_with(like="live-shared", progressive_offered=True),
        )  # fmt: skip
        boxes = [seat(None, n, progressive="1.00", decision=...) for n in (1, 2, 3)]
        body = round_of(*boxes, board="Qs Js Ts 3c 7h", table="S-01") | {"player_cards": ["As", "Ks"]}
        paid = [award["amount"] for award in settled(acme, body)["settlement"]["awards"]]
        cents = int(base.replace(".", ""))
        expected = [cents // 3 + (n < cents % 3) for n in range(3)]
        assert paid == [f"{part // 100}.{part % 100:02}" for part in expected]

    def test_59_a_share_of_a_cent_beside_thousands_adds_up_too(self) -> None:
        cent = 1_000_000
        parts = share(1_000_000 * cent, [4_000_000 * cent, 4_000_000 * cent, cent])
        assert [part // cent for part in parts] == [500_000, 500_000, 0]
        assert sum(parts) == 1_000_000 * cent
