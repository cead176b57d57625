"""Who tests work as: the application, as the service does, and where they say so the owner of the schema.

    with as_owner() as cursor:                  # may do what no grant gives the application; triggers still refuse
    with as_owner(past_guards=True) as cursor:  # triggers are silent too: a falsification

The test's own connection changes its role, so the owner sees what the test has not committed, and queries through
Django's models are the owner's too.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import quote, urlencode

from django.conf import settings
from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper
from psycopg import sql


@contextmanager
def as_owner(*, past_guards: bool = False) -> Iterator[CursorWrapper]:
    """In a transaction of its own, or a savepoint of the one that is open; the application again afterwards.

    With `past_guards` the session is a replica's, for which ordinary triggers and foreign keys don't fire; only a
    superuser may become one. They are armed again at the end, before anything deferred is checked.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL ROLE NONE")
        if past_guards:
            cursor.execute("SET LOCAL session_replication_role = replica")
        yield cursor
        if past_guards:
            cursor.execute("SET LOCAL session_replication_role = origin")
        cursor.execute(sql.SQL("SET LOCAL ROLE {}").format(sql.Identifier(settings.DATABASE_ROLE)))


def make_role() -> None:
    """The application's role on the tests' server, where it is missing; it logs in as the owner does.

    Other tests may make it at the same time: roles belong to the whole server.
    """
    words = sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(settings.DATABASE_ROLE))
    if password := connection.settings_dict["PASSWORD"]:
        words += sql.SQL(" PASSWORD {}").format(sql.Literal(password))
    guarded = sql.SQL("DO {}").format(
        sql.Literal(f"BEGIN {words.as_string()}; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END")
    )
    with connection._nodb_cursor() as cursor:
        cursor.execute(guarded)


def application_url() -> str:
    """The URL of the database this test runs on, for processes of the service."""
    return _url(settings.DATABASE_ROLE)


def owner_url() -> str:
    """The same as the owner of its schema, for a process that migrates."""
    return _url(str(connection.settings_dict["USER"]))


def _url(user: str) -> str:
    entry = connection.settings_dict
    where = {key: str(entry[key.upper()]) for key in ("host", "port", "password") if entry[key.upper()]}
    return f"postgresql://{quote(user)}@/{quote(str(entry['NAME']))}?{urlencode(where)}"
