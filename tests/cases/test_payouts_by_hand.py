"""Incidents with awards that people decide on and pay: known failures 89 and 91."""

from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import reverse

from jackpot.domain.awards import Move
from jackpot.domain.callers import STAFF_SCOPES, Caller
from jackpot.models.awards import Award
from jackpot.models.jackpots import Level
from jackpot.models.sites import Site
from jackpot.reports import Report
from jackpot.services.award_moves import move as make
from tables.reports.daily_pack import DailyPack, daily_pack
from tests.api.conftest import Clock
from tests.api.floor import EXAMPLE, Json, rows, settled
from tests.api.people import AWARDS, move, moved, person
from tests.api.reporting import DAY, NOON, site_with_days
from tests.api.test_problems import problem
from tests.factories import assert_books_agree, caller, jackpot_with, low, play, reported, royal
from tests.unit.builders import usd

WEEK = range(8)


def pack_of(site: Site, day: int = 0) -> DailyPack:
    auditor = Caller(scopes=STAFF_SCOPES, user_id=0)
    found = daily_pack(site=site, day=DAY + timedelta(days=day), caller=auditor, made_at=NOON, made_by="dee")
    assert [check.what for check in found.checks if not check.agrees] == []
    return found


def report(pack: DailyPack, name: str) -> list[Json]:
    found: Report = next(report for report in pack.reports if report.name == name)
    names = [column.name for column in found.columns]
    return [dict(zip(names, line.cells, strict=True)) for line in found.lines]


def decide(award: Award, name: str, *moves: Move, at: datetime, note: str = "") -> None:
    user, _ = User.objects.get_or_create(username=name, is_staff=True, is_superuser=True)
    for one in moves:
        with transaction.atomic():
            make(caller=Caller(scopes=STAFF_SCOPES, user_id=user.pk), award_id=award.pk, move=one, note=note, now=at)


def test_89_a_disputed_royal_keeps_its_amount_while_play_goes_on_and_every_day_reconciles(db: None) -> None:
    """Disputed on its day, decided for the player a week later: the frozen amount is paid, the meter has gone on."""
    site = site_with_days("HOME", *(DAY + timedelta(days=n) for n in (-1, *WEEK)))
    jackpot_with(code="LINK", site=site, now=NOON - timedelta(days=1))
    me = caller("HOME")
    play(reported(royal(1), table="T-01", at=NOON), by=me)
    hit = Award.objects.get()
    decide(hit, "ann", Move.DISPUTE, at=NOON + timedelta(hours=1), note="the deck was short")
    for n in WEEK:
        play(reported(low(1), table="T-01", at=NOON + timedelta(days=n, hours=2)), by=me)
    ends = NOON + timedelta(days=WEEK[-1], hours=3)
    decide(hit, "ben", Move.UPHOLD, at=ends)
    decide(hit, "cy", Move.UPHOLD, Move.PAY, at=ends, note="slip 4711")
    for n in WEEK[:-1]:
        pack = pack_of(site, n)
        (owed,) = report(pack, "liabilities")
        assert (owed["amount"], owed["owed_since"], owed["age_days"]) == (hit.amount, DAY, n)
        assert report(pack, "payouts") == []
    last = pack_of(site, WEEK[-1])
    assert report(last, "liabilities") == []
    (paid,) = report(last, "payouts")
    assert (paid["amount"], paid["by"], paid["reference"], paid["approved_by"]) == (
        hit.amount, "staff:cy", "slip 4711", "staff:ben, staff:cy",
    )  # fmt: skip
    assert Award.objects.get().amount == hit.amount == usd("10000.20")
    level = Level.objects.get()
    assert level.meter == level.base + len(WEEK) * usd("0.20")
    assert_books_agree()


@pytest.fixture
def hit(acme: Client) -> str:
    settled(acme, EXAMPLE)
    return str(Award.objects.get(kind="hit").pk)


def test_91_a_payout_needs_an_unpaid_award_and_two_other_people_and_stands_on_the_days_list(
    acme: Client, hit: str, clock: Clock
) -> None:
    """With no round, with a round already paid, approved by its own author: refused, and nothing is written."""
    ann, ben = person("ann"), person("ben")
    before = rows()
    problem(move(ann, str(uuid4()), "pay"), 404, "not_found")
    problem(move(ann, hit, "pay"), 409, "illegal_move")
    assert rows() == before
    moved(ann, hit, "approve")
    before = rows()
    problem(move(ann, hit, "approve"), 403, "second_person_required")
    problem(move(ann, hit, "pay"), 409, "illegal_move")
    assert rows() == before
    moved(ben, hit, "approve", "pay")
    before = rows()
    problem(move(ann, hit, "pay"), 409, "illegal_move")
    assert rows() == before
    (listed,) = report(pack_of(Site.objects.get(code="DEMO")), "payouts")
    assert (listed["award"], listed["by"], listed["approved_by"], listed["became"]) == (
        hit, "staff:ben", "staff:ann, staff:ben", "paid",
    )  # fmt: skip
    assert acme.get(f"{AWARDS}{hit}/").json()["state"] == "paid"


def refused_by_the_database(statement: str, *parameters: Any) -> str:
    """The guard that refuses a statement, at the latest at the commit."""

    def tried() -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement, parameters)
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")

    with pytest.raises(IntegrityError) as refused:
        tried()
    cause: Any = refused.value.__cause__
    return str(cause.diag.constraint_name)


def test_91_no_award_is_made_or_paid_in_the_console_nor_past_it(hit: str) -> None:
    """The console makes and changes no award; the database takes none that no settlement owes, and no bare payment."""
    client = Client()
    client.force_login(User.objects.create_superuser("admin"))
    before = rows()
    assert client.post(reverse("admin:jackpot_award_add"), {"amount": "100000.00"}).status_code == 403
    assert client.post(reverse("admin:jackpot_award_change", args=[hit]), {"state": "paid"}).status_code == 403
    copied = (
        "INSERT INTO jackpot_award (id, position, kind, source_ref, table_ref, box, player, hand, amount, seq, late,"
        " hit_at, state, entry_id, jackpot_id, level_id, policy_id) SELECT %s, 99, kind, source_ref, table_ref, box,"
        " player, hand, amount, seq, late, hit_at, %s, entry_id, jackpot_id, level_id, policy_id"
        " FROM jackpot_award WHERE id = %s"
    )
    assert refused_by_the_database(copied, uuid4(), "approved", hit) == "award_begins"
    assert refused_by_the_database(copied, uuid4(), "pending", hit) == "award_in_time"
    assert refused_by_the_database("UPDATE jackpot_award SET state = 'paid' WHERE id = %s", hit) == "award_moves"
    assert refused_by_the_database("UPDATE jackpot_award SET state = 'approved' WHERE id = %s", hit) == "award_as_moved"
    assert (rows(), Award.objects.get(pk=hit).state) == (before, "pending")
