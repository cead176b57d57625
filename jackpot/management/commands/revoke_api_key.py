"""`manage.py revoke_api_key`: a key ends at once."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from jackpot.services import clients


class Command(BaseCommand):
    help = "Ends an API key at once. The exit code is 1 where there is no such key, or it has been revoked before."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("prefix", metavar="PREFIX", help="the key's part before the dot; the whole key does too")

    def handle(self, *args: Any, prefix: str, **options: Any) -> None:
        prefix = prefix.partition(".")[0]
        if not clients.revoke(prefix=prefix, now=timezone.now()):
            raise CommandError(f"there is no key {prefix!r}, or it has been revoked before")
        self.stdout.write(f"key {prefix} is revoked")
