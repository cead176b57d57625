"""`manage.py migrate`: Django's, as the owner of the schema; afterwards the application gets its rights in it."""

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import connections

from config import roles

_ALONE = (
    "DATABASE_OWNER_URL is not set: the service runs as the owner of its tables, and triggers alone keep what is"
    " posted. docs/operations.md, Database roles, says how to give it a role of its own."
)


class Command(migrate.Command):
    help = (
        f"{migrate.Command.help} It runs as the role of DATABASE_OWNER_URL, and gives that of DATABASE_URL exactly the"
        " rights that config/grants.py lists, as often as it is repeated."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        owner = connections["owner" if "owner" in settings.DATABASES else options["database"]]
        options["database"] = owner.alias
        super().handle(*args, **options)
        if options["plan"] or options["check_unapplied"]:
            return
        if not settings.DATABASE_ROLE:
            if roles.owns_the_tables(owner):
                self.stderr.write(self.style.WARNING(_ALONE))
            return
        try:
            roles.apply(owner, settings.DATABASE_ROLE)
        except roles.RoleError as error:
            raise CommandError(str(error)) from error
        if "owner" in settings.DATABASES:
            owner.close()
