"""Readings of signs in the console: entered with the answer at once, and signed by two where the sign was off."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from jackpot.admin.reading_form import ReadingForm
from jackpot.models.jackpots import Jackpot
from jackpot.models.ledger import Entry
from jackpot.models.readings import Reading, ReadingSignature
from tests.admin.people import page, staff, step, take, text
from tests.factories import SiteFactory, caller, jackpot_with, low, play, reported
from tests.unit.builders import usd

LIST = reverse("admin:jackpot_reading_changelist")


@pytest.fixture
def link(db: None) -> Jackpot:
    """A jackpot at home in Malta, an hour or two before UTC, whose meter shows 10,000.20."""
    link = jackpot_with(site=SiteFactory.create(timezone="Europe/Malta"))
    play(reported(low(1), table="T-01"), by=caller())
    return link


@pytest.fixture
def ann(db: None) -> Client:
    return staff("ann", "enter_reading", "sign_reading")


def reading(shown: str, at: datetime | None = None, **changes: str) -> dict[str, str]:
    """What is entered, by the clock in Malta unless it says another."""
    there = (at or timezone.now()).astimezone(ZoneInfo("Europe/Malta"))
    said = {"level": "main", "shown": shown, "read_at": f"{there:%Y-%m-%dT%H:%M:%S.%f}", "clock": "Europe/Malta"}
    return said | changes


def counts() -> tuple[int, ...]:
    return tuple(one.objects.count() for one in (Reading, ReadingSignature, LogEntry))


@pytest.mark.parametrize(
    ("shown", "answer"),
    [
        ("10000.20", "The sign showed 10000.20 USD, which was true then"),
        ("10000.45", "The sign showed 0.25 USD (0.0025%) more than was true then: beyond the tolerance"),
        ("9000.18", "The sign showed 1000.02 USD (-10%) less than was true then: beyond the tolerance"),
    ],
)
def test_the_answer_comes_at_once(link: Jackpot, ann: Client, shown: str, answer: str) -> None:
    posted = Entry.objects.latest("posted_at").posted_at
    found = ann.post(step(link, "reading"), reading(shown, note="north sign"), follow=True)
    made = Reading.objects.get()
    assert found.redirect_chain == [(page(made), 302)]
    assert posted < made.read_at < made.entered_at and made.entered_by.get_username() == "ann"
    for seen in (answer, "north sign", "10000.20000000 USD", "in force when it was read", "row 2, since"):
        assert seen in text(found), seen


def test_what_was_true_then_is_that_of_the_very_time(link: Jackpot, ann: Client) -> None:
    """Just before the contribution was posted, the sign showed the base."""
    before = Entry.objects.filter(kind="lockout").latest("posted_at").posted_at - timedelta(microseconds=1)
    found = ann.post(step(link, "reading"), reading("10000.00", before), follow=True)
    assert "10000.00 USD, which was true then" in text(found) and "row 2, at" in text(found)


def test_the_clock_is_that_of_the_site(link: Jackpot, ann: Client) -> None:
    utc = timezone.now().astimezone(UTC)
    take(ann, link, "reading", form=reading("10000.20", clock="UTC", read_at=f"{utc:%Y-%m-%dT%H:%M:%S.%f}"))
    assert Reading.objects.get().read_at == utc
    twice = {"level": "main", "shown": "1.00", "read_at": "2026-10-25T02:30:00"}
    assert not ReadingForm(twice | {"clock": "Europe/Malta"}, record=link).is_valid()
    form = ReadingForm(twice | {"clock": "UTC"}, record=link)
    assert form.is_valid() and form.cleaned_data["read_at"] == datetime(2026, 10, 25, 2, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"shown": "10000.205"}, "at most 2 decimals"),
        ({"shown": "ten"}, "an amount is a string of digits"),
        ({"read_at": "2099-01-01T10:00:00"}, "lies in the future"),
        ({"read_at": "2020-01-01T10:00:00"}, "the meter was not funded yet"),
        ({"read_at": "yesterday"}, "Enter a valid date/time"),
        ({"level": "mega"}, "Select a valid choice"),
        ({"note": "x" * 201}, "at most 200 characters"),
    ],
)
def test_what_no_sign_can_have_shown_is_refused(link: Jackpot, ann: Client, said: dict[str, str], why: str) -> None:
    before = counts()
    assert why in text(take(ann, link, "reading", 400, form=reading("10000.20") | said))
    assert counts() == before


def test_a_variance_is_signed_by_two_people(link: Jackpot, ann: Client) -> None:
    take(ann, link, "reading", form=reading("10000.45"))
    made = Reading.objects.get()
    take(ann, made, "sign", note="sign restarted")
    before = counts()
    assert "another person must sign" in text(take(ann, made, "sign", 403))
    assert counts() == before
    ben = staff("ben", "sign_reading")
    assert "1 of 2: ann" in text(ben.get(page(made)))
    take(ben, made, "sign")
    assert "2 of 2: ann, ben" in text(ben.get(page(made)))
    assert step(made, "sign") not in text(ben.get(page(made)))
    assert "two people have signed" in text(take(staff("cleo", "sign_reading"), made, "sign", 409))
    assert {one.variance for one in ReadingSignature.objects.all()} == {usd("0.25")}


def test_within_the_tolerance_there_is_nothing_to_sign(link: Jackpot, ann: Client) -> None:
    take(ann, link, "reading", form=reading("10000.20"))
    made = Reading.objects.get()
    assert step(made, "sign") not in text(ann.get(page(made)))
    assert "nothing to sign" in text(take(ann, made, "sign", 409))


def test_entering_and_signing_need_their_permissions(link: Jackpot, ann: Client) -> None:
    take(ann, link, "reading", form=reading("10000.45"))
    made, before = Reading.objects.get(), counts()
    for name, record, code in (("reading", link, "sign_reading"), ("sign", made, "enter_reading")):
        other = staff(f"no-{name}", code)
        assert other.get(step(record, name)).status_code == 403
        assert other.post(step(record, name), reading("10000.45")).status_code == 403
        assert ann.get(step(record, name)).status_code == 200
    assert counts() == before


def test_the_list_says_how_far_each_was_off(link: Jackpot, ann: Client) -> None:
    for shown in ("10000.45", "10000.20", "10000.10"):
        take(ann, link, "reading", form=reading(shown))
    shown = text(ann.get(LIST))
    for seen in ("0.25 USD (0.0025%)", "0.00 USD (0%)", "-0.10 USD", "not needed", "0 of 2", "Enter a reading of LINK"):
        assert seen in shown, seen
    assert "Enter a reading" not in text(staff("dora").get(LIST))
