"""Emptying the database after a test that committed."""

from collections.abc import Iterable

from django.db import connection
from django.db.backends.utils import CursorWrapper
from psycopg import sql

KEPT = frozenset(
    {"django_migrations", "django_content_type", "auth_permission", "auth_group", "auth_group_permissions"}
)
"""What `migrate` fills, and no test changes."""

_LARGE = 1024 * 1024
"""From so many bytes on all tables get new files, which takes a fifth of a second; the rows of smaller ones go."""


def empty(cursor: CursorWrapper) -> None:
    """Remove every row but those of `migrate`, as the owner and past the guards: tables refer to each other."""
    sizes = filled(cursor)
    if any(size > _LARGE for size in sizes.values()):
        renew(cursor)
    elif sizes:
        rows = sql.SQL("DELETE FROM {}")
        cursor.execute(sql.SQL("; ").join(rows.format(sql.Identifier(name)) for name in sizes))


def renew(cursor: CursorWrapper) -> None:
    """Give every table new files: without its rows, and without those that tests rolled back."""
    cursor.execute(sql.SQL("TRUNCATE {}").format(sql.SQL(", ").join(map(sql.Identifier, _names()))))


def leave_alone(cursor: CursorWrapper) -> None:
    """Keep autovacuum from the tables, as their owner.

    It finds them empty, because tests roll back, and says so to the planner, whose plans for the rows of a test then
    take a hundred times as long.
    """
    keep = sql.SQL("ALTER TABLE {} SET (autovacuum_enabled = false)")
    cursor.execute(sql.SQL("; ").join(keep.format(sql.Identifier(name)) for name in _names()))


def filled(cursor: CursorWrapper, names: Iterable[str] | None = None) -> dict[str, int]:
    """The tables that hold more than `migrate` leaves, of all or of these, and their bytes."""
    cursor.execute(sql.SQL(" UNION ALL ").join(map(_if_filled, names or _names())))
    return dict(cursor.fetchall())


def _names() -> list[str]:
    return [name for name in connection.introspection.django_table_names(include_views=False) if name not in KEPT]


def _if_filled(name: str) -> sql.Composed:
    """A table's name and bytes, where it has rows."""
    query = sql.SQL("SELECT {text}, pg_relation_size({text}) WHERE EXISTS (SELECT FROM {table})")
    return query.format(text=name, table=sql.Identifier(name))
