"""Endpoints: what may be added, and their secrets."""

from typing import Any

import pytest
from django.db import connection

from jackpot.domain.errors import Refused
from jackpot.models.clients import Integrator
from jackpot.models.webhooks import Endpoint
from jackpot.webhooks import endpoints
from tests.api.floor import rows
from tests.factories import NOW

URL = "https://hooks.example.com/a"
pytestmark = pytest.mark.django_db


@pytest.fixture
def acme(db: None) -> Integrator:
    return Integrator.objects.create(name="Acme")


def added(url: str = URL, *, private: bool = False) -> endpoints.Added:
    return endpoints.add(integrator="Acme", url=url, types=(), private=private, now=NOW)


class TestSecrets:
    def test_rotation_overlaps_and_there_are_never_three(self, acme: Integrator) -> None:
        made = added()
        endpoint = Endpoint.objects.get()
        one = made.secret
        two = endpoints.rotate(endpoint_id=made.endpoint_id, now=NOW)
        assert endpoints.live_secrets(endpoint, now=NOW) == (two, one)
        assert endpoints.live_secrets(endpoint, now=NOW + endpoints.OVERLAP) == (two,)
        three = endpoints.rotate(endpoint_id=made.endpoint_id, now=NOW)
        assert endpoints.live_secrets(endpoint, now=NOW) == (three, two)
        assert len({one, two, three}) == 3

    def test_the_database_does_not_hold_it(self, acme: Integrator, settings: Any) -> None:
        """Of what is stored nobody makes it without the service's own key."""
        secret = added().secret
        with connection.cursor() as cursor:
            cursor.execute("SELECT row_to_json(s)::text FROM jackpot_secret AS s")
            assert secret.removeprefix("whsec_") not in cursor.fetchone()[0]
        settings.SECRET_KEY = secret
        assert endpoints.live_secrets(Endpoint.objects.get(), now=NOW) != (secret,)


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"integrator": "Nobody"}, "no integrator 'Nobody'"),
        ({"types": ["round.lost"]}, "'round.lost' is no event"),
        ({"url": "https://127.0.0.1/"}, "private addresses"),
        ({"url": "http://hooks.example.com/"}, "https://"),
        ({"url": URL}, "has an endpoint of this address"),
    ],
)
def test_what_can_not_be_added_leaves_nothing(acme: Integrator, changes: dict[str, Any], wrong: str) -> None:
    added()
    before = rows()
    made: dict[str, Any] = {"integrator": "Acme", "url": f"{URL}b", "types": [], "private": False} | changes
    with pytest.raises(Refused, match=wrong):
        endpoints.add(**made, now=NOW)
    assert rows() == before


def test_a_deployment_may_allow_private_addresses(acme: Integrator) -> None:
    assert added("http://127.0.0.1:9000/", private=True).endpoint_id
