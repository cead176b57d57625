"""What stands in an address is somebody's to write: it reads no secret, and what can't be asked is no fault of ours."""

from datetime import time, timedelta

import pytest
from django.contrib import admin
from django.test import Client

from jackpot.domain.people import Role
from jackpot.models.jackpots import Jackpot
from jackpot.models.sites import Site
from tables.admin import home_charts
from tests.admin.staff import member, signed_in
from tests.admin.world import somebody
from tests.factories import NOW, House, low, play, receive, reported, royal
from tests.owner import as_owner


@pytest.mark.django_db
@pytest.mark.parametrize("role", [Role.AUDITOR, Role.ADMINISTRATOR])
@pytest.mark.parametrize(
    "question",
    [
        "auth/user/?password__contains=$",
        "auth/user/?password__startswith=z",
        "auth/user/?groups__user__password__contains=$",
        "jackpot/apikey/?secret_hash__startswith=a",
        "axes/accesslog/?session_hash__startswith=a",
        "admin/logentry/?user__password__contains=$",
    ],
)
def test_no_list_answers_what_a_secret_begins_with(role: Role, question: str) -> None:
    """A hash is read letter by letter from a list that is filtered by it."""
    member("mallory-is-listed", Role.SUPERVISOR)
    answer = signed_in(member("who", role)).get(f"/admin/{question}")
    assert answer.status_code == 400
    assert b"mallory-is-listed" not in answer.content


@pytest.mark.django_db
def test_lists_are_still_filtered_by_what_they_offer() -> None:
    client = signed_in(member("who", Role.AUDITOR))
    listed = client.get("/admin/auth/user/?is_active__exact=1&q=who")
    assert listed.status_code == 200 and b"who" in listed.content
    for offered in ("changerequest/?state=waiting&kind__exact=policy", "reading/?level__jackpot__id__exact=1",
                    "award/?state__exact=pending&hit_at__gte=2026-11-01+00:00:00Z"):  # fmt: skip
        assert client.get(f"/admin/jackpot/{offered}").status_code == 200, offered
    assert client.get("/admin/admin/logentry/?action_time__year=2026").status_code == 200


def ways(demo: House) -> list[str]:
    pages = f"/admin/jackpot/jackpot/{Jackpot.objects.get(code='MAIN').pk}"
    reports = "/admin/reports/tables/?place=site:DEMO&day="
    days = ("0001-01-01", "9999-12-31")
    return [
        *(f"/admin/days/DEMO/{day}/{page}" for day in days for page in ("", "close/", "auditors-pack.zip")),
        *(f"{reports}{day}" for day in days),
        *(f"/admin/reports/daily.pdf?place=site:DEMO&day={day}" for day in days),
        *(f"{pages}/{page}/?first={day}&last={day}" for day in days for page in ("roll-forward", "readings")),
        *(f"{pages}/statement/?level=main&pot=meter&day={day}" for day in days),
        "/admin/tables/round/?until=0001-01-05T00:00&late=yes",
        "/admin/days/?before=0001-01-01",
    ]


def test_days_that_no_calendar_reaches_are_refused(demo: House) -> None:
    client = somebody("superuser")
    found = {way: client.get(way).status_code for way in ways(demo)}
    assert {way: status for way, status in found.items() if status not in (200, 400, 404)} == {}
    assert found["/admin/days/DEMO/9999-12-31/"] == 404


def test_a_zero_byte_is_refused_by_every_list(demo: House) -> None:
    client = somebody("superuser")
    for model in admin.site._registry:
        root = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        for question in ("state=%00", "hand=%00", "q=%00", "%00=1"):
            assert client.get(f"{root}?{question}").status_code in (200, 302, 400), (root, question)
    for place in ("", "now", "stream"):
        assert Client().get(f"/sign/%00/{place}").status_code == 404


def test_hits_are_charted_where_a_day_begins_before_that_of_utc(demo: House) -> None:
    """At the date line a gaming day is a day ahead of UTC's for hours."""
    with as_owner():
        Site.objects.update(timezone="Pacific/Kiritimati", day_starts_at=time(0))
    play(reported(royal(1)))
    (chart,) = home_charts.hits(NOW + timedelta(minutes=1))
    assert [row[:2] for row in chart.rows] == [("2026-11-30", "1")]


def test_tiles_of_rounds_lead_to_those_rounds_alone(demo: House) -> None:
    play(reported(low(1)))
    waits = receive(reported(low(1), at=NOW + timedelta(minutes=1)))
    client = somebody("superuser")
    answer = client.get("/admin/")
    tiles = {tile.label: tile for tile in answer.context["waiting"]}
    listed = client.get(tiles["Rounds not settled yet"].address)
    assert [rnd.pk for rnd in listed.context["rounds"]] == waits
    assert not client.get(tiles["Failed rounds"].address).context["rounds"]
