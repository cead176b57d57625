"""A site, and callers with keys for it."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from jackpot.domain.callers import Scope
from jackpot.models.sites import Site
from jackpot.services import clients
from tests.api.described import check_described
from tests.api.floor import key_client
from tests.factories import NOW, House


@pytest.fixture(autouse=True)
def _answers_are_as_described(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    """Every answer that a test here gets from an address of the service is held against the description."""
    request = Client.request

    def checked(client: Client, **asked: Any) -> Any:
        response = request(client, **asked)
        if settings.ROOT_URLCONF == "config.urls":
            check_described(response)
        return response

    monkeypatch.setattr(Client, "request", checked)


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


class Clock:
    """The service's clock, which a test sets."""

    def __init__(self) -> None:
        self.now = NOW + timedelta(seconds=20)

    def __call__(self) -> datetime:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """It stands still at 20 seconds after the contract's round was complete, until it is advanced."""
    made = Clock()
    monkeypatch.setattr(timezone, "now", made)
    return made


@pytest.fixture
def acme(demo: House, clock: Clock) -> Client:
    """The client of an integrator with a key of all scopes for the demo's site."""
    return key_client("Acme")


@pytest.fixture
def rival(acme: Client) -> Client:
    """Another integrator's client at the same site."""
    return key_client("Rival")
