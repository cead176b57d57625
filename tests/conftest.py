"""Fixtures every test may use: a database whose append-only tables can be emptied between tests, and a house."""

from collections.abc import Iterator
from urllib.parse import quote

import pytest
from django.db import connection, transaction
from django.db.backends.postgresql.operations import DatabaseOperations
from hypothesis import settings

from tests.factories import House, house

# A property is about what is right, not about how long one example takes beside other work on the machine.
settings.register_profile("suite", deadline=None)
settings.load_profile("suite")


@pytest.fixture(scope="session", autouse=True)
def _flush_past_the_guards() -> Iterator[None]:
    """Let the flush after a transactional test empty the append-only tables.

    Django empties them with TRUNCATE, which their triggers refuse to everybody. As a replica, a session fires no
    ordinary trigger; only a superuser may become one, and SET LOCAL ends it with the flush's own transaction.
    """

    def flush(operations: DatabaseOperations, sql_list: list[str]) -> None:
        with transaction.atomic(using=operations.connection.alias), operations.connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            for sql in sql_list:
                cursor.execute(sql)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(connection.ops), "execute_sql_flush", flush)
        yield


@pytest.fixture
def demo(db: None) -> House:
    """The demo data (site DEMO, jackpot MAIN, its tables) in a database that is rolled back after the test."""
    return house()


@pytest.fixture
def service_environment(transactional_db: None) -> dict[str, str]:
    """Variables with which a process of the service (`config.processes.Fleet`) works on this test's database."""
    entry = connection.settings_dict
    user, password, host = (quote(str(entry[key]), safe="") for key in ("USER", "PASSWORD", "HOST"))
    port = f"&port={entry['PORT']}" if entry["PORT"] else ""
    secret = f"&password={password}" if password else ""
    return {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": f"postgresql:///{entry['NAME']}?host={host}&user={user}{port}{secret}",
    }
