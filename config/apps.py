"""What the deployment does when Django is ready: staff have their roles after each migration."""

from typing import Any

from django.apps import AppConfig, apps
from django.db.models.signals import post_migrate

from config import staff_roles


class Deployment(AppConfig):
    name = "config"

    def ready(self) -> None:
        """The last app to be migrated tells: by then the permissions of all of them are there."""
        post_migrate.connect(_renew_roles, sender=apps.get_app_config("tables"))


def _renew_roles(using: str, **told: Any) -> None:
    from jackpot.services import roles  # noqa: PLC0415 - models are there once Django is ready

    roles.renew(staff_roles.permissions_of, using=using)
