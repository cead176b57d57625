"""What PostgreSQL refuses of closed days and of signatures by itself; as `test_guards`, in a world of its own: what
stands under a closed day would be in the way of the others' cases.
"""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.db import transaction
from django.utils import timezone

from jackpot.models.awards import Award
from jackpot.models.jackpots import Level
from jackpot.models.ledger import Account
from jackpot.models.sites import GamingDay
from jackpot.services import open_site
from jackpot.services.readings import enter_reading, sign_reading
from tests.factories import caller, close_until, jackpot_with, low, play, reported, straight_flush
from tests.integration.guards.cases import Case
from tests.integration.guards.closings import CLOSINGS, COMPLETE_CLOSING, SIGNED
from tests.integration.test_guards import (
    _check_deferred,
    _execute,
    assert_refused,
    assert_refused_to_the_application,
)
from tests.owner import as_owner
from tests.unit.builders import usd


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[dict[str, Any]]:
    with django_db_blocker.unblock(), transaction.atomic():
        yield _build()
        transaction.set_rollback(True)


def _build() -> dict[str, Any]:
    site = open_site(code="CLOSED", name="Closed")
    link = jackpot_with(site=site)
    play(reported(straight_flush(1), low(2), table="T-01"), by=caller())
    other = open_site(code="OTHER", name="Other")
    jackpot_with(code="OTHER", site=other, tables=("T-02",))
    play(reported(straight_flush(1), table="T-02"), by=caller())
    award = Award.objects.get(jackpot__code="OTHER")
    level = Level.objects.select_related("jackpot").get(jackpot=link)
    ann, ben = (User.objects.create_user(name, is_staff=True) for name in ("ann", "ben"))
    ann.user_permissions.set(Permission.objects.filter(codename__in=("enter_reading", "sign_reading")))
    now = timezone.now()
    shown = usd("1.00")
    off, compared = enter_reading(level=level, shown=shown, read_at=now, by=ann, now=now)
    exact, _ = enter_reading(level=level, shown=compared.value, read_at=now, by=ann, now=now)
    sign_reading(reading_id=off.pk, by=ann, now=now)
    last = GamingDay.objects.filter(site=site).latest("day").day
    close_until(site, last)
    following = last + timedelta(days=1)
    GamingDay.objects.create(site=site, day=following, opened_at=now)
    _check_deferred()
    return {
        "site": site.pk, "day": last, "next": following, "award": award.pk, "reading": off.pk, "exact": exact.pk,
        "variance": compared.variance, "ann": ann.pk, "ben": ben.pk,
        "elsewhere": Account.objects.get(code=f"cage:{other.code}").pk,
    }  # fmt: skip


@pytest.mark.parametrize("case", CLOSINGS, ids=str)
def test_the_database_refuses(world: dict[str, Any], case: Case) -> None:
    assert_refused(world, case)


@pytest.mark.parametrize("case", CLOSINGS, ids=str)
def test_the_application_is_refused_before_or_by_the_same_guard(world: dict[str, Any], case: Case) -> None:
    assert_refused_to_the_application(world, case)


@pytest.mark.parametrize("statements", [COMPLETE_CLOSING, SIGNED], ids=("a closing", "a signature"))
def test_the_database_takes_what_is_complete(world: dict[str, Any], statements: tuple[str, ...]) -> None:
    """From these the cases differ by one thing each."""
    with transaction.atomic():
        with as_owner():
            _execute(statements, world)
        transaction.set_rollback(True)
