"""Everything that differs between deployments, read from the environment here and nowhere else.

Unset, everything has a default that works on one machine: the embedded database and broker, data in `var/`.
`docs/operations.md` lists the variables for operators; the names are those read below.
"""

import contextlib
import os
import secrets
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured
from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict

from config.embedded import places, postgres

_env = environ.Env()
BASE_DIR = Path(__file__).resolve().parent.parent

# Where generated keys, logs and the embedded servers' data lie.
DATA_DIR = Path(_env.str("JACKPOT_DATA", str(BASE_DIR / "var"))).resolve()

DEBUG: bool = _env.bool("DEBUG", False)
ALLOWED_HOSTS: list[str] = _env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS: list[str] = _env.list("CSRF_TRUSTED_ORIGINS", default=[])

# Where `serve` listens, and with how many processes.
HOST: str = _env.str("HOST", "127.0.0.1")
PORT: int = _env.int("PORT", 8000)
# Proxies in front of the web processes, each of which adds to X-Forwarded-For; 0 trusts no such header.
PROXIES: int = _env.int("PROXIES", 0)
# Whether people reach the service by HTTPS alone: cookies are then sent by nothing else.
HTTPS_ONLY: bool = _env.bool("HTTPS_ONLY", False)
# Whether staff must sign in with a second factor, and after how many idle minutes they are signed out.
STAFF_TWO_FACTOR: bool = _env.bool("STAFF_TWO_FACTOR", True)
STAFF_IDLE_MINUTES: int = _env.int("STAFF_IDLE_MINUTES", 30)
WEB_PROCESSES: int = _env.int("WEB_PROCESSES", 2)
WORKER_PROCESSES: int = _env.int("WORKER_PROCESSES", 2)
# Streams a web process holds at the same time; fewer where it may not open that many files.
STREAMS: int = _env.int("STREAMS", 5_000)
# The same for signs, which anybody may open: beside those, so that neither takes the other's places.
SIGN_STREAMS: int = _env.int("SIGN_STREAMS", 1_000)
# Webhooks that `serve` sends at the same time.
WEBHOOK_THREADS: int = _env.int("WEBHOOK_THREADS", 32)
# Whether webhooks may go to private addresses, by plain HTTP and to any port: for trials on one machine or one network.
WEBHOOK_PRIVATE_ADDRESSES: bool = _env.bool("WEBHOOK_PRIVATE_ADDRESSES", False)

# Connections each web process keeps open. 0 for everything else: a pool would not survive a worker's fork,
# and a command has one connection anyway. `config.processes` sets it for the web processes it starts.
DATABASE_POOL: int = _env.int("DATABASE_POOL", 0)
# A statement that waits or runs longer than this (milliseconds; 0 is without limit) is broken off by PostgreSQL.
DATABASE_LOCK_TIMEOUT: int = _env.int("DATABASE_LOCK_TIMEOUT", 10_000)
DATABASE_STATEMENT_TIMEOUT: int = _env.int("DATABASE_STATEMENT_TIMEOUT", 300_000)
# A transaction left open by a client that hangs is rolled back after this, so that it holds no lock for ever.
DATABASE_IDLE_TRANSACTION_TIMEOUT: int = _env.int("DATABASE_IDLE_TRANSACTION_TIMEOUT", 60_000)
_CONNECT_SECONDS = 5
# A burst of requests queues for the pool's connections; what waits longer than this is answered 503.
_POOL_SECONDS = 10

# The application's role, and the one that owns the schema and migrates it; unset, the first is both.
DATABASE_URL: str = _env.str("DATABASE_URL", "")
DATABASE_OWNER_URL: str = _env.str("DATABASE_OWNER_URL", "")
BROKER_URL: str = _env.str("BROKER_URL", "")
# The queue workers read. Give each service of its own one where several share a broker.
QUEUE: str = _env.str("QUEUE", "jackpot")
# Webhooks have a queue and workers of their own: who waits for a receiver must not settle.
WEBHOOK_QUEUE = f"{QUEUE}-webhooks"

# The Redis in which callers are counted; unset, the broker where that is one, else the database.
THROTTLE_URL: str = _env.str("THROTTLE_URL", "")
# Calls a second, on average over ten seconds; 0 is without limit.
THROTTLE_KEY: int = _env.int("THROTTLE_KEY", 600)
THROTTLE_STAFF: int = _env.int("THROTTLE_STAFF", 50)
THROTTLE_FAILED: int = _env.int("THROTTLE_FAILED", 10)

# What was played together lies together on disk, which the planner does not know: by its own figure, 4, a day's report
# reads all boxes there are to find those of the day, as long as the house is not very old.
_RANDOM_PAGE_COST = 1.1


def database() -> dict[str, Any]:
    """Django's entry for the database of DATABASE_URL, or for the embedded one, as the application. Starts nothing.

    DATABASE_URL is a libpq URL: `postgresql://user:password@host:5432/name?sslmode=require`, for a Unix socket
    `postgresql://user@/name?host=/var/run/postgresql`. Raises ImproperlyConfigured.
    """
    entry = _entry("DATABASE_URL", DATABASE_URL, embedded_user=postgres.APPLICATION)
    if DATABASE_POOL:
        entry["OPTIONS"]["pool"] = {"min_size": 1, "max_size": DATABASE_POOL, "timeout": _POOL_SECONDS}
    return entry


