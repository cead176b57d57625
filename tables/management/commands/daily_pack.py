"""`manage.py daily_pack`: every report of a site's gaming day in one PDF, with the checks between them."""

from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from jackpot.selectors import sites
from tables.http.daily_pdf import daily_pdf
from tables.management.files import COMMAND, operator, store
from tables.reports.daily_pack import daily_pack


class Command(BaseCommand):
    help = (
        "Writes the daily pack of a site as a PDF. The exit code is 1 where there is no such site, the file can't be"
        " written, or a check of the pack shows a difference: it is written then too."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--site", metavar="CODE", required=True)
        parser.add_argument("--day", metavar="YYYY-MM-DD", type=date.fromisoformat, required=True)
        parser.add_argument("--output", metavar="FILE", type=Path, required=True, help="a new file")

    def handle(self, *args: Any, site: str, day: date, output: Path, **options: Any) -> None:
        found = sites.seen_by(COMMAND).filter(code=site).first()
        if found is None:
            raise CommandError(f"there is no site {site}")
        pack = daily_pack(site=found, day=day, caller=COMMAND, made_at=timezone.now(), made_by=operator())
        store(daily_pdf(pack), output, self.stdout)
        if off := [check for check in pack.checks if not check.agrees]:
            raise CommandError("\n".join(f"{check.place}: {check.what} differs" for check in off))
        self.stdout.write(f"{output}: {len(pack.reports)} reports, {len(pack.checks)} checks agree")
