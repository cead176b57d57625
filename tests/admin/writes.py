"""Whether anything was written: every table of the schema, by the number and the content of its rows."""

from django.db import connection

SESSIONS = "django_session"
"""That somebody is there is written down with a session, whatever he looks at."""


def stored(*, but: frozenset[str] = frozenset({SESSIONS})) -> dict[str, tuple[int, str]]:
    """Each table with how many rows it has and a digest of them; two answers that are equal: nothing was written."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'"
            " AND has_table_privilege(oid, 'SELECT') ORDER BY relname"
        )
        return {table: _digest(cursor, table) for (table,) in cursor.fetchall() if table not in but}


def _digest(cursor: object, table: str) -> tuple[int, str]:
    cursor.execute(  # type: ignore[attr-defined]
        f"SELECT count(*), coalesce(md5(string_agg(t::text, '|' ORDER BY t::text)), '') FROM \"{table}\" AS t"  # noqa: S608
    )
    found: tuple[int, str] = cursor.fetchone()  # type: ignore[attr-defined]
    return found


def written(before: dict[str, tuple[int, str]], after: dict[str, tuple[int, str]]) -> list[str]:
    """The tables that are other than they were."""
    return sorted(table for table in before | after if before.get(table) != after.get(table))
