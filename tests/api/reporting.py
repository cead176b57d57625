"""A link of two sites with a small day of which every figure is known, and reports read from it."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.test import Client

from jackpot import services as jackpot
from jackpot.models.jackpots import Jackpot
from jackpot.models.sites import GamingDay, Site
from tests.api.floor import Json
from tests.factories import caller, flush_hand, jackpot_with, low, play, reported, royal, table_with
from tests.factories.copies import made_once
from tests.unit.builders import FOLD

DAY = date(2026, 11, 29)
BEFORE, AFTER = DAY - timedelta(days=1), DAY + timedelta(days=1)
NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)
ALL = (
    "roll-forward", "expected-posted", "readings", "tables", "awards", "liabilities", "changes", "duplicates", "late",
    "voids", "by-site",
)  # fmt: skip
"""The names of the contract."""


def site_with_days(code: str, *days: date, **settings: Any) -> Site:
    """A site of which these gaming days are open, whatever today is."""
    site = jackpot.open_site(code=code, name=code, **settings)
    for day in days:
        GamingDay.objects.create(site=site, day=day, opened_at=NOON)
    return site


def link_of_two_sites() -> Jackpot:
    """LINK, at home at HOME with table T-01; T-02 stands at AWAY. Funded on the day before."""
    home, away = (site_with_days(code, BEFORE, DAY, AFTER) for code in ("HOME", "AWAY"))
    link = jackpot_with(code="LINK", site=home, tables=("T-01",), now=NOON - timedelta(days=1))
    table_with("T-02", site=away, link=link)
    return link


@made_once
def small_day() -> Jackpot:
    """On LINK, for Acme at T-01 the contract's round (a royal of P-1, a fold of P-2), for Rival at T-02 a flush of P-1
    and a pair of sevens of P-2; on the day after a loss of P-1 for Acme at T-01.
    """
    link = link_of_two_sites()
    acme, rival = caller("HOME", integrator="Acme"), caller("AWAY", integrator="Rival")
    play(reported(royal(1, trips="5.00"), low(2, decision=FOLD), table="T-01", at=NOON), by=acme)
    play(reported(flush_hand(1), low(2), table="T-02", at=NOON + timedelta(hours=1)), by=rival)
    play(reported(low(1, decision=FOLD), table="T-01", at=NOON + timedelta(days=1)), by=acme)
    return link


def report(client: Client, name: str, place: str = "jackpot=LINK", day: date | str = DAY) -> Json:
    answer = client.get(f"/api/v1/reports/{name}/?day={day}&{place}")
    assert answer.status_code == 200, answer.content
    found: Json = answer.json()
    assert list(found) == ["report", "filters", "made_at", "columns", "rows", "totals"]
    assert all(list(row) == found["columns"] for row in found["rows"])
    return found


def table(found: Json, *columns: str) -> list[tuple[Any, ...]]:
    """Some columns of a report's rows."""
    return [tuple(row[column] for column in columns) for row in found["rows"]]
