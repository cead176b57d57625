"""How the service knows that a worker lives, and the clock that makes it sweep: each keeps a named session in the
database.

The session ends with its process, however that dies, so nothing needs to expire. It works with every broker. A worker
that only sends webhooks settles nothing, so its session has another name.
"""

import logging
from typing import Any

from celery import bootsteps
from celery.beat import Scheduler
from django.db import DatabaseError, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper

SESSION_NAME = "jackpot worker"
WEBHOOKS_NAME = "jackpot webhooks"
CLOCK_NAME = "jackpot clock"
_EVERY_SECONDS = 5.0
_log = logging.getLogger(__name__)


def any_worker() -> bool:
    """Whether some worker is connected to this database."""
    return SESSION_NAME in seen()


def seen() -> set[str]:
    """Which of the names above some process is connected by to this database."""
    names = [SESSION_NAME, WEBHOOKS_NAME, CLOCK_NAME]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT DISTINCT application_name FROM pg_stat_activity"
            " WHERE datname = current_database() AND application_name = ANY(%s)",
            [names],
        )
        return {name for (name,) in cursor.fetchall()}


class _Session:
    """A session of its own, not the thread's, which Celery closes around each task; opened again when it was lost."""

    def __init__(self) -> None:
        self._session: BaseDatabaseWrapper | None = None

    def show(self, name: str) -> None:
        try:
            if self._session is None:
                self._session = connections.create_connection("default")
            with self._session.cursor() as cursor:
                cursor.execute("SELECT set_config('application_name', %s, false)", [name])
        except DatabaseError as error:
            _log.warning("%s cannot reach the database: %s", name, error)
            self.end()

    def end(self) -> None:
        if self._session is not None:
            self._session.close()
            self._session = None


class Presence(bootsteps.StartStopStep):
    """Opens the session when the worker starts, and again whenever it was lost."""

    requires = {"celery.worker.components:Pool", "celery.worker.components:Timer"}

    def __init__(self, worker: Any, **options: Any) -> None:
        self._session = _Session()
        self._name = SESSION_NAME
        super().__init__(worker, **options)

    def start(self, worker: Any) -> None:
        settles = worker.app.conf.task_default_queue in worker.app.amqp.queues.consume_from
        self._name = SESSION_NAME if settles else WEBHOOKS_NAME
        self._show()
        worker.timer.call_repeatedly(_EVERY_SECONDS, self._show)

    def stop(self, worker: Any) -> None:
        self._session.end()

    def _show(self) -> None:
        self._session.show(self._name)


class Clock(Scheduler):
    """Beat, which wakes the sweep: seen as long as it goes round. It keeps its schedule in memory, as sweeping every
    few seconds has no history worth a file that a kill can spoil.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        self._session = _Session()
        super().__init__(*args, **options)

    def tick(self, *args: Any, **options: Any) -> Any:
        self._session.show(CLOCK_NAME)
        return super().tick(*args, **options)

    def close(self) -> None:
        self._session.end()
        super().close()
