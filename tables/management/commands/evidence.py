"""`manage.py evidence`: the evidence pack of a hit, as JSON or PDF."""

from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from tables.http import packs
from tables.management.files import operator, store
from tables.reports.evidence import evidence_of


class Command(BaseCommand):
    help = (
        "Writes all that a dispute about an award needs: the round, what was posted, who decided, the seals. An Envy is"
        " proved by the pack of its hit. The exit code is 1 where there is no such award."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("award", metavar="AWARD_ID", type=UUID)
        parser.add_argument("--format", choices=sorted(packs.EVIDENCE), default="json")
        parser.add_argument("--output", metavar="FILE", type=Path, help="a new file; standard output without it")

    def handle(self, *args: Any, award: UUID, output: Path | None, **options: Any) -> None:
        pack = evidence_of(award, made_at=timezone.now(), made_by=operator())
        if pack is None:
            raise CommandError(f"there is no award {award}")
        store(packs.EVIDENCE[options["format"]](pack), output, self.stdout)
