"""Gaming days in the console: how each stands, closing one, why one stays open, and what the auditor takes along."""

import hashlib
from datetime import date, timedelta
from html import unescape
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from jackpot.models.awards import Award
from jackpot.models.closings import Closing
from jackpot.models.events import Event
from jackpot.models.jackpots import Jackpot
from jackpot.models.ledger import Entry
from jackpot.models.sites import GamingDay
from jackpot.selectors.closed_days import closed_day
from tables.admin import day_parts
from tables.domain.facts import VoidReason
from tables.models.rounds import Round
from tests.api.reporting import AFTER, BEFORE, DAY, NOON, small_day
from tests.factories import caller, close_until, low, play, receive, reported, royal
from tests.owner import as_owner

READS = ("view_gamingday", "view_jackpot", "view_award", "view_round")
PAGE, CLOSE = f"/admin/days/HOME/{BEFORE}/", f"/admin/days/HOME/{BEFORE}/close/"


@pytest.fixture
def link(db: None) -> Jackpot:
    return small_day()


def client_with(*permissions: str, name: str = "dee") -> Client:
    user = User.objects.create_user(name, is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client = Client(enforce_csrf_checks=False)
    client.force_login(user)
    return client


@pytest.fixture
def closer(link: Jackpot) -> Client:
    return client_with(*READS, "close_day")


def shown(client: Client, address: str) -> Any:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer


def counted() -> tuple[int, ...]:
    open_days = GamingDay.objects.filter(closed_at=None).count()
    return (open_days, *(model.objects.count() for model in (Closing, Entry, Event, LogEntry)))


def test_the_days_of_a_site_stand_in_order_with_what_each_left(link: Jackpot, closer: Client) -> None:
    close_until(link.home_site, BEFORE)
    table = shown(closer, "/admin/days/?site=HOME").context["rows"]
    assert [row[0].split(">")[1].split("<")[0] for row in table.rows][-3:] == [str(AFTER), str(DAY), str(BEFORE)]
    closed, over = table.rows[-1], table.rows[-2]
    assert ("closed" in closed[1], closed[5:]) == (True, ["close_day command", 0, 0])
    assert "over, to be closed" in over[1] and over[4] == "–"
    assert shown(closer, "/admin/days/").context["site"].code == "AWAY"


def test_a_day_that_is_over_is_closed_by_post_and_says_so(link: Jackpot, closer: Client) -> None:
    before = counted()
    assert "can be closed" in shown(closer, PAGE).content.decode()
    page = shown(closer, CLOSE)
    assert [row[:3] for row in page.context["pots"]] == [
        ("LINK", "main", pot) for pot in ("meter", "reserve", "overflow")
    ]
    assert page.context["pots"][0][4] == "10000.00000000 USD"
    assert counted() == before
    answer = closer.post(CLOSE, follow=True)
    assert answer.redirect_chain == [(PAGE, 302)]
    assert f"{BEFORE} of HOME is closed" in answer.content.decode()
    closing = Closing.objects.get()
    assert (closing.gaming_day.day, closing.closed_by.get_username() if closing.closed_by else "") == (BEFORE, "dee")
    log = LogEntry.objects.get()
    assert (log.user.get_username(), log.object_id) == ("dee", str(closing.gaming_day_id))
    assert "is closed" in log.change_message


def test_closing_again_finds_it_closed_and_writes_nothing(link: Jackpot, closer: Client) -> None:
    closer.post(CLOSE)
    before = counted()
    answer = closer.post(CLOSE, follow=True)
    assert f"{BEFORE} was closed before" in answer.content.decode()
    assert counted() == before


def test_a_closed_day_shows_its_closing_and_the_head_that_seals_it(link: Jackpot, closer: Client) -> None:
    close_until(link.home_site, DAY)
    page = shown(closer, f"/admin/days/HOME/{DAY}/")
    found = closed_day(link.home_site, DAY)
    assert found is not None
    assert dict(page.context["facts"])["Head that seals it"] == found.head
    pots, unpaid, accounts = page.context["tables"]
    assert [row[-1].split()[0] for row in pots.rows] == [
        f"{line.closing / 10**8:.8f}" for line in sorted(found.record.pots, key=lambda line: line.account)
    ]
    assert len(unpaid.rows) == len(found.record.unpaid) == Award.objects.exclude(state="paid").count()
    assert len(accounts.rows) == len(found.record.accounts)
    assert closer.get(f"/admin/days/HOME/{DAY}/close/").status_code == 200


def test_it_says_why_a_day_stays_open_and_what_to_do(link: Jackpot, closer: Client) -> None:
    before = counted()
    later = f"/admin/days/HOME/{DAY}/"
    for address in (later, f"{later}close/"):
        page = shown(closer, address).content.decode()
        assert "days are closed in order" in page and f'href="{PAGE}">Close {BEFORE} first</a>' in page
    answer = closer.post(f"{later}close/")
    assert answer.status_code == 409 and "days are closed in order" in answer.content.decode()
    today = GamingDay.objects.filter(site=link.home_site).latest("day").day
    answer = closer.post(f"/admin/days/HOME/{today}/close/")
    assert answer.status_code == 409 and "is not over" in answer.content.decode()
    assert counted() == before


def test_books_that_differ_keep_a_day_open_and_are_listed(link: Jackpot, closer: Client) -> None:
    with as_owner(past_guards=True) as cursor:
        cursor.execute(
            "UPDATE jackpot_statementrow SET after = after + 7, amount = amount + 7 WHERE pot = 'meter' AND seq = 1"
        )
    before = counted()
    for answer in (closer.get(PAGE), closer.get(CLOSE), closer.post(CLOSE)):
        page = answer.content.decode()
        assert "do not agree" in page and "run verify and audit" in page and "What does not agree" in page
        assert "meter:LINK:main" in page
    assert answer.status_code == 409
    assert counted() == before


def test_a_waiting_void_and_a_round_that_waits_are_listed_before_and_in_the_closing(
    link: Jackpot, closer: Client
) -> None:
    acme = caller("HOME", integrator="Acme")
    at = NOON - timedelta(hours=20)
    [late] = receive(reported(low(1), table="T-01", at=at), by=acme)
    [void] = receive(reported(royal(1), table="T-01", at=at, void=VoidReason.OTHER, note="why"), by=acme)
    for address in (PAGE, CLOSE):
        found = {row[2]: row[5] for row in shown(closer, address).context["rounds"].rows}
        assert found == {"complete": "–", "failed": "a void"}
    closer.post(CLOSE)
    stored = {one["ref"]: (one["void_waits"], one["comes_late"]) for one in Closing.objects.get().rounds}
    assert stored == {str(late): (False, True), str(void): (True, True)}
    page = shown(closer, PAGE)
    assert "Rounds that were not settled when it was closed" in page.content.decode()
    for rnd in Round.objects.filter(pk__in=(late, void)):
        assert f"/admin/tables/round/{rnd.pk}/change/" in page.content.decode()


def test_only_with_the_permission_is_it_offered_and_done(link: Jackpot) -> None:
    reader = client_with(*READS)
    before = counted()
    assert CLOSE not in shown(reader, PAGE).content.decode()
    assert (reader.get(CLOSE).status_code, reader.post(CLOSE).status_code) == (403, 403)
    blind = client_with("close_day", name="eve")
    assert [blind.get(one).status_code for one in ("/admin/days/", PAGE, CLOSE)] == [403, 403, 403]
    assert [Client().get(one).status_code for one in ("/admin/days/", PAGE, CLOSE)] == [302, 302, 302]
    assert counted() == before


def test_a_foreign_form_closes_nothing(link: Jackpot, closer: Client) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(User.objects.get(username="dee"))
    assert strict.post(CLOSE).status_code == 403
    assert not Closing.objects.exists()


def test_reading_changes_nothing_and_other_methods_are_refused(link: Jackpot, closer: Client) -> None:
    before = counted()
    for address in ("/admin/days/", PAGE, CLOSE, f"{PAGE}auditors-pack.zip"):
        assert closer.get(address).status_code == closer.head(address).status_code == 200
        assert closer.put(address).status_code == 405
    for address in ("/admin/days/", PAGE, f"{PAGE}auditors-pack.zip"):
        assert closer.post(address).status_code == 405
    assert counted() == before


@pytest.mark.parametrize("address", ["/admin/days/NONE/2026-11-29/", "/admin/days/HOME/2026-13-01/"])
def test_there_is_no_such_day(address: str, link: Jackpot, closer: Client) -> None:
    assert closer.get(address).status_code == 404
    assert closer.post(f"{address}close/").status_code == 404
    assert closer.get(f"/admin/days/HOME/{date(2020, 1, 1)}/").status_code == 200
    assert closer.post(f"/admin/days/HOME/{date(2020, 1, 1)}/close/").status_code == 404


def test_the_auditors_pack_has_everything_with_its_sums(link: Jackpot, closer: Client) -> None:
    close_until(link.home_site, DAY)
    answer = shown(closer, f"/admin/days/HOME/{DAY}/auditors-pack.zip")
    assert answer["Content-Disposition"] == f'attachment; filename="auditor_HOME_{DAY}.zip"'
    with ZipFile(BytesIO(answer.content)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    sums = {line[66:]: line[:64] for line in files.pop("SHA256SUMS").decode().splitlines()}
    assert sums == {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    hit = Award.objects.get(kind="hit")
    assert {name.rpartition(".")[2] for name in files if str(hit.pk) in name} == {"pdf", "json"}
    assert files[f"daily_HOME_{DAY}.pdf"].startswith(b"%PDF")
    assert sum(name.startswith("reports/") for name in files) == 2 * (len(day_parts.REPORTS) - 1)
    found = closed_day(link.home_site, DAY)
    assert found is not None
    assert files[f"closing_HOME_{DAY}.json"] == found.record.record()
    digest = bytes(found.closing.entry.facts_digest or b"")
    assert hashlib.sha256(files[f"closing_HOME_{DAY}.json"]).digest() == digest
    assert files["heads.txt"].decode().splitlines()[0] == found.head


def test_the_auditors_pack_and_reports_are_offered_to_those_who_may_read_them(link: Jackpot, closer: Client) -> None:
    page = unescape(shown(closer, f"/admin/days/HOME/{DAY}/").content.decode())
    assert f'href="/admin/days/HOME/{DAY}/auditors-pack.zip"' in page
    for name, _, _ in day_parts.REPORTS:
        assert f'href="/admin/reports/{name}/?place=site%3AHOME&day={DAY}"' in page
    for kind, begins in (("csv", b""), ("xlsx", b"PK"), ("pdf", b"%PDF")):
        made = shown(closer, f"/admin/reports/roll-forward/?place=site:HOME&day={DAY}&format={kind}")
        assert made.content.startswith(begins) and "attachment" in made["Content-Disposition"]
    other = client_with("view_gamingday", name="eve")
    assert "auditors-pack" not in shown(other, PAGE).content.decode()
    assert other.get(f"{PAGE}auditors-pack.zip").status_code == 403


def test_queries_do_not_grow(link: Jackpot, closer: Client) -> None:
    addresses = ["/admin/days/?site=HOME", PAGE, CLOSE]
    few = []
    for address in addresses:
        shown(closer, address)
        with CaptureQueriesContext(connection) as queries:
            shown(closer, address)
        few.append(len(queries))
    for n in range(1, 6):
        GamingDay.objects.create(site=link.home_site, day=BEFORE - timedelta(days=n), opened_at=NOON)
        play(reported(low(1), table="T-01", at=NOON + timedelta(minutes=n)), by=caller("HOME", integrator="Acme"))
    for address, number in zip(addresses, few, strict=True):
        with CaptureQueriesContext(connection) as queries:
            shown(closer, address)
        assert len(queries) <= number + 1 < 45, address
