"""Whether anything was written: every table of the schema, by the number and the content of its rows."""

from django.db import connection
from psycopg import sql

SESSIONS = "django_session"
"""That somebody is there is written down with a session, whatever he looks at."""


def stored(*, but: frozenset[str] = frozenset({SESSIONS})) -> dict[str, tuple[int, str]]:
    """Each table with how many rows it has and a digest of them; two answers that are equal: nothing was written."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'"
            " AND has_table_privilege(oid, 'SELECT') ORDER BY relname"
        )
        tables = [table for (table,) in cursor.fetchall() if table not in but]
        cursor.execute(sql.SQL(" UNION ALL ").join(map(_digest, tables)))
        return {table: (rows, digest) for table, rows, digest in cursor.fetchall()}


def _digest(table: str) -> sql.Composed:
    query = sql.SQL("SELECT {}, count(*), coalesce(md5(string_agg(t::text, '|' ORDER BY t::text)), '') FROM {} AS t")
    return query.format(table, sql.Identifier(table))


def written(before: dict[str, tuple[int, str]], after: dict[str, tuple[int, str]]) -> list[str]:
    """The tables that are other than they were."""
    return sorted(table for table in before | after if before.get(table) != after.get(table))
