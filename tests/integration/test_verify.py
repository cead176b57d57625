"""`verify` finds nothing where nothing was changed, and names whatever the database's owner changed by hand."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction

from jackpot.domain.awards import Move
from jackpot.domain.change_requests import ChangeKind
from jackpot.domain.postings import EntryKind
from jackpot.models.awards import Award
from jackpot.models.lanes import Lane
from jackpot.models.sites import GamingDay
from jackpot.selectors import sealed
from jackpot.services import award_moves
from jackpot.services.changes import change_requests
from jackpot.services.proof import sealed_facts
from tables.domain.facts import VoidReason
from tables.services import verify
from tables.services.sealed_rounds import SealedRounds
from tests.factories import (
    NOW,
    House,
    SiteFactory,
    change_policy,
    close_until,
    flush_hand,
    jackpot_with,
    low,
    person,
    play,
    reported,
    royal,
    straight_flush,
    table_with,
)
from tests.factories.moves import adjust, transfer
from tests.integration.falsified import CHAIN, ENTRIES, LEGS, STATEMENT, Case, spelt
from tests.integration.falsified_days import DAYS, TERMS
from tests.integration.falsified_rounds import AWARDS, BESIDE, ROUNDS
from tests.integration.test_audit import guards_off
from tests.unit.builders import box

pytestmark = pytest.mark.django_db
CASES = LEGS | ENTRIES | STATEMENT | CHAIN | ROUNDS | AWARDS | BESIDE | DAYS | TERMS


def an_evening() -> None:
    """Hits, Envy, voids and plain rounds in two lanes and several links; awards approved, paid, disputed, rejected."""
    site = SiteFactory.create(code="HOME")
    link = jackpot_with(code="HOUSE", site=site, tables=("T-01", "T-02"))
    table_with("T-03", site=site)
    play(
        reported(royal(1), low(2), table="T-01", external_id="royal"),
        reported(low(1, trips="5.00"), flush_hand(2), table="T-01", external_id="low"),
        reported(royal(1), straight_flush(2), low(3), table="T-02", external_id="both"),
        reported(low(1), table="T-01", external_id="void", void=VoidReason.OTHER, note="spilled"),
        reported(low(1), low(2, "5h 9d", void=VoidReason.WRONG_BET), table="T-02", external_id="box void"),
        reported(box("2c 7d"), table="T-03", external_id="plain"),
        limit=2,
    )
    staff = [person("ann"), person("ben")]
    paid, disputed, rejected = Award.objects.filter(kind="hit").order_by("id")[:3]
    for award, moves in (
        (paid, [(Move.APPROVE, 2), (Move.PAY, 1)]),
        (disputed, [(Move.DISPUTE, 1)]),
        (rejected, [(Move.DISPUTE, 1), (Move.REJECT, 2)]),
    ):
        for move, people in moves:
            for one in staff[:people]:
                award_moves.move(caller=one, award_id=award.pk, move=move, note="because", now=NOW)
    asked = change_requests.ask(
        caller=staff[0], kind=ChangeKind.ADJUSTMENT, site=site, jackpot=link, subject="HOUSE:main", reason="promotion",
        note="", document={"amount": "5.00"}, before={}, now=NOW,
    )  # fmt: skip
    change_requests.refuse_change(caller=staff[1], request_id=asked.pk, note="too late", now=NOW)
    adjust(link, "5.00")
    transfer("meter:HOUSE:main", "reserve:HOUSE:main", "1.00")
    change_policy(link, base="9000.00")
    play(reported(royal(1), table="T-02", external_id="after"))
    close_until(site, GamingDay.objects.filter(site=site).latest("day").day)


@pytest.fixture(scope="module")
def evening(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """One evening for all cases; each is rolled back to it."""
    with django_db_blocker.unblock(), transaction.atomic():
        an_evening()
        yield
        transaction.set_rollback(True)


def differences() -> list[str]:
    return [str(difference) for difference in verify.verify().findings.differences]


def falsify(*sql: str) -> None:
    """As the owner of the database with every guard off."""
    with guards_off() as cursor:
        for statement in sql:
            cursor.execute(spelt(statement))
            assert cursor.rowcount != 0, statement


def assert_named(case: Case) -> None:
    """Falsify, verify, and put everything back."""
    with transaction.atomic():
        falsify(*case.sql)
        found = differences()
        transaction.set_rollback(True)
    assert [line for line in found if re.search(case.named, line)], found


@pytest.mark.usefixtures("evening")
class TestFalsifications:
    def test_what_nobody_changed_differs_in_nothing(self) -> None:
        """The control: everything there is was verified, and nothing is named."""
        done = verify.verify()
        assert [str(difference) for difference in done.findings.differences] == []
        assert done.holds
        counts = done.counts
        assert (counts.lanes, counts.awards) == (2, Award.objects.count())
        assert min(counts.links, counts.entries, counts.legs, counts.statement_rows, counts.moves) > 5

    @pytest.mark.parametrize("window", [1, 2, 7])
    def test_where_a_window_ends_makes_no_difference(self, window: int, monkeypatch: pytest.MonkeyPatch) -> None:
        """Entries are read a bounded number at a time; all of a link together."""
        whole = verify.verify().counts
        monkeypatch.setattr(sealed, "WINDOW", window)
        done = verify.verify()
        assert (done.findings.differences, done.counts) == ([], whole)

    def test_there_are_more_than_twice_twenty_five(self) -> None:
        assert len(CASES) > 50
        assert len({case.sql for case in CASES.values()}) == len(CASES)

    @pytest.mark.parametrize("label", CASES)
    def test_what_was_changed_by_hand_is_named(self, label: str) -> None:
        assert_named(CASES[label])


def test_every_kind_of_entry_has_somebody_who_says_what_it_stands_for(demo: House) -> None:
    """One without is named as invented wherever it stands: `sealed_facts` says how to add one."""
    rounds = SealedRounds(Lane.objects.get(jackpot=demo.jackpot))
    assert {kind.value for kind in EntryKind} == {*rounds.facts, *map(str, sealed_facts.OWN)}
