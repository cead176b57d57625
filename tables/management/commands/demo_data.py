"""`manage.py demo_data`: the rule sets and the demo site on which outside clients start."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from tables.services import demo_data, houses


class Command(BaseCommand):
    help = "Load the shipped rule sets, the site DEMO with its tables and the jackpot MAIN, where they are missing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--rule-sets", action="store_true", help="the shipped rule sets alone: for a house of its own"
        )

    def handle(self, *args: Any, rule_sets: bool, **options: Any) -> None:
        if rule_sets:
            houses.publish_rule_sets()
            self.stdout.write("the shipped rule sets are in place")
            return
        demo_data.load(now=timezone.now())
        self.stdout.write("demo data in place: site DEMO, jackpot MAIN")
