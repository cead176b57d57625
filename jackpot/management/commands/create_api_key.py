"""`manage.py create_api_key`: a key for an integrator, printed once."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from jackpot.domain.callers import Scope
from jackpot.domain.errors import Refused
from jackpot.services import clients


class Command(BaseCommand):
    help = "Makes an API key (and the integrator, if new) and prints the key alone; it cannot be shown again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--integrator", required=True, metavar="NAME", help="whose rounds the key sends and reads")
        parser.add_argument("--site", required=True, action="append", metavar="CODE", help="may be given several times")
        parser.add_argument("--scopes", required=True, metavar="A,B", help="some of " + ", ".join(Scope))
        parser.add_argument("--days", type=int, default=365, help="how long the key lives (default: 365)")

    def handle(self, *args: Any, **options: Any) -> None:
        scopes = [scope.strip() for scope in options["scopes"].split(",") if scope.strip()]
        try:
            key = clients.issue_key(
                integrator=options["integrator"],
                sites=options["site"],
                scopes=scopes,
                days=options["days"],
                now=timezone.now(),
            )
        except Refused as refused:
            raise CommandError("\n".join(violation.detail for violation in refused.violations)) from None
        self.stdout.write(key)
