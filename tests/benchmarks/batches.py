"""The rows of settled batches as PostgreSQL stored them, kept in binary, and written again as fast as it takes them.

This is the limit that settling is held against: the same rows, prepared beforehand, by binary COPY into the same tables
with every index, constraint and trigger on, plus what is updated, with one commit a batch.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import psycopg
from django.db import connection
from psycopg import sql
from psycopg.rows import dict_row

from tables.services import settlement
from tables.services.settlement import Drained

Row = dict[str, Any]

# In the order in which the service writes them: some triggers look at what came before.
_BEFORE_LEVELS = {
    "jackpot_entry": "SELECT * FROM jackpot_entry WHERE lane_id = {lane} AND link_seq = {link} ORDER BY id",
    "jackpot_leg": "SELECT leg.* FROM jackpot_entry AS entry JOIN jackpot_leg AS leg ON leg.entry_id = entry.id"
    " WHERE lane_id = {lane} AND link_seq = {link} ORDER BY leg.entry_id, leg.position",
}
_AFTER_LEVELS = {
    "jackpot_statementrow": "SELECT row.* FROM jackpot_entry AS entry JOIN jackpot_statementrow AS row"
    " ON row.entry_id = entry.id WHERE lane_id = {lane} AND link_seq = {link} ORDER BY row.entry_id, row.seq",
    "jackpot_award": "SELECT award.* FROM jackpot_entry AS entry JOIN jackpot_award AS award"
    " ON award.entry_id = entry.id WHERE lane_id = {lane} AND link_seq = {link}",
}
_RESULTS = {
    "tables_boxresult": "SELECT result.* FROM tables_round AS round JOIN tables_boxresult AS result"
    " ON result.round_id = round.id WHERE round.lane_id = {lane} AND round.settled_at = {at}",
}
_EVENTS = {"jackpot_event": "SELECT * FROM jackpot_event WHERE seq > {first} AND seq <= {last} ORDER BY seq"}
LEVEL = (
    "meter", "reserve", "overflow", "meter_seq", "reserve_seq", "overflow_seq", "reset_seq", "reset_at", "last_hit_at",
    "last_day", "posted_at", "wagered", "contributed", "awarded", "hits",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Copied:
    """Rows of a table as COPY gives and takes them."""

    table: str
    columns: tuple[str, ...]
    data: bytes


@dataclass(frozen=True, slots=True)
class Prepared:
    """All that one batch wrote: rows to copy by place in the order, and rows to update as they stood after it."""

    first: Sequence[Copied]
    levels: Sequence[Row]
    second: Sequence[Copied]
    link: Row
    rounds: Sequence[tuple[Any, ...]]
    results: Sequence[Copied]
    counter: Row
    events: Sequence[Copied]
    places: Sequence[int]


def prepare(lane_id: int) -> list[Prepared]:
    """Let the service settle all that waits in a lane, and keep what each batch wrote."""
    kept: list[Prepared] = []
    while True:
        waiting = _rows("SELECT id FROM jackpot_queued WHERE lane_id = %s", [lane_id])
        counted = _last_event()
        if settlement.drain(lane_id) is not Drained.SOME:
            return kept
        left = {row["id"] for row in _rows("SELECT id FROM jackpot_queued WHERE lane_id = %s", [lane_id])}
        kept.append(_kept(lane_id, [row["id"] for row in waiting if row["id"] not in left], counted))


def _kept(lane_id: int, places: list[int], counted: int) -> Prepared:
    [lane] = _rows("SELECT * FROM jackpot_lane WHERE id = %s", [lane_id])
    [link] = _rows("SELECT * FROM jackpot_link WHERE lane_id = %s AND seq = %s", [lane_id, lane["sealed"]])
    [counter] = _rows("SELECT * FROM jackpot_eventcounter", [])
    rounds = _rows("SELECT * FROM tables_round WHERE lane_id = %s AND settled_at = %s", [lane_id, link["posted_at"]])
    where = {"lane": lane_id, "link": link["seq"], "at": link["posted_at"], "first": counted, "last": counter["last"]}
    return Prepared(
        first=list(_copied(_BEFORE_LEVELS, where)),
        levels=_rows("SELECT * FROM jackpot_level WHERE jackpot_id = %s ORDER BY id", [lane["jackpot_id"]]),
        second=list(_copied(_AFTER_LEVELS, where)),
        link=link,
        rounds=[(row["id"], row["phase"], row["gaming_day"], row["late"]) for row in rounds],
        results=list(_copied(_RESULTS, where)),
        counter=counter,
        events=list(_copied(_EVENTS, where)),
        places=places,
    )


def _last_event() -> int:
    return sum(row["last"] for row in _rows("SELECT last FROM jackpot_eventcounter", []))


def _copied(queries: dict[str, str], where: dict[str, Any]) -> Iterator[Copied]:
    values = {name: sql.Literal(value) for name, value in where.items()}
    for table, query in queries.items():
        asked = sql.SQL(query).format(**{name: values[name] for name in values if f"{{{name}}}" in query})
        with _session().cursor() as cursor:
            cursor.execute(sql.SQL("SELECT * FROM ({}) AS none LIMIT 0").format(asked))
            columns = tuple(column.name for column in cursor.description or ())
            with cursor.copy(sql.SQL("COPY ({}) TO STDOUT (FORMAT BINARY)").format(asked)) as copy:
                yield Copied(table, columns, b"".join(bytes(block) for block in copy))


def write(lane_id: int, batch: Prepared) -> None:
    """Write what a batch wrote into books that stand as they stood before it; one transaction, all guards on."""
    session = _session()
    with session.transaction(), session.cursor() as cursor:
        cursor.execute("SELECT FROM jackpot_lane WHERE id = %s FOR NO KEY UPDATE", [lane_id])
        _copy(cursor, batch.first)
        for level in batch.levels:
            cursor.execute(_level_update(), level)
        _copy(cursor, batch.second)
        link = batch.link
        cursor.execute(
            "INSERT INTO jackpot_link (lane_id, seq, previous, posted_at)"
            " VALUES (%(lane_id)s, %(seq)s, %(previous)s, %(posted_at)s)",
            link,
        )
        cursor.execute(
            "UPDATE jackpot_lane SET sealed = %(seq)s, head = %(digest)s, posted_at = %(posted_at)s"
            " WHERE id = %(lane_id)s",
            link,
        )
        cursor.execute(
            """
            UPDATE tables_round AS round
               SET phase = done.phase, version = 1, settled_at = %s, gaming_day = done.day, late = done.late
              FROM unnest(%s::uuid[], %s::text[], %s::date[], %s::bool[]) AS done (id, phase, day, late)
             WHERE round.id = done.id
            """,
            [link["posted_at"], *(list(column) for column in zip(*batch.rounds, strict=True))],
        )
        _copy(cursor, batch.results)
        cursor.execute(
            "INSERT INTO jackpot_eventcounter VALUES (%(integrator_id)s, %(last)s)"
            " ON CONFLICT (integrator_id) DO UPDATE SET last = excluded.last",
            batch.counter,
        )
        _copy(cursor, batch.events)
        cursor.execute("DELETE FROM jackpot_queued WHERE id = ANY(%s)", [list(batch.places)])


def _level_update() -> sql.Composed:
    assigned = (sql.SQL("{} = {}").format(sql.Identifier(name), sql.Placeholder(name)) for name in LEVEL)
    return sql.SQL("UPDATE jackpot_level SET {} WHERE id = %(id)s").format(sql.SQL(", ").join(assigned))


def _copy(cursor: psycopg.Cursor[Any], blocks: Sequence[Copied]) -> None:
    for block in blocks:
        columns = sql.SQL(", ").join(map(sql.Identifier, block.columns))
        words = sql.SQL("COPY {} ({}) FROM STDIN (FORMAT BINARY)").format(sql.Identifier(block.table), columns)
        with cursor.copy(words) as copy:
            copy.write(block.data)


def _rows(query: str, values: Sequence[Any]) -> list[Row]:
    with _session().cursor(row_factory=dict_row) as cursor:
        return cursor.execute(query, values).fetchall()


def _session() -> psycopg.Connection[Any]:
    """Django's session, as psycopg has it."""
    connection.ensure_connection()
    session: psycopg.Connection[Any] = connection.connection
    return session
