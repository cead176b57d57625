"""Databases to measure on: an embedded PostgreSQL of the benchmarks' own, or the one that DATABASE_OWNER_URL names.

empty = made("bench_empty", fill)             # once: migrated and filled
with copied(empty, "bench_run") as database:  # for each run: the same books
    with database.in_use():
        ...                                   # Django works on it, as the application
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import psycopg
from django.conf import settings
from django.db import connection, connections
from django.db.utils import ConnectionHandler
from psycopg import sql

from config import env
from config.embedded import leases

APPLICATION_NAME = "bench"
_RUN = "bench run"
_EMPTY = "bench_empty_"


@dataclass(frozen=True, slots=True)
class Database:
    """A database of the server, by its name."""

    name: str

    @property
    def variables(self) -> dict[str, str]:
        """The environment of processes of the service that work on it, and of the command that migrates it."""
        return {
            "DATABASE_URL": _url(env.database(), self.name),
            "DATABASE_OWNER_URL": _url(env.owner_database(), self.name),
        }

    @contextmanager
    def in_use(self) -> Iterator["Database"]:
        """Django in this process works on it, as the application."""
        before = connection.settings_dict["NAME"]
        connection.close()
        connection.settings_dict["NAME"] = self.name
        try:
            yield self
        finally:
            connection.close()
            connection.settings_dict["NAME"] = before

    def as_owner(self) -> psycopg.Connection[Any]:
        """A session of the owner of its schema, each statement for itself."""
        return _session(self.name)


@contextmanager
def alone() -> Iterator[None]:
    """No other run measures on this server while the block lasts: both would use databases of the same names.

    A session with a name of its own stands for this one. Raises SystemExit where there is another.
    """
    with _session(_maintenance()) as session:
        session.execute("SELECT set_config('application_name', %s, false)", [_RUN])
        if session.execute("SELECT FROM pg_stat_activity WHERE application_name = %s", [_RUN]).rowcount > 1:
            raise SystemExit("another run measures on this server")
        yield


def made(name: str, fill: Callable[[], None]) -> Database:
    """A database of this release's schema, filled by `fill` (as the application) and analysed."""
    database = _copy(_empty(), name)
    with database.in_use():
        fill()
    settle_down(database)
    return database


def _empty() -> Database:
    """A database with nothing in it but the schema. It is kept: to copy it takes a tenth of what migrating takes."""
    whole = f"{_EMPTY}{_digest(*_migrations(), settings.BASE_DIR / 'config' / 'grants.py')}"
    if not _names(f"^{whole}$"):
        forget_schemas()
        new = Database(f"{_EMPTY}new")
        _run(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(new.name)))
        migrate(new)
        renamed(new, whole)
    return Database(whole)


def forget_schemas() -> None:
    """Remove the empty databases that are kept on this server."""
    for name in _names(f"^{_EMPTY}"):
        _drop(name)


def kept(name: str, fill: Callable[[], None]) -> Database:
    """As `made`, but it stays, and one that was made before is taken as it is; made with another schema it is dropped.

    It gets its name when it is whole.
    """
    whole = f"{name}_{_digest(*_migrations())}"
    for old in _names(f"^{name}_[0-9a-f]{{8}}$"):
        if old != whole:
            _drop(old)
    if not _names(f"^{whole}$"):
        began = time.monotonic()
        database = renamed(made(f"{name}_filling", fill), whole)
        words = sql.SQL("COMMENT ON DATABASE {} IS {}")
        made_in = sql.Literal(f"made in {time.monotonic() - began:,.0f} s")
        _run(words.format(sql.Identifier(whole), made_in))
    database = Database(whole)
    migrate(database)  # its schema is the same; what the application is granted may not be
    return database


def comment_on(database: Database) -> str:
    """What was noted of it: of one that is kept, how long it took to make."""
    with database.as_owner() as session:
        asked = "SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = current_database()"
        return "".join(noted or "" for (noted,) in session.execute(asked))


def present() -> Database:
    """The database that Django works on."""
    return Database(str(connection.settings_dict["NAME"]))


def size_of(database: Database) -> int:
    """Its bytes on disk."""
    with database.as_owner() as session:
        return sum(size for (size,) in session.execute("SELECT pg_database_size(current_database())"))


@contextmanager
def elsewhere(variables: Mapping[str, str]) -> Iterator[None]:
    """Databases are made and used on another server, while the block lasts: on that of these URLs."""
    before, own = connections["default"], {name: getattr(env, name) for name in variables}
    for name, url in variables.items():
        setattr(env, name, url)
    try:
        connections["default"] = ConnectionHandler({"default": env.database()})["default"]
        yield
    finally:
        connections["default"].close()
        forget_schemas()
        connections["default"] = before
        for name, url in own.items():
            setattr(env, name, url)


@contextmanager
def copied(template: Database, name: str) -> Iterator[Database]:
    """A copy of a database in which nobody works, for as long as the block lasts; it begins after a checkpoint."""
    try:
        yield _copy(template, name)
    finally:
        _drop(name)


def _copy(template: Database, name: str) -> Database:
    _drop(name)
    words = sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy")
    _run(words.format(sql.Identifier(name), sql.Identifier(template.name)))
    return Database(name)


def renamed(database: Database, name: str) -> Database:
    """The same database by another name, under which it stays."""
    _drop(name)
    _run(sql.SQL("ALTER DATABASE {} RENAME TO {}").format(sql.Identifier(database.name), sql.Identifier(name)))
    return Database(name)


def migrate(database: Database) -> None:
    """Bring its schema up as its owner, and give the application its rights."""
    done = subprocess.run(
        [sys.executable, "manage.py", "migrate", "--verbosity", "0"],
        cwd=settings.BASE_DIR, env=os.environ | database.variables, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(f"{database.name} can't be migrated: {done.stderr}")


def settle_down(database: Database) -> None:
    """Leave nothing for autovacuum to do in the middle of a run, and plans that know what is there."""
    with database.as_owner() as session:
        session.execute("VACUUM (ANALYZE)")
        session.execute("CHECKPOINT")


def remove(database: Database) -> None:
    """Drop it, whoever works in it."""
    _drop(database.name)


def _migrations() -> list[Path]:
    """What the schema of this release is made from."""
    folders = [settings.BASE_DIR / app / "migrations" for app in ("jackpot", "tables")]
    return [path for folder in folders for path in sorted(folder.rglob("*.py")) + sorted(folder.rglob("*.sql"))]


def _digest(*files: Path) -> str:
    """Changes with what is in these files."""
    digest = sha256()
    for path in files:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:8]


def _names(pattern: str) -> list[str]:
    """The databases whose name matches."""
    with _session(_maintenance()) as session:
        found = session.execute("SELECT datname FROM pg_database WHERE datname ~ %s", [pattern])
        return [name for (name,) in found]


def _drop(name: str) -> None:
    _run(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


def _run(words: sql.Composed) -> None:
    with _session(_maintenance()) as session:
        session.execute(words)


def _maintenance() -> str:
    return str(env.owner_database()["NAME"])


def _session(name: str) -> psycopg.Connection[Any]:
    entry = env.owner_database()
    if "EMBEDDED_IN" in entry:
        leases.hold(env.DATA_DIR, "postgres")
    return psycopg.connect(_url(entry, name), autocommit=True, application_name=APPLICATION_NAME)


def _url(entry: dict[str, Any], name: str) -> str:
    where = {key: str(entry[key.upper()]) for key in ("host", "port", "password") if entry.get(key.upper())}
    return f"postgresql://{quote(str(entry['USER']))}@/{quote(name)}?{urlencode(where)}"
