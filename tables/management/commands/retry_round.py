"""`manage.py retry_round`: a round that could not be settled is tried again."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from jackpot.domain.errors import Refused
from tables import tasks
from tables.models.rounds import Round
from tables.services import settlement


class Command(BaseCommand):
    help = (
        "Gives a round that could not be settled its place in the queue back, and wakes a worker. The exit code is 1"
        " where there is no such round, or it did not fail, or it waits for a second person."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("game_number", metavar="GAME_NUMBER", help="as in UTH-01-20261129-142233-1")

    def handle(self, *args: Any, game_number: str, **options: Any) -> None:
        rnd = Round.objects.only("lane_id").filter(game_number=game_number).first()
        if rnd is None:
            raise CommandError(f"there is no round {game_number}")
        try:
            settlement.retry(rnd.pk)
        except Refused as refused:
            raise CommandError("\n".join(violation.detail for violation in refused.violations)) from None
        tasks.wake([rnd.lane_id])
        self.stdout.write(f"round {game_number} has its place in the queue back")
