"""A broken constraint is told to the caller by what it means; the transaction around it lives on."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, connection
from django.utils import timezone

from jackpot.domain.errors import Refused, Violation
from jackpot.models.clients import ApiKey, Integrator
from jackpot.models.sites import Site
from jackpot.services import clients
from jackpot.services.constraints import refined

pytestmark = pytest.mark.django_db
MEANINGS = {"api_key_scopes_known": Violation("invalid_value", "no such scope", "/scopes")}


def make_key(scopes: list[str]) -> ApiKey:
    now = timezone.now()
    owner, _ = Integrator.objects.get_or_create(name="Acme")
    return ApiKey.objects.create(
        integrator=owner, prefix="p", scopes=scopes, created_at=now, expires_at=now + timedelta(days=1)
    )


def test_a_constraint_with_a_meaning_is_a_refusal() -> None:
    with pytest.raises(Refused) as caught, refined(MEANINGS):
        make_key(["steal"])
    assert caught.value.violations == (MEANINGS["api_key_scopes_known"],)
    assert not ApiKey.objects.exists()


def test_another_constraint_stays_what_it_is() -> None:
    make_key(["rounds:read"])
    with pytest.raises(IntegrityError), refined(MEANINGS):
        make_key(["rounds:read"])
    assert ApiKey.objects.count() == 1


def test_a_last_use_that_cannot_be_noted_stops_nobody() -> None:
    site = Site.objects.create(code="SITE-1", name="Site 1", timezone="America/New_York")
    now = timezone.now()
    key = clients.issue_key(integrator="Acme", sites=[site.code], scopes=["rounds:read"], now=now)
    connection.check_constraints()
    with connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION READ ONLY")
    assert clients.recognise(key, now=now)
    assert ApiKey.objects.get().last_used_at is None
