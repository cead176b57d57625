"""A clock of the simulation's own, for the service and for PostgreSQL: a month passes in minutes.

PostgreSQL finds functions along its search path. In a schema that stands before its own, `clock_timestamp()` and
`now()` read a table, so posting times are those of the month.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime, timedelta
from typing import Any

from django.db import connection

from tests.owner import as_owner

_SCHEMA = """
CREATE SCHEMA simulated;
CREATE TABLE simulated.clock (at timestamptz NOT NULL);
CREATE FUNCTION simulated.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
    AS 'SELECT at FROM simulated.clock';
CREATE FUNCTION simulated.now() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT at FROM simulated.clock';
INSERT INTO simulated.clock VALUES ('2026-01-01');
GRANT USAGE ON SCHEMA simulated TO PUBLIC;
GRANT SELECT, UPDATE ON simulated.clock TO PUBLIC;
"""


class Clock:
    """The simulation's time; it only goes forward."""

    def __init__(self, now: datetime) -> None:
        self.now = now
        self.set(now)

    def set(self, now: datetime) -> datetime:
        """Let it be this time, for PostgreSQL too."""
        self.now = max(now, self.now)
        with connection.cursor() as cursor:
            cursor.execute("UPDATE simulated.clock SET at = %s", [self.now])
        return self.now

    def tick(self) -> datetime:
        """A second later: no two things a person does happen at once."""
        return self.set(self.now + timedelta(seconds=1))


@contextmanager
def simulated(at: datetime, *, owner: Callable[[], AbstractContextManager[Any]] = as_owner) -> Iterator[Clock]:
    """The clock of this session's database, from `at` on; gone afterwards. `owner` executes as that of its schema."""
    with owner() as cursor:
        cursor.execute(_SCHEMA)
    with connection.cursor() as cursor:
        cursor.execute("SET search_path = simulated, public, pg_catalog")
    try:
        yield Clock(at)
    finally:
        with connection.cursor() as cursor:
            cursor.execute("RESET search_path")
        with owner() as cursor:
            cursor.execute("DROP SCHEMA simulated CASCADE")
