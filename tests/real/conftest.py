"""A database, a broker and a service of the test's own on the real servers."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connections
from django.db.utils import ConnectionHandler

from config import env
from tests.real import servers


@pytest.fixture
def database() -> Iterator[dict[str, str]]:
    """The variables of a new, empty database on the real PostgreSQL, with the application's role and the owner."""
    servers.needs("PostgreSQL")
    with servers.new_database() as variables:
        yield variables


@pytest.fixture(params=["Redis", "RabbitMQ"])
def broker(request: pytest.FixtureRequest) -> Iterator[dict[str, str]]:
    """A queue on a real broker: each in turn, or the one a test names."""
    servers.needs(request.param)
    with servers.new_queue(request.param) as variables:
        yield variables


@pytest.fixture
def service(database: dict[str, str], broker: dict[str, str], tmp_path: Path) -> Iterator[dict[str, str]]:
    """The variables of a service on this database and broker. Fails where it starts an embedded server."""
    data = tmp_path / "data"
    yield {**broker, **database, "JACKPOT_DATA": str(data)}
    assert not (data / "keeper.lock").exists()


@pytest.fixture
def books(database: dict[str, str], django_db_blocker: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Django in this process works on the new database too, migrated, as the application; all is committed."""
    for name, url in database.items():
        monkeypatch.setattr(env, name, url)
    of_the_tests = connections["default"]
    with django_db_blocker.unblock():
        connections["default"] = real = ConnectionHandler({"default": env.owner_database()})["default"]
        try:
            call_command("migrate", verbosity=0)
            real.close()
            real.settings_dict["OPTIONS"]["assume_role"] = env.application_role()
            yield
        finally:
            real.close()
            connections["default"] = of_the_tests
