"""`verify` names what the owner changed of what two people set up."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction

from tables.models.tables import TableSetup
from tables.services import table_setups
from tests.factories import NOW, SiteFactory, jackpot_with, low, person, play, reported
from tests.factories.set_up import ask_table, change_rules, open_jackpot, set_up
from tests.integration.falsified_set_up import SET_UP
from tests.integration.test_verify import assert_named, differences

pytestmark = pytest.mark.django_db


def a_night() -> None:
    """A jackpot and a table are opened, the table is linked to another jackpot, its rules change; it is played at."""
    site = SiteFactory.create(code="HOME")
    new = open_jackpot("NEW", site=site)
    house = jackpot_with(code="HOUSE", site=site, tables=())
    request_id = ask_table("T-10", site=site, link=new)
    table = table_setups.approve_table(caller=person("ben"), request_id=request_id, now=NOW)
    play(reported(low(1), table="T-10"))
    set_up(table, link=house, at=NOW + timedelta(hours=1))
    change_rules(table.rule_set, at=NOW + timedelta(hours=2), betting_seconds=60)
    play(reported(low(1), table="T-10", at=NOW + timedelta(hours=3)))


@pytest.fixture(scope="module")
def night(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """One night for all cases; each is rolled back to it."""
    with django_db_blocker.unblock(), transaction.atomic():
        a_night()
        yield
        transaction.set_rollback(True)


@pytest.mark.usefixtures("night")
class TestFalsifications:
    def test_what_nobody_changed_differs_in_nothing(self) -> None:
        assert TableSetup.objects.count() == 2
        assert differences() == []

    @pytest.mark.parametrize("label", SET_UP)
    def test_what_was_changed_by_hand_is_named(self, label: str) -> None:
        assert_named(SET_UP[label])
