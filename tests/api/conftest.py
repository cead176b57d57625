"""A site, and callers with keys for it."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from jackpot.domain.callers import Scope
from jackpot.models.sites import Site
from jackpot.services import clients


@pytest.fixture
def site(db: None) -> Site:
    return Site.objects.create(code="SITE-1", name="Site 1", timezone="America/New_York")


@pytest.fixture
def caller(site: Site) -> Callable[..., Client]:
    """Makes a test client whose requests carry a new key: `caller("Acme", Scope.ROUNDS_READ)`."""

    def make(integrator: str = "Acme", *scopes: Scope, **defaults: Any) -> Client:
        key = clients.issue_key(
            integrator=integrator, sites=[site.code], scopes=scopes or list(Scope), now=timezone.now()
        )
        return Client(raise_request_exception=False, headers={"Authorization": f"Bearer {key}"}, **defaults)

    return make
