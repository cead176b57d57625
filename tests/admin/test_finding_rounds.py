"""Rounds are found by what people know of them; rubbish finds nothing, and never fails."""

import re
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tables.admin import finding
from tables.models.rounds import Round
from tables.selectors import rounds
from tables.selectors.rounds import Filters
from tests.factories import NOW, flush_hand, house, low, person, play, receive, reported, royal
from tests.factories.copies import made_once
from tests.factories.corrections import correct
from tests.owner import as_owner

pytestmark = pytest.mark.django_db
LIST = reverse("admin:tables_round_changelist")


@pytest.fixture
def staff() -> Client:
    client = Client()
    client.force_login(get_user_model().objects.create_superuser("admin"))
    return client


@pytest.fixture
def played(db: None) -> dict[str, UUID]:
    """Some rounds, by name."""
    return _played()


@made_once
def _played() -> dict[str, UUID]:
    house()
    reports = {
        "royal": reported(royal(1), low(2), external_id="r-1", at=NOW),
        "flush": reported(low(1), flush_hand(2, player="ann"), external_id="f-1", at=NOW + timedelta(hours=1)),
        "low": reported(low(1, player="ann"), table="UTH-02", external_id="l-1", at=NOW + timedelta(hours=2)),
    }
    named = dict(zip(reports, play(*reports.values()), strict=True))
    correct(named["low"], reported(low(1, player="bea"), table="UTH-02"))
    named["waits"] = receive(reported(low(1), external_id="w-1", at=NOW + timedelta(hours=3)))[0]
    return named


def found(staff: Client, **asked: Any) -> set[UUID]:
    answer = staff.get(LIST, asked)
    assert answer.status_code == 200, answer.context["form"].errors
    return {UUID(pk) for pk in re.findall(r'/admin/tables/round/([0-9a-f-]{36})/change/"', answer.content.decode())}


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        ({}, {"royal", "flush", "low", "waits"}),
        ({"table": "UTH-02"}, {"low"}),
        ({"site": "DEMO", "phase": "complete"}, {"waits"}),
        ({"player": "ann"}, {"flush"}),
        ({"player": "bea"}, {"low"}),
        ({"number": "f-1"}, {"flush"}),
        ({"number": "UTH-02-2026"}, {"low"}),
        ({"number": "UTH-03"}, set()),
        ({"hand": "royal_flush", "since": "2026-11-29T00:00"}, {"royal"}),
        ({"hand": "flush", "player": "ann"}, {"flush"}),
        ({"hand": "flush", "player": "P-1"}, set()),
        ({"progressive_hand": "flush", "player": "ann"}, {"flush"}),
        ({"progressive_hand": "royal_flush", "hand": "royal_flush", "until": "2026-11-30T00:00"}, {"royal"}),
        ({"since": "2026-11-29T15:00", "until": "2026-11-29T16:00"}, {"flush"}),
        ({"since": "2026-11-29T15:00", "table": "UTH-02"}, {"low"}),
        ({"corrected": "yes"}, {"low"}),
        ({"corrected": "no", "late": "no"}, {"royal", "flush", "waits"}),
        ({"late": "yes"}, set()),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else " ".join(sorted(value)) or "none",
)
def test_they_are_found(played: dict[str, UUID], staff: Client, asked: dict[str, str], names: set[str]) -> None:
    assert found(staff, **asked) == {played[name] for name in names}


def test_a_round_is_found_by_its_id_and_its_whole_game_number(played: dict[str, UUID], staff: Client) -> None:
    rnd = Round.objects.get(pk=played["royal"])
    assert found(staff, number=str(rnd.pk)) == found(staff, number=rnd.game_number) == {rnd.pk}


def test_a_hand_alone_is_looked_for_some_weeks_back_and_says_so(played: dict[str, UUID], staff: Client) -> None:
    assert "late rounds are looked for since" in staff.get(LIST, {"hand": "royal_flush"}).content.decode()
    assert "late rounds are looked for since" not in staff.get(LIST, {"player": "ann"}).content.decode()


