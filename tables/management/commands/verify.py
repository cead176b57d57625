"""`manage.py verify`: whether anything sealed was changed, and every stored number is what it should be."""

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from jackpot import services as jackpot
from tables.management import proving
from tables.selectors.lanes import Wanted
from tables.services import verify


class Command(BaseCommand):
    help = (
        "Walks the chain of every lane from its first link to its head, makes every digest again, recomputes every"
        " stored number (balances, statements, totals, results, versions), and names what is invented. Reads one"
        " snapshot; workers may go on. Hold it against heads that were kept outside the database: who owns the database"
        " can make a whole chain anew, but not the heads that are kept elsewhere. The exit code is 1 where anything"
        " differs; the first difference is named first."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        proving.add_arguments(parser)
        parser.add_argument("--lane", action="append", type=int, default=[], metavar="ID", help="as heads name it")
        parser.add_argument(
            "--head", action="append", default=[], metavar="LANE:SEQ:DIGEST", help="a head kept elsewhere, as logged"
        )
        parser.add_argument(
            "--heads", metavar="FILE", help="a file with heads, one or several a line, such as a log; - reads stdin"
        )

    def handle(self, *args: Any, json: bool, **options: Any) -> None:
        proof = proving.Proof()
        kept = _kept(options["head"], options["heads"])
        wanted = Wanted(lanes=options["lane"], jackpots=options["jackpot"], sites=options["site"])
        lanes = proving.lanes_of(wanted)
        done = proof.run(
            "verifying",
            lanes,
            lambda progress: verify.verify(None if wanted.everything else lanes, heads=kept, progress=progress),
        )
        if json:
            self.stdout.write(proof.as_json(done.findings, _told(done, len(kept))))
        else:
            self.stdout.write(proof.as_text(done.findings, _lines(done, len(kept))))
        proving.fail_where_different(done.findings)


def _kept(heads: list[str], file: str | None) -> jackpot.Heads:
    """The heads to hold the chains against. Raises CommandError where there is none in what should have some."""
    found: list[tuple[int, int, bytes]] = []
    for head in heads:
        if not (read := jackpot.heads_in(head)):
            raise CommandError(f"{head!r} is no head: lane, seq and 64 hexadecimal digits, with : between them")
        found += read
    if file is not None:
        try:
            text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"{file} can't be read: {error}") from None
        if not (read := jackpot.heads_in(text)):
            raise CommandError(f"there is no head in {file}")
        found += read
    return found


def _told(done: verify.Verification, kept: int) -> dict[str, Any]:
    heads = [
        {"lane": pk, "name": name, "seq": seq, "digest": digest.hex()} for pk, (name, seq, digest) in done.heads.items()
    ]
    told = {"heads": heads, "heads_held_against": kept, "opened_by_command": done.by_command, "holds": done.holds}
    return _counts(done) | told


def _lines(done: verify.Verification, kept: int) -> list[str]:
    counted = ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in _counts(done).items())
    lines = [f"{jackpot.head(pk, seq, digest)}  {name}" for pk, (name, seq, digest) in done.heads.items()]
    held = f"held against {kept} heads kept elsewhere" if kept else "held against no head kept elsewhere"
    if done.by_command:
        lines.append(f"opened by a command, not by two people: {', '.join(done.by_command)}")
    return [*lines, f"verified: {counted}; {held}", "holds" if done.holds else f"differences: {done.findings.count}"]


def _counts(done: verify.Verification) -> dict[str, Any]:
    names = ("lanes", "links", "entries", "legs", "statement_rows", "awards", "moves")
    return {name: getattr(done.counts, name) for name in names}
