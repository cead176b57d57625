"""A web process for the tests of a module, and a house on its database."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from django.utils import timezone

from config.processes import Fleet
from jackpot.services import clients
from tests.factories import House, house
from tests.live.followers import STREAM, Follower
from tests.owner import application_url


@dataclass
class Service:
    """A web process, and a house that its streams follow."""

    address: str
    fleet: Fleet
    key: str
    house: House

    def follow(self, *, key: str = "", after: str | None = None, path: str = STREAM) -> Follower:
        return Follower(self.address, key or self.key, after=after, path=path)


@pytest.fixture(scope="module")
def web(django_db_setup: None, django_db_blocker: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    with Fleet(log_dir=tmp_path_factory.mktemp("web"), environment={"DATABASE_URL": application_url()}) as fleet:
        fleet.web()
        yield fleet


@pytest.fixture
def service(web: Fleet, transactional_db: None) -> Service:
    made = house()
    return Service(web.address, web, new_key(), made)


def new_key(integrator: str = "Acme", sites: tuple[str, ...] = ("DEMO",)) -> str:
    return clients.issue_key(integrator=integrator, sites=sites, scopes=["jackpots:read"], now=timezone.now())
