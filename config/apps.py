"""What the deployment does when Django is ready.

Staff get their roles after each migration, and Python looks for cycles among its objects less often than by default.
"""

import gc
from typing import Any

from django.apps import AppConfig, apps
from django.db.models.signals import post_migrate

from config import staff_roles

COLLECT_AFTER = 20_000
"""Objects made, and not freed yet, after which Python looks for cycles among the newest (700 by default)."""


class Deployment(AppConfig):
    name = "config"

    def ready(self) -> None:
        """The last app to be migrated tells: by then the permissions of all of them are there."""
        post_migrate.connect(_renew_roles, sender=apps.get_app_config("tables"))
        # A batch of rounds makes some hundred thousand objects that live until it is written, and hardly a cycle among
        # them. By Python's default the collector walks them over and over: two fifths of settling's time.
        gc.freeze()
        gc.set_threshold(COLLECT_AFTER)


def _renew_roles(using: str, **told: Any) -> None:
    from jackpot.services import roles  # noqa: PLC0415 - models are there once Django is ready

    roles.renew(staff_roles.permissions_of, using=using)
