"""A day's closing as a pure value: its record does not depend on the order of its lines, and what differs is named."""

import json
import random
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any
from uuid import UUID

import pytest

from jackpot.domain.accounts import Pot
from jackpot.domain.closings import (
    AccountLine,
    Closing,
    Evidence,
    OpenRound,
    PotLine,
    UnpaidLine,
    differences,
    source_of,
)
from jackpot.domain.meter import Kind
from jackpot.models.closings import PotClosing

DAY = date(2026, 11, 29)
AT = datetime(2026, 11, 30, 6, 0, 3, 21, tzinfo=UTC)
METER = PotLine("MAIN", "main", Pot.METER, 100, {"contribution": 30, "award": -20}, 110, 7, AT)
RESERVE = PotLine("MAIN", "main", Pot.RESERVE, 0, {"contribution": 3}, 3, 1, AT)
ACCOUNTS = (
    AccountLine("meter:MAIN:main", -100, 20, 30),
    AccountLine("reserve:MAIN:main", 0, 0, 3),
    AccountLine("awards:MAIN", 0, 0, 20),
)
UNPAID = tuple(UnpaidLine(str(UUID(int=n)), "MAIN", 10, DAY - timedelta(days=n)) for n in (1, 2))
ROUNDS = tuple(
    OpenRound(str(UUID(int=n)), 1, "T-01", f"T-01-{n}", "failed", AT - timedelta(hours=n), True) for n in (1, 2)
)
CLOSING = Closing(
    "DEMO", DAY, DAY - timedelta(days=1), AT, "user:7", (METER, RESERVE), ACCOUNTS, UNPAID,
    [one.document() for one in ROUNDS],
)  # fmt: skip
EVIDENCE = Evidence({METER.account: 100}, {METER.account: 110, RESERVE.account: 3})


def test_the_record_is_one_byte_form() -> None:
    draw = random.Random(3)
    lines: dict[str, Any] = {name: list(getattr(CLOSING, name)) for name in ("pots", "accounts", "unpaid", "rounds")}
    shuffled: dict[str, Any] = {name: draw.sample(found, len(found)) for name, found in lines.items()}
    mixed = replace(CLOSING, **shuffled)
    mixed = replace(mixed, closed_at=AT.astimezone(timezone(timedelta(hours=-5))))
    assert mixed.record() == CLOSING.record()
    document = json.loads(CLOSING.record())
    assert document["unpaid"][0][-1] == 1  # its age in days
    assert document["closed_at"] == "2026-11-30T06:00:03.000021+00:00"
    assert source_of("DEMO", DAY) == "day:DEMO:2026-11-29"


@pytest.mark.parametrize("changed", [
    {"day": DAY - timedelta(days=1)}, {"closed_by": "user:8"}, {"previous": None},
    {"pots": (replace(METER, closing=111), RESERVE)}, {"pots": (replace(METER, seq=8), RESERVE)},
    {"pots": (replace(METER, by_kind={"contribution": 10}), RESERVE)}, {"accounts": ACCOUNTS[:2]},
    {"unpaid": (replace(UNPAID[0], amount=11), UNPAID[1])}, {"rounds": [ROUNDS[0].document()]},
], ids=lambda changed: str(next(iter(changed))))  # fmt: skip
def test_everything_is_in_the_record(changed: dict[str, object]) -> None:
    assert replace(CLOSING, **changed).record() != CLOSING.record()  # type: ignore[arg-type]


def test_a_sum_of_nothing_is_no_other_record_than_none() -> None:
    """A kind that did not happen is stored as 0, and reckoned as nothing."""
    zeros = {kind.value: METER.by_kind.get(kind.value, 0) for kind in Kind}
    assert replace(CLOSING, pots=(replace(METER, by_kind=zeros), RESERVE)).record() == CLOSING.record()


def test_what_agrees_has_no_differences() -> None:
    assert list(differences(CLOSING.pots, CLOSING.accounts, CLOSING.unpaid, EVIDENCE)) == []


@pytest.mark.parametrize(("pots", "accounts", "unpaid", "against", "named"), [
    ((replace(METER, closing=111),), ACCOUNTS, UNPAID, EVIDENCE, {"roll-forward", "statement", "ledger"}),
    ((METER,), ACCOUNTS, UNPAID, replace(EVIDENCE, statement_before={METER.account: 99}), {"opening"}),
    ((METER,), ACCOUNTS, UNPAID, replace(EVIDENCE, statement={METER.account: 109}), {"statement"}),
    ((METER,), (replace(ACCOUNTS[0], debits=21), ACCOUNTS[2]), UNPAID, EVIDENCE, {"ledger"}),
    ((METER,), ACCOUNTS, UNPAID, replace(EVIDENCE, level_off={METER.account: 1}), {"meter"}),
    ((METER,), ACCOUNTS, UNPAID[:1], EVIDENCE, {"unpaid awards"}),
    ((METER,), ACCOUNTS[:2], UNPAID, EVIDENCE, {"unpaid awards"}),
    ((METER,), ACCOUNTS, UNPAID, replace(EVIDENCE, unbalanced={4711: 1}), {"legs"}),
])  # fmt: skip
def test_what_differs_is_named(
    pots: tuple[PotLine, ...], accounts: tuple[AccountLine, ...], unpaid: tuple[UnpaidLine, ...], against: Evidence,
    named: set[str],
) -> None:  # fmt: skip
    assert {found.what for found in differences(pots, accounts, unpaid, against)} == named


def test_a_closing_has_a_column_for_every_kind() -> None:
    columns = {field.name for field in PotClosing._meta.get_fields()}
    assert {kind.value for kind in Kind} <= columns
