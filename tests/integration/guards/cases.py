# ruff: noqa: S608 — the SQL is a test's own words
"""How a guard is tried: SQL that must be refused, under which constraint's name, by which guard of the catalogue."""

from collections.abc import Iterator
from dataclasses import dataclass

OPERATIONS = {
    "UPDATE": "UPDATE {table} SET {change}",
    "DELETE": "DELETE FROM {table}",
    "TRUNCATE": "TRUNCATE {table} CASCADE",
}


@dataclass(frozen=True, slots=True)
class Case:
    """`statements`, in one transaction, are refused as `name` by `guard`, a trigger or constraint of `table`.

    They may name what the world holds as psycopg parameters: %(entry)s, %(settled)s … .
    """

    table: str
    guard: str
    label: str
    statements: tuple[str, ...]
    name: str = ""

    @property
    def raises(self) -> str:
        return self.name or self.guard

    def __str__(self) -> str:
        return f"{self.table}-{self.guard}-{self.label}"


def case(table: str, guard: str, label: str, *statements: str, name: str = "") -> Case:
    return Case(table, guard, label, statements, name)


def append_only(table: str, change: str = "", *, guard: str = "append_only", name: str = "") -> Iterator[Case]:
    """A table whose rows are never changed (where a change is given), removed or emptied."""
    for operation, sql in OPERATIONS.items():
        if change or operation != "UPDATE":
            statement = sql.format(table=table, change=change)
            yield case(table, guard, operation.lower(), statement, name=name or f"{table}_append_only")


def copy(table: str, where: str, **changes: str | int | None) -> str:
    """SQL that adds a copy of a row with some columns changed; values are SQL expressions."""
    changed = ", ".join(f"'{column}', {'NULL' if value is None else value}" for column, value in changes.items())
    return (
        f"INSERT INTO {table} SELECT made.* FROM {table} AS found,"
        f" jsonb_populate_record(found, jsonb_build_object({changed})) AS made WHERE {where}"
    )


def add(table: str, **values: str | int) -> str:
    """SQL that adds a row; values are SQL expressions."""
    columns = ", ".join(f'"{column}"' for column in values)
    return f"INSERT INTO {table} ({columns}) VALUES ({', '.join(map(str, values.values()))})"
