"""Writing many rows at once: binary COPY through Django's own connection and transaction."""

from collections.abc import Iterable, Sequence
from typing import Any

import orjson
from django.db import connection
from psycopg.types.json import set_json_dumps

set_json_dumps(orjson.dumps)  # what COPY is given for a column of jsonb; Django's queries bring their own


def copy_rows(table: str, columns: Sequence[tuple[str, str]], rows: Iterable[Sequence[Any]]) -> None:
    """COPY rows into a table; `columns` are (name, PostgreSQL type) in the order of the rows' values.

    All rows go in as one statement: statement-level triggers see them as one set. Raises Django's errors, as any query
    of Django's does: IntegrityError where a constraint is broken.
    """
    names = ", ".join(f'"{name}"' for name, _ in columns)
    statement = f'COPY "{table}" ({names}) FROM STDIN (FORMAT BINARY)'
    made = list(rows)  # before the COPY: making a row may ask a query, for which an open COPY would wait for ever
    # Django translates the errors of the calls it knows; COPY is not among them.
    with connection.cursor() as cursor, connection.wrap_database_errors, cursor.copy(statement) as copy:
        copy.set_types([kind for _, kind in columns])
        for row in made:
            copy.write_row(row)


def take_ids(sequence: str, count: int) -> list[int]:
    """The next `count` values of a sequence, ascending: ids for rows that other rows of the same batch point to."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT nextval(%s) FROM generate_series(1, %s)", [sequence, count])
        return [value for (value,) in cursor.fetchall()]
