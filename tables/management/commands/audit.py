"""`manage.py audit`: what was settled is settled again from its cards, and posted again from the first funding on."""

from argparse import ArgumentTypeError
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from tables.management import proving
from tables.selectors.lanes import Wanted
from tables.services import audit


class Command(BaseCommand):
    help = (
        "Performs again what was settled: every result from cards, bets, decisions and versions, every posting and"
        " share from the first funding on, and compares it with what is stored, to the unit. A share depends on all"
        " that was posted before it, so a round, a table or a day is proved with the whole lanes it lies in. Reads one"
        " snapshot; workers may go on. The exit code is 1 where anything differs, with the list."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        proving.add_arguments(parser)
        parser.add_argument("--table", action="append", default=[], metavar="CODE", help="may be given several times")
        parser.add_argument("--day", type=_day, metavar="YYYY-MM-DD", help="the gaming day under which it was settled")
        parser.add_argument("--round", metavar="GAME_NUMBER", help="a game number, or a round's id")

    def handle(self, *args: Any, json: bool, **options: Any) -> None:
        proof = proving.Proof()
        lanes = proving.lanes_of(
            Wanted(
                jackpots=options["jackpot"],
                sites=options["site"],
                tables=options["table"],
                day=options["day"],
                round=options["round"],
            )
        )
        done = proof.run("performing again", lanes, lambda progress: audit.audit(lanes, progress=progress))
        told = {
            name: getattr(done, name)
            for name in ("lanes", "settlements", "boxes", "entries", "legs", "statement_rows", "awards")
        }
        if json:
            self.stdout.write(proof.as_json(done.findings, told))
        else:
            counted = ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in told.items())
            told_of = "proved" if done.proved else f"differences: {done.findings.count}"
            self.stdout.write(proof.as_text(done.findings, [f"performed again: {counted}", told_of]))
        proving.fail_where_different(done.findings)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError("a day, as in 2026-11-29") from None
