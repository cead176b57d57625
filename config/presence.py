"""How the service knows that a worker lives: each keeps a named session in the database.

The session ends with its worker, however that dies, so nothing needs to expire. It works with every broker. A worker
that only sends webhooks settles nothing, so its session has another name.
"""

import logging
from typing import Any

from celery import bootsteps
from django.db import DatabaseError, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper

SESSION_NAME = "jackpot worker"
WEBHOOKS_NAME = "jackpot webhooks"
_EVERY_SECONDS = 5.0
_log = logging.getLogger(__name__)


def any_worker() -> bool:
    """Whether some worker is connected to this database."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = %s)",
            [SESSION_NAME],
        )
        return bool(cursor.fetchone()[0])


class Presence(bootsteps.StartStopStep):
    """Opens the session when the worker starts, and again whenever it was lost."""

    requires = {"celery.worker.components:Pool", "celery.worker.components:Timer"}

    def __init__(self, worker: Any, **options: Any) -> None:
        self._session: BaseDatabaseWrapper | None = None
        self._name = SESSION_NAME
        super().__init__(worker, **options)

    def start(self, worker: Any) -> None:
        settles = worker.app.conf.task_default_queue in worker.app.amqp.queues.consume_from
        self._name = SESSION_NAME if settles else WEBHOOKS_NAME
        self._show()
        worker.timer.call_repeatedly(_EVERY_SECONDS, self._show)

    def stop(self, worker: Any) -> None:
        self._end()

    def _show(self) -> None:
        try:
            if self._session is None:
                # Not the thread's own connection, which Celery closes around each task.
                self._session = connections.create_connection("default")
            with self._session.cursor() as cursor:
                cursor.execute("SELECT set_config('application_name', %s, false)", [self._name])
        except DatabaseError as error:
            _log.warning("this worker cannot reach the database: %s", error)
            self._end()

    def _end(self) -> None:
        if self._session is not None:
            self._session.close()
            self._session = None
