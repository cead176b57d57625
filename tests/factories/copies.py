"""Worlds that are made once, by the product's services, and copied into each test that starts from them."""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from django.db import connection
from django.db.backends.utils import CursorWrapper
from psycopg import sql

from tests import emptying
from tests.owner import as_owner

P = ParamSpec("P")
T = TypeVar("T")


def made_once(make: Callable[P, T]) -> Callable[P, T]:
    """As `make`, which runs once in this process for each of its arguments; after that its rows are copied, in a
    fraction of the time.

    It is made in a database that is as `migrate` leaves it, and copied within that one, whose sequences go on. Where
    one of its tables has rows there is no copy: `make` runs. What `make` leaves elsewhere than in the database (a
    message, a call after the commit) is not done again.
    """
    worlds: dict[str, _World] = {}

    @wraps(make)
    def copied(*args: P.args, **options: P.kwargs) -> Any:
        asked = repr((connection.settings_dict["NAME"], args, options))
        world = worlds.get(asked)
        with as_owner(past_guards=True) as cursor:
            free = not emptying.filled(cursor, world.rows if world else None)
            if free and world:
                return world.copy(cursor)
        answer = make(*args, **options)
        if free:
            with as_owner() as cursor:
                worlds[asked] = _World.read(cursor, answer)
        return answer

    return copied


@dataclass(frozen=True)
class _World:
    """The rows of each table, as COPY writes and reads them, and what was answered when they had been made."""

    rows: dict[str, bytes]
    answer: Any

    @classmethod
    def read(cls, cursor: CursorWrapper, answer: Any) -> "_World":
        rows = {}
        for table in emptying.filled(cursor):
            with cursor.copy(_copy(table, "TO STDOUT")) as copy:
                rows[table] = b"".join(map(bytes, copy))
        return cls(rows, deepcopy(answer))

    def copy(self, cursor: CursorWrapper) -> Any:
        for table, text in self.rows.items():
            with cursor.copy(_copy(table, "FROM STDIN")) as copy:
                copy.write(text)
        return deepcopy(self.answer)


def _copy(table: str, where: str) -> sql.Composed:
    return sql.SQL("COPY {} " + where).format(sql.Identifier(table))
