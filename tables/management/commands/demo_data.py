"""`manage.py demo_data`: the rule sets and the demo site on which outside clients start."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from tables.services import demo_data


class Command(BaseCommand):
    help = "Load the shipped rule sets, the site DEMO with its tables and the jackpot MAIN, where they are missing."

    def handle(self, *args: Any, **options: Any) -> None:
        demo_data.load(now=timezone.now())
        self.stdout.write("demo data in place: site DEMO, jackpot MAIN")
