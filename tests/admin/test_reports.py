"""The console's reports and packs: who may see them, what they show, and that they are the files of the API."""

import json
from html import unescape

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from jackpot.models.awards import Award
from jackpot.models.jackpots import Jackpot
from tables.admin.evidence import NEEDED as FOR_EVIDENCE
from tables.admin.reports import NEEDED as FOR_REPORTS
from tables.admin.reports import PAGES
from tests.api.reporting import DAY, small_day
from tests.factories import caller, low, play, reported

ASKED = f"place=site:HOME&day={DAY}"
HOSTILE = "<script>alert(1)</script>=1+1"


@pytest.fixture
def small(db: None) -> Jackpot:
    return small_day()


def client_with(*needed: str) -> Client:
    user = User.objects.create_user("dee", is_staff=True)
    codes = [need.partition(".")[2] for need in needed]
    user.user_permissions.set(Permission.objects.filter(codename__in=codes))
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def staff(small: Jackpot) -> Client:
    return client_with(*FOR_REPORTS)


def addresses(hit: Award) -> list[str]:
    return [
        "/admin/reports/", f"/admin/reports/daily.pdf?{ASKED}", *(f"/admin/reports/{name}/?{ASKED}" for name in PAGES),
        f"/admin/evidence/{hit.pk}.pdf", f"/admin/evidence/{hit.pk}.json",
    ]  # fmt: skip


def test_each_opens_for_staff_with_the_permissions_and_takes_no_other_method(small: Jackpot) -> None:
    client = client_with(*FOR_REPORTS, *FOR_EVIDENCE)
    for address in addresses(Award.objects.get(kind="hit")):
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert client.post(address).status_code == 405
        if "text/html" not in answer["Content-Type"]:
            assert "no-store" in answer["Cache-Control"] and "attachment" in answer["Content-Disposition"]


@pytest.mark.parametrize("missing", sorted({*FOR_REPORTS, *FOR_EVIDENCE}))
def test_without_one_of_the_permissions_what_needs_it_is_forbidden(missing: str, small: Jackpot) -> None:
    client = client_with(*(need for need in (*FOR_REPORTS, *FOR_EVIDENCE) if need != missing))
    for address in addresses(Award.objects.get(kind="hit")):
        needed = FOR_EVIDENCE if "evidence" in address else FOR_REPORTS
        assert client.get(address).status_code == (403 if missing in needed else 200), address


def test_nobody_sees_them_without_signing_in_as_staff(small: Jackpot) -> None:
    outsider = Client()
    player = Client()
    player.force_login(User.objects.create_user("player"))
    for address in addresses(Award.objects.get(kind="hit")):
        assert (outsider.get(address).status_code, player.get(address).status_code) == (302, 302)


@pytest.mark.parametrize("place", ["site:HOME", "jackpot:LINK"])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_its_header_caption_heads_and_footing(name: str, place: str, staff: Client) -> None:
    page = staff.get(f"/admin/reports/{name}/?place={place}&day={DAY}").content.decode()
    for part in ("<caption", 'scope="col"', f"<dd>{DAY}</dd>", "<dt>Made by</dt><dd>dee</dd>", "<dt>Period</dt>"):
        assert part in page, part
    assert ('scope="row"' in page) != ("No activity" in page)


def test_a_page_shows_what_its_files_hold(staff: Client) -> None:
    page = unescape(staff.get(f"/admin/reports/roll-forward/?{ASKED}").content.decode())
    api = staff.get(f"/api/v1/reports/roll-forward/?day={DAY}&site=HOME").json()
    for row in api["rows"]:
        assert all(f">{value}<" in page for value in row.values())
    assert f">{api['totals']['closing']}<" in page
    csv = staff.get(f"/admin/reports/roll-forward/?{ASKED}&format=csv")
    assert csv["Content-Disposition"] == f'attachment; filename="roll-forward_HOME_{DAY}.csv"'
    whole = staff.get(f"/api/v1/reports/roll-forward/?day={DAY}&site=HOME", headers={"Accept": "text/csv"})
    plain = [[line for line in answer.content.splitlines() if b"Made at" not in line] for answer in (csv, whole)]
    assert plain[0] == plain[1]
    assert staff.get(f"/admin/reports/tables/?{ASKED}&format=xlsx").content.startswith(b"PK")


def test_what_people_wrote_is_shown_as_text(small: Jackpot) -> None:
    play(reported(low(1, player=HOSTILE), low(2, pair="8c 9h", player=HOSTILE), table="T-01"),
         reported(low(1, player=HOSTILE), low(2, pair="8c 9h", player=HOSTILE), table="T-01"),
         by=caller("HOME", integrator="Acme"))  # fmt: skip
    page = client_with(*FOR_REPORTS).get(f"/admin/reports/duplicates/?{ASKED}").content.decode()
    assert HOSTILE not in page and "&lt;script&gt;alert(1)&lt;/script&gt;=1+1" in page


@pytest.mark.parametrize(
    "asked", ["place=site:NOWHERE&day=2026-11-29", "place=site:HOME&day=29.11.2026x", "day=", "x=1"]
)
def test_what_is_asked_wrongly_is_said_beside_the_form(asked: str, staff: Client) -> None:
    for address in ("/admin/reports/", "/admin/reports/awards/"):
        answer = staff.get(f"{address}?{asked}")
        assert answer.status_code == 400
        assert b"report-wrong" in answer.content and b"<table" not in answer.content
    assert staff.get(f"/admin/reports/daily.pdf?{asked}").status_code == 404


def test_there_is_no_other_report_and_no_daily_pack_of_a_jackpot(staff: Client) -> None:
    assert staff.get(f"/admin/reports/secrets/?{ASKED}").status_code == 404
    assert staff.get(f"/admin/reports/daily.pdf?place=jackpot:LINK&day={DAY}").status_code == 404
    assert staff.get("/admin/evidence/01a22b79-f520-7300-ab50-26e76097ee1e.pdf").status_code == 404


def test_the_page_of_an_award_leads_to_its_evidence_and_a_day_to_its_reports(small: Jackpot) -> None:
    client = Client()
    client.force_login(User.objects.create_superuser("admin"))
    hit = Award.objects.get(kind="hit")
    page = client.get(reverse("admin:jackpot_award_change", args=[hit.pk])).content.decode()
    for kind in ("pdf", "json"):
        assert f'href="/admin/evidence/{hit.pk}.{kind}"' in page
    found = json.loads(client.get(f"/admin/evidence/{hit.pk}.json").content)
    assert (found["award"]["id"], found["made_by"]) == (str(hit.pk), "admin")
    days = unescape(client.get(reverse("admin:jackpot_gamingday_changelist")).content.decode())
    assert f'href="/admin/reports/?place=site%3AHOME&day={DAY}"' in days
