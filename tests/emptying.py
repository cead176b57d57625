"""Emptying the database after a test that committed."""

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
    names = [name for name in connection.introspection.django_table_names(include_views=False) if name not in KEPT]
    cursor.execute(sql.SQL(" UNION ALL ").join(_if_filled(name) for name in names))
    sizes = dict(cursor.fetchall())
    if any(size > _LARGE for size in sizes.values()):
        cursor.execute(sql.SQL("TRUNCATE {}").format(sql.SQL(", ").join(map(sql.Identifier, names))))
    elif sizes:
        rows = sql.SQL("DELETE FROM {}")
        cursor.execute(sql.SQL("; ").join(rows.format(sql.Identifier(name)) for name in sizes))


def _if_filled(name: str) -> sql.Composed:
    """A table's name and bytes, where it has rows."""
    query = sql.SQL("SELECT {text}, pg_relation_size({text}) WHERE EXISTS (SELECT FROM {table})")
    return query.format(text=name, table=sql.Identifier(name))
