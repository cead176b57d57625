"""A demo house and an integrator's client in front of it, for tests that send rounds over HTTP."""

from collections.abc import Iterable
from copy import deepcopy
from typing import Any

from django.apps import apps
from django.db.models import Model
from django.test import Client
from django.utils import timezone

from jackpot.domain.callers import Scope
from jackpot.services import clients
from tables.api.described import examples
from tests.factories import settle_all

ROUNDS = "/api/v1/rounds/"
BATCH = "/api/v1/rounds/batch/"
Json = dict[str, Any]

EXAMPLE: Json = examples.ROUND
"""The whole round of the contract, as it is sent."""


def example(**changes: Any) -> Json:
    """The contract's round with some fields changed; a field set to `...` is left out."""
    made = deepcopy(EXAMPLE) | changes
    return {name: value for name, value in made.items() if value is not ...}


def box(number: int = 1, **changes: Any) -> Json:
    """The second box of the contract's round, which wins nothing by itself, with some fields changed."""
    made = deepcopy(EXAMPLE["boxes"][1]) | {"box": number, "player": f"P-{number}"} | changes
    return {name: value for name, value in made.items() if value is not ...}


def key_client(
    integrator: str = "Acme", sites: Iterable[str] = ("DEMO",), scopes: Iterable[Scope] = tuple(Scope)
) -> Client:
    """A client whose requests carry a new key."""
    key = clients.issue_key(integrator=integrator, sites=sites, scopes=scopes, now=timezone.now())
    return Client(raise_request_exception=False, headers={"Authorization": f"Bearer {key}"})


def send(client: Client, address: str, body: object, method: str = "post", **headers: str) -> Any:
    """A request with a JSON body."""
    return getattr(client, method)(
        address,
        body,
        content_type="application/json",
        headers={name.replace("_", "-"): v for name, v in headers.items()},
    )


def settled(client: Client, body: Json) -> Json:
    """Send a whole round, settle all that waits, and read the round."""
    answer = send(client, ROUNDS, body)
    assert answer.status_code == 202, answer.content
    settle_all()
    found: Json = client.get(answer["Location"]).json()
    return found


def rows() -> dict[str, int]:
    """How many rows every table of both apps holds: what must not change where a request is refused."""
    models: list[type[Model]] = [
        *apps.get_app_config("jackpot").get_models(),
        *apps.get_app_config("tables").get_models(),
    ]
    return {model._meta.label: model._default_manager.count() for model in models}