@pytest.mark.parametrize(
    "query",
    [
        "number=%00", "player=a%00b", "table=%00", "site=nowhere", "phase=gone", "hand=%F0%9F%82%A1", "since=%00",
        "until=0000-99-99T00:00", "before=%00", "before=1", "late=perhaps", "number=" + "9" * 500, "corrected=%00",
        "since=0001-01-01T00:00", "until=9999-12-31T23:59",
    ],
)  # fmt: skip
def test_rubbish_is_refused_and_finds_nothing(played: dict[str, UUID], staff: Client, query: str) -> None:
    answer = staff.get(f"{LIST}?{query}")
    assert answer.status_code == 400
    assert answer.context["rounds"] == []


@pytest.mark.parametrize(
    "query", ["player=%ff%fe", "number=%25_%27%22", "nonsense=%00", "player=%E2%80%AE", "number=%5C"]
)
def test_unusual_questions_are_answered(played: dict[str, UUID], staff: Client, query: str) -> None:
    assert staff.get(f"{LIST}?{query}").status_code == 200


def test_pages_go_on_where_the_last_one_ended(
    played: dict[str, UUID], staff: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finding, "MOST", 2)
    first = staff.get(LIST, {"site": "DEMO"})
    assert [rnd.pk for rnd in first.context["rounds"]] == [played["waits"], played["low"]]
    second = staff.get(f"{LIST}?{first.context['older']}")
    assert [rnd.pk for rnd in second.context["rounds"]] == [played["flush"], played["royal"]]
    assert second.context["older"] == "" and second.context["first"] == "site=DEMO"


MANY = """
    INSERT INTO tables_round SELECT (jsonb_populate_record(round, jsonb_build_object(
               'id', gen_random_uuid(), 'game_number', 'MANY-' || n, 'external_id', 'many-' || n,
               'gaming_day', round.gaming_day - n % 50,
               'started_at', round.started_at + n * interval '1 minute'))).*
      FROM tables_round AS round, generate_series(1, 5000) AS n WHERE round.external_id = 'r-1';
    INSERT INTO tables_box SELECT (jsonb_populate_record(held, jsonb_build_object(
               'round_id', round.id, 'player', 'M-' || round.game_number))).*
      FROM tables_box AS held, tables_round AS round, tables_round AS model
     WHERE model.external_id = 'r-1' AND held.round_id = model.id AND round.external_id LIKE 'many-%';
    INSERT INTO tables_boxresult SELECT (jsonb_populate_record(got, jsonb_build_object(
               'round_id', round.id, 'hand', 'pair'))).*
      FROM tables_boxresult AS got, tables_round AS round, tables_round AS model
     WHERE model.external_id = 'r-1' AND got.round_id = model.id AND round.external_id LIKE 'many-%';
    ANALYZE tables_round; ANALYZE tables_box; ANALYZE tables_boxresult; ANALYZE tables_superseded
"""
QUESTIONS = [
    (Filters(player="ann"), "box_by_player"),
    (Filters(number="UTH-02-2026"), "round_game_number_once"),
    (Filters(number="f-1"), "round_external_id_once"),
    (Filters(since=NOW, until=NOW + timedelta(hours=1)), "round_by_table"),
    (Filters(phase="failed"), "round_unsettled"),
    (Filters(phase="void"), "round_void"),
    (Filters(day=NOW.date()), "round_by_day"),
    (Filters(hand="royal_flush"), "result_rare_hand"),
    (Filters(), "tables_round_pkey"),
]


def test_an_index_serves_every_question(played: dict[str, UUID]) -> None:
    with as_owner(past_guards=True) as cursor:
        cursor.execute(MANY)
    for wanted, index in QUESTIONS:
        found = rounds.filtered(rounds.indexed(rounds.seen_by(person("eve")), wanted), wanted)
        plan = found.order_by("-id")[:51].explain()
        assert index in plan, plan
        assert "Seq Scan on tables_round" not in plan, plan


def test_nothing_is_counted(played: dict[str, UUID], staff: Client) -> None:
    with CaptureQueriesContext(
        connection,
    ) as queries:
        staff.get(LIST, {"player": "ann"})
    assert not [query for query in queries if "count(" in query["sql"].lower()]


def test_it_is_for_who_may_look_at_rounds(played: dict[str, UUID]) -> None:
    clerk = Client()
    clerk.force_login(get_user_model().objects.create_user("clerk", is_staff=True))
    assert clerk.get(LIST).status_code == 403
    assert Client().get(LIST).status_code == 302