def owner_database() -> dict[str, Any]:
    """The same database as the owner of its schema, who migrates it: DATABASE_OWNER_URL, unset DATABASE_URL."""
    if DATABASE_OWNER_URL:
        return _entry("DATABASE_OWNER_URL", DATABASE_OWNER_URL, embedded_user="")
    return _entry("DATABASE_URL", DATABASE_URL, embedded_user=postgres.USER)


def application_role() -> str:
    """The role that is given the application's rights; "" where it owns the schema and nothing can be kept from it."""
    if not DATABASE_OWNER_URL:
        return "" if DATABASE_URL else postgres.APPLICATION
    role: str = database()["USER"]
    if not DATABASE_URL or not role:
        raise ImproperlyConfigured("DATABASE_OWNER_URL needs a DATABASE_URL that names the application's role")
    return "" if role == owner_database()["USER"] else role


def _entry(variable: str, url: str, *, embedded_user: str) -> dict[str, Any]:
    """Django's entry for a URL, or for the embedded database where it is empty."""
    entry: dict[str, Any] = {"ATOMIC_REQUESTS": False, "CONN_MAX_AGE": 0, "CONN_HEALTH_CHECKS": True, "TIME_ZONE": None}
    if url:
        entry |= _server_of(variable, url)
    else:
        entry |= {
            "ENGINE": "config.embedded.backend",
            "EMBEDDED_IN": str(DATA_DIR),
            "NAME": postgres.DATABASE,
            "USER": embedded_user,
            "HOST": str(places.of(DATA_DIR).sockets),
            "OPTIONS": {},
        }
    entry["OPTIONS"] = _options(entry["OPTIONS"])
    return entry


def _server_of(variable: str, url: str) -> dict[str, Any]:
    try:
        parts = {name: value for name, value in conninfo_to_dict(url).items() if value is not None}
    except ProgrammingError as error:
        raise ImproperlyConfigured(f"{variable} is not a PostgreSQL URL: {error}") from None
    if not url.startswith(("postgresql://", "postgres://")) or "dbname" not in parts:
        raise ImproperlyConfigured(f"{variable} must look like postgresql://user@host/name")
    known = {"NAME": "dbname", "USER": "user", "PASSWORD": "password", "HOST": "host", "PORT": "port"}
    entry = {key: str(parts.pop(part, "")) for key, part in known.items()}
    return {"ENGINE": "django.db.backends.postgresql", **entry, "OPTIONS": parts}


def _options(given: dict[str, Any]) -> dict[str, Any]:
    """Connection options: timeouts and what a page costs, ahead of those in the URL, which win."""
    own = {
        "lock_timeout": DATABASE_LOCK_TIMEOUT,
        "statement_timeout": DATABASE_STATEMENT_TIMEOUT,
        "idle_in_transaction_session_timeout": DATABASE_IDLE_TRANSACTION_TIMEOUT,
        "random_page_cost": _RANDOM_PAGE_COST,
    }
    settings = " ".join(f"-c {name}={value}" for name, value in own.items())
    return {
        "connect_timeout": _CONNECT_SECONDS,
        "application_name": "jackpot",
        **given,
        "options": f"{settings} {given.get('options', '')}".strip(),
    }


def broker_url() -> str:
    """Celery's broker: BROKER_URL (redis://, rediss://, redis+socket://, amqp://, amqps://) or the embedded one's."""
    if not BROKER_URL:
        return f"redis+socket://{places.of(DATA_DIR).broker_socket}?virtual_host=0"
    scheme = urlsplit(BROKER_URL).scheme
    if scheme not in {"redis", "rediss", "redis+socket", "amqp", "amqps"}:
        raise ImproperlyConfigured(f"BROKER_URL: {scheme or 'no scheme'}: only Redis and RabbitMQ are supported")
    return BROKER_URL


def throttle_url() -> str:
    """The Redis in which callers are counted: THROTTLE_URL, else the broker; "" where the database counts."""
    url = THROTTLE_URL or broker_url()
    parts = urlsplit(url)
    if not THROTTLE_URL and parts.scheme.startswith("amqp"):
        return ""
    if parts.scheme == "redis+socket":
        return f"unix://{parts.path}?db={parse_qs(parts.query).get('virtual_host', ['0'])[0]}"
    if parts.scheme not in {"redis", "rediss", "unix"}:
        raise ImproperlyConfigured(f"THROTTLE_URL: {parts.scheme or 'no scheme'}: only Redis is supported")
    return url


def data_folder(name: str) -> Path:
    """A folder in the data directory, made if it is not there. The data directory itself is this user's only."""
    DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder = DATA_DIR / name
    folder.mkdir(exist_ok=True)
    return folder


def _secret_key() -> str:
    """SECRET_KEY, else one made at the first start and kept in the data directory for this user only."""
    given: str = _env.str("SECRET_KEY", "")
    if given:
        return given
    path = DATA_DIR / "secret-key"
    if not path.exists():
        DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(50))
        with contextlib.suppress(FileExistsError):  # another command was first: its key counts
            path.hardlink_to(draft)
        draft.unlink()
    return path.read_text()


SECRET_KEY = _secret_key()
