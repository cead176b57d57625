"""Health: `/livez` says that this process answers, `/readyz` that rounds sent here get settled."""

import logging
from collections.abc import Callable
from functools import cache

from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config import presence
from config.celery import app

BROKER_SECONDS = 2
_log = logging.getLogger(__name__)


@require_safe
@never_cache
def livez(request: HttpRequest) -> JsonResponse:
    """200 as long as the process answers; asks no other server."""
    return JsonResponse({"status": "ok"})


@require_safe
@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """200 if database, schema, broker and a worker are all there; else 503 and which is not."""
    results = dict.fromkeys(_CHECKS, False)
    for name, check in _CHECKS.items():
        # Without a database each further look would wait for it in vain.
        results[name] = (results["database"] or name in _WITHOUT_DATABASE) and _passes(name, check)
    ready = all(results.values())
    checks = {name: "ok" if passed else "failed" for name, passed in results.items()}
    return JsonResponse({"status": "ok" if ready else "unavailable", "checks": checks}, status=200 if ready else 503)


def signs() -> dict[str, bool]:
    """What the console says of the processes: whether a worker, the clock that makes it sweep, a sender of webhooks
    and the broker are seen. One query, and a connection to the broker, which has `BROKER_SECONDS`.
    """
    seen = presence.seen()
    return {
        "worker": presence.SESSION_NAME in seen,
        "clock": presence.CLOCK_NAME in seen,
        "webhooks": presence.WEBHOOKS_NAME in seen,
        "broker": _passes("broker", _broker),
    }


def _passes(name: str, check: Callable[[], bool]) -> bool:
    """Whatever a check raises means that it failed: a health page must not."""
    try:
        return check()
    except Exception as error:  # noqa: BLE001
        _log.warning("not ready: %s: %s", name, error)
        return False


def _database() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return True


def _schema() -> bool:
    if _seen_migrated():
        return True
    _seen_migrated.cache_clear()
    return False


@cache
def _seen_migrated() -> bool:
    """Whether every migration is applied; once it is, this process need not ask again."""
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


def _broker() -> bool:
    with app.connection_for_write() as broker:
        broker.ensure_connection(max_retries=1, timeout=BROKER_SECONDS)
    return True


_WITHOUT_DATABASE = frozenset({"database", "broker"})
_CHECKS: dict[str, Callable[[], bool]] = {
    "database": _database,
    "schema": _schema,
    "broker": _broker,
    "worker": presence.any_worker,
}
