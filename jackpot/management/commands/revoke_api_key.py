"""`manage.py revoke_api_key`: a key, or every key of an integrator, ends at once."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from jackpot.services import clients


class Command(BaseCommand):
    help = "Ends API keys at once. The exit code is 1 where there is no such key, or it has been revoked before."

    def add_arguments(self, parser: CommandParser) -> None:
        which = parser.add_mutually_exclusive_group(required=True)
        which.add_argument(
            "prefix", metavar="PREFIX", nargs="?", help="the key's part before the dot; the whole key does too"
        )
        which.add_argument("--integrator", metavar="NAME", help="all its keys: it is shut out altogether")

    def handle(self, *args: Any, prefix: str | None, integrator: str | None, **options: Any) -> None:
        if integrator is not None:
            ended = clients.revoke_all(integrator=integrator, now=timezone.now())
            if not ended:
                raise CommandError(f"{integrator!r} has no live key")
            self.stdout.write(f"keys of {integrator} revoked: {ended}")
            return
        prefix = (prefix or "").partition(".")[0]
        if not clients.revoke(prefix=prefix, now=timezone.now()):
            raise CommandError(f"there is no key {prefix!r}, or it has been revoked before")
        self.stdout.write(f"key {prefix} is revoked")
