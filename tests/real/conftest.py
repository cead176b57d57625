"""A database, a broker and a service of the test's own on the real servers."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import ConnectionHandler

from config import env
from tests.real import servers


@pytest.fixture(scope="session")
def migrated(django_db_blocker: Any) -> Iterator[str]:
    """The name of a migrated database on the real PostgreSQL, to copy: migrating takes longer than most tests."""
    servers.needs("PostgreSQL")
    with servers.new_database() as variables:
        with pytest.MonkeyPatch.context() as patch, django_db_blocker.unblock(), _working_on(variables, patch) as real:
            name = str(real.settings_dict["NAME"])
        yield name


@pytest.fixture
def database(request: pytest.FixtureRequest) -> Iterator[dict[str, str]]:
    """The variables of a new database on the real PostgreSQL, with the application's role and the owner; it is empty
    where no `books` are wanted.
    """
    servers.needs("PostgreSQL")
    template = request.getfixturevalue("migrated") if "books" in request.fixturenames else servers.EMPTY
    with servers.new_database(template) as variables:
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
    with django_db_blocker.unblock(), _working_on(database, monkeypatch) as real:
        real.settings_dict["OPTIONS"]["assume_role"] = env.application_role()
        yield


@contextmanager
def _working_on(database: dict[str, str], patch: pytest.MonkeyPatch) -> Iterator[BaseDatabaseWrapper]:
    """Django's connection is the owner's of this database meanwhile, which is migrated; closed at first and in the end.

    A copy is migrated too: what the role may do with the database itself is no part of a copy.
    """
    for name, url in database.items():
        patch.setattr(env, name, url)
    of_the_tests = connections["default"]
    connections["default"] = real = ConnectionHandler({"default": env.owner_database()})["default"]
    try:
        call_command("migrate", verbosity=0)
        real.close()
        yield real
    finally:
        real.close()
        connections["default"] = of_the_tests
