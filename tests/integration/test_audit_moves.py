# ruff: noqa: S608 — the SQL is a test's own words
"""The audit makes adjustments, transfers and retirements again, and names what somebody changed of them."""

from typing import Any

import pytest
from django.db import connection

from jackpot.domain.accounts import Pot
from jackpot.models.jackpots import Jackpot
from tables.services import audit
from tests.factories import caller, jackpot_with, low, play, reported, royal
from tests.factories.moves import adjust, retire, transfer
from tests.integration.test_audit import guards_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def pair() -> dict[str, Jackpot]:
    """OLD, adjusted, with something of its meter moved to its reserve and to NEW; rounds before and after."""
    old = jackpot_with(code="OLD")
    new = jackpot_with(code="NEW", site=old.home_site, tables=("N-01",))
    by = caller()
    play(reported(low(1), table="T-01"), by=by)
    adjust(old, "-0.20")
    adjust(new, "3.00", pot=Pot.OVERFLOW)
    transfer("meter:OLD:main", "reserve:OLD:main", "5.00")
    transfer("meter:OLD:main", "meter:NEW:main", "7.00")
    play(reported(royal(1), table="N-01"), reported(low(1), table="T-01"), by=by)
    return {"OLD": old, "NEW": new}


def differences(*jackpots: Jackpot) -> set[str]:
    found = audit.audit(audit.lanes_of(jackpots=jackpots)).findings
    return {difference.what for difference in found.differences}


def test_what_is_untouched_is_proved(pair: dict[str, Jackpot]) -> None:
    assert differences(*pair.values()) == set()
    third = jackpot_with(code="THIRD", site=pair["OLD"].home_site, tables=())
    retire(pair["OLD"], third)
    assert differences(*pair.values(), third) == set()


def of_entry(suffix: str = "") -> str:
    """The entry that took something out of OLD for NEW, or the one that brought it into NEW."""
    asked = "(SELECT id FROM jackpot_changerequest WHERE document ->> 'to' = 'meter:NEW:main')"
    return f"source_ref = 'change:' || {asked} || '{suffix}'"


def invented(kind: str) -> str:
    columns = "lane_id, link_seq, kind, table_ref, leg_count, event_at, posted_at, actor, reason"
    return (
        f"INSERT INTO jackpot_entry ({columns}, source_ref) SELECT {columns.replace('leg_count', '0')},"
        f" 'change:' || gen_random_uuid() FROM jackpot_entry WHERE kind = '{kind}' LIMIT 1"
    )


ADJUSTED = "kind = 'adjustment' AND subject = 'meter:OLD:main'"
LESS = "UPDATE jackpot_statementrow SET amount = amount - 1, after = after - 1 WHERE pot = 'meter' AND kind ="
CHANGED = [
    ("a row's amount", "OLD", f"{LESS} 'adjustment'", "statement row amount"),
    ("a row's kind", "OLD", "UPDATE jackpot_statementrow SET kind = 'void' WHERE (kind, pot) = ('adjustment', 'meter')",
     "statement row kind"),
    ("a reason", "OLD", f"UPDATE jackpot_entry SET reason = 'regulator' WHERE {of_entry()}", "entry reason"),
    ("a note", "OLD", f"UPDATE jackpot_changerequest SET note = 'x' WHERE {ADJUSTED}", "entry facts_digest"),
    ("what was asked", "OLD", ("UPDATE jackpot_changerequest SET document = document || '{\"amount\": \"-0.30\"}'"
     f" WHERE {ADJUSTED}"), "level meter"),
    ("an invented adjustment", "OLD", invented("adjustment"), "invented entry"),
    ("an invented transfer", "OLD", invented("transfer"), "invented entry"),
    ("no first half", "OLD", f"DELETE FROM jackpot_entry WHERE {of_entry()}", "missing entry"),
    ("no second half", "NEW", f"DELETE FROM jackpot_entry WHERE {of_entry(':in')}", "missing entry"),
    ("who", "NEW", f"UPDATE jackpot_entry SET actor = 'user:0' WHERE {of_entry(':in')}", "entry actor"),
    ("the second half's amount", "NEW", f"{LESS} 'transfer_in'", "statement row amount"),
    ("what stood", "OLD", ("UPDATE jackpot_changedecision SET before = before || '{\"meter:OLD:main\": \"1.00000000\"}'"
     " WHERE before ? 'meter:NEW:main'"), "entry"),
]  # fmt: skip


@pytest.mark.parametrize(("where", "sql", "named"), [row[1:] for row in CHANGED], ids=[row[0] for row in CHANGED])
def test_what_was_changed_is_named(pair: dict[str, Jackpot], where: str, sql: str, named: str) -> None:
    connection.check_constraints()  # what was written until here is right
    with guards_off() as cursor:
        cursor.execute(sql)
        assert cursor.rowcount == 1
    assert named in differences(pair[where])


def test_a_retirement_that_says_it_had_more_is_named(pair: dict[str, Any]) -> None:
    retire(pair["OLD"], pair["NEW"])
    connection.check_constraints()
    with guards_off() as cursor:
        cursor.execute(
            'UPDATE jackpot_changedecision SET before = before || \'{"meter:OLD:main": "99999.00000000"}\''
            " WHERE before ? 'state:OLD'"
        )
    assert "entry" in differences(pair["OLD"])
    assert "statement row amount" in differences(pair["NEW"]) or "entry" in differences(pair["NEW"])
