"""The Celery app. A message only wakes a worker: the work itself is found in the database.

So messages may be lost or doubled, results are not kept, and publishing gives up quickly: a sweep finds the rest.
"""

import os
from typing import Any

from celery import Celery, signals
from django.db import connections

from config import env
from config.embedded import leases

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

CONFIRM_SECONDS = 5
TASKS_A_SESSION = 1_000
"""Tasks of a worker process after which it makes its database session anew; Celery would after each."""


class App(Celery):
    """Takes a lease on the embedded broker, if that is the one in use, before any connection to it."""

    def connection_for_read(self, url: str | None = None, **kwargs: Any) -> Any:
        self._hold_broker()
        return super().connection_for_read(url, **kwargs)

    def connection_for_write(self, url: str | None = None, **kwargs: Any) -> Any:
        self._hold_broker()
        return super().connection_for_write(url, **kwargs)

    def send_task(self, name: str, *args: Any, **options: Any) -> Any:
        """Publish; RabbitMQ has CONFIRM_SECONDS to confirm. Raises kombu's OperationalError within seconds."""
        options.setdefault("confirm_timeout", CONFIRM_SECONDS)
        return super().send_task(name, *args, **options)

    def on_init(self) -> None:
        from config.presence import Presence  # noqa: PLC0415 - needs Django's settings, which import this module

        self.steps["worker"].add(Presence)

    def _hold_broker(self) -> None:
        if not env.BROKER_URL:
            leases.hold(env.DATA_DIR, "broker")


app = App("jackpot")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf["CELERY_DB_REUSE_MAX"] = TASKS_A_SESSION
app.autodiscover_tasks()


@signals.task_prerun.connect
def _close_lost_sessions(**_: object) -> None:
    """A session that was cut since the last task is made anew by the next query."""
    for connection in connections.all(initialized_only=True):
        if connection.connection is not None and not connection.is_usable():
            connection.close()
