"""`verify` names what the owner changed of corrected rounds, retired jackpots and hits that were paid at once."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction

from tables.models.rounds import Superseded
from tests.factories import SiteFactory, jackpot_with, low, play, reported, royal, straight_flush
from tests.factories.corrections import correct
from tests.factories.moves import retire
from tests.integration.falsified_changes import CHANGES
from tests.integration.test_verify import assert_named, differences

pytestmark = pytest.mark.django_db


def a_night() -> None:
    """A jackpot that pays small hits at once: a round of it is corrected; another is retired into it."""
    site = SiteFactory.create(code="HOME")
    house = jackpot_with(code="HOUSE", site=site, tables=("T-01",), verify_from="5000.00")
    old = jackpot_with(code="OLD", site=site, tables=("T-02",))
    corrected, _ = play(reported(low(1), table="T-01"), reported(straight_flush(1), table="T-01"))
    play(reported(low(1), table="T-02"))
    correct(corrected, reported(royal(1), table="T-01"))
    retire(old, house)


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
        assert Superseded.objects.count() == 1
        assert differences() == []

    @pytest.mark.parametrize("label", CHANGES)
    def test_what_was_changed_by_hand_is_named(self, label: str) -> None:
        assert_named(CHANGES[label])
