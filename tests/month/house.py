"""Three sites in three time zones, their jackpots and tables, and who works there.

In March 2026 New York (8th) and London (29th) change their clocks; Kolkata lies half an hour beside everybody.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from jackpot import services as jackpot
from jackpot.domain.callers import Caller
from jackpot.models.jackpots import Jackpot
from jackpot.models.sites import Site
from jackpot.money import Currency, currency
from tests.factories import caller, jackpot_with, person, table_with

RANKS = ("royal_flush", "straight_flush", "four_of_a_kind")
FIXED = {"full_house": 50, "flush": 40, "straight": 30, "three_of_a_kind": 9}


@dataclass(slots=True)
class Floor:
    """Everything that plays and works: tables by code with their currency, callers by site, staff by name."""

    sites: dict[str, Site]
    jackpots: dict[str, Jackpot]
    tables: dict[str, Currency]
    site_of: dict[str, str]
    senders: dict[str, Caller]
    staff: dict[str, Caller] = field(default_factory=dict)


def _line(hand: str, level: str, ppm: int) -> dict[str, Any]:
    return {"hand": hand, "basis": "meter_share", "level": level, "ppm": ppm}


def _three_levels() -> dict[str, Any]:
    """A royal takes all of one level, a straight flush of another, four of a kind of a third."""
    names = ("mega", "major", "minor")
    lines = [_line(hand, name, 1_000_000) for hand, name in zip(RANKS, names, strict=True)]
    fixed = [{"hand": hand, "basis": "for_one", "odds": odds} for hand, odds in FIXED.items()]
    terms = (("5000.00", 150_000, 50_000), ("1000.00", 100_000, 30_000), ("100.00", 60_000, 20_000))
    levels = [
        {"code": name, "base": base, "increment_ppm": increment, "reserve_ppm": reserve, "limit": None}
        for name, (base, increment, reserve) in zip(names, terms, strict=True)
    ]
    return {
        "progressive_table": lines + fixed, "levels": levels, "envy_table": {"royal_flush": "500.00"},
        "equal_rank": "split", "envy_per": "round", "verify_from": "150.00",
    }  # fmt: skip


def open_house(now: datetime) -> Floor:
    """ATLAS: New York and London, one level with a limit and overflow. INDIGO: Kolkata, three levels in rupees. OLD:
    London, to be retired into NOVA. And a table without a jackpot at each site.
    """
    sites = {
        code: jackpot.open_site(code=code, name=name, timezone=zone)
        for code, name, zone in (
            ("NYC", "New York", "America/New_York"),
            ("LON", "London", "Europe/London"),
            ("KOL", "Kolkata", "Asia/Kolkata"),
        )
    }
    atlas = jackpot_with(
        code="ATLAS", site=sites["NYC"], tables=(), now=now, limit="10001.00", base="10000.00", increment_ppm=200_000,
        reserve_ppm=30_000, after_share="restore_base", void_contributions="reverse", hit_order="high_first",
    )  # fmt: skip
    indigo = jackpot_with(code="INDIGO", site=sites["KOL"], tables=(), currency="INR", now=now, **_three_levels())
    old = jackpot_with(code="OLD", site=sites["LON"], tables=(), now=now, void_contributions="keep")
    nova = jackpot_with(code="NOVA", site=sites["LON"], tables=(), now=now, overflow_to="house", limit="90000.00")
    linked = {
        "NYC-1": atlas, "NYC-2": atlas, "NYC-3": None, "LON-1": atlas, "LON-2": old, "LON-3": None, "LON-4": nova,
        "KOL-1": indigo, "KOL-2": indigo, "KOL-3": None,
    }  # fmt: skip
    money = {
        code: link.currency_code if link else ("INR" if code[:3] == "KOL" else "USD") for code, link in linked.items()
    }
    for code, link in linked.items():
        table_with(code, site=sites[code[:3]], link=link, currency=money[code])
    return Floor(
        sites=sites,
        jackpots={"ATLAS": atlas, "INDIGO": indigo, "OLD": old, "NOVA": nova},
        tables={code: currency(name) for code, name in money.items()},
        site_of={code: code[:3] for code in linked},
        senders={code: caller(site, integrator=f"{site.name} tables") for code, site in sites.items()},
        staff={name: person(name) for name in ("ann", "ben", "cleo", "dan")},
    )
