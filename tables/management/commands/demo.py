"""`manage.py demo`: rounds played over HTTP against a real web process and a real worker, then the books proved."""

import argparse
import json
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from secrets import token_hex
from typing import Any, NoReturn

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from rich.console import Console

from config.processes import Fleet, ProcessError
from jackpot.selectors import awards
from tables.demo import checking, dealing, playing, showing, waiting
from tables.demo.checking import Checks
from tables.demo.house import House, open_house
from tables.demo.telling import Teller

_INTERRUPTED = 130
_PLAIN_WIDTH = 100


class Command(BaseCommand):
    help = (
        "Play rounds over HTTP on four tables of a new site into its own new jackpot, settled by a real worker: a"
        " seeded shuffle, among it rounds dealt to hit (a straight flush, a royal flush, both on one flop, two straight"
        " flushes on one flop). Then show the meters, awards, Envy and each table's result, and prove the books: ledger"
        " balanced, meter = statement = ledger, every settlement re-performed from cards. Works beside `serve`."
        " The exit code is 0 only when every round was settled and every check passed."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--rounds", type=_at_least_one, default=2_000, metavar="N", help="default %(default)s")
        parser.add_argument("--seed", type=int, default=1, metavar="S", help="of the shuffle (default %(default)s)")
        parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else on stdout")

    def handle(self, *args: Any, rounds: int, seed: int, json: bool, **options: Any) -> None:
        began = time.monotonic()
        teller = Teller(_console(quiet=json))
        signal.signal(signal.SIGTERM, _interrupt)
        try:
            house, stand = self._play(teller, rounds, seed)
            with teller.stage("proving the books", rounds) as told:
                checks = checking.check(house, progress=lambda done, total: told(done * rounds // total))
        except KeyboardInterrupt:
            raise CommandError("interrupted: everything is stopped", returncode=_INTERRUPTED) from None
        except (ProcessError, playing.PlayError, waiting.NothingMoves) as error:
            raise CommandError(str(error)) from error
        self._report(teller, house, stand, checks, rounds=rounds, seconds=time.monotonic() - began, as_json=json)

    def _play(self, teller: Teller, rounds: int, seed: int) -> tuple[House, waiting.Stand]:
        """Start the processes, play everything and wait until it is settled; the processes are stopped again."""
        call_command("migrate", verbosity=0)
        house = open_house(code=f"DEMO-{token_hex(3).upper()}", now=timezone.now())
        teller.say(f"site {house.code}, jackpot {house.progressive.code}, {len(house.tables)} tables, seed {seed}")
        with tempfile.TemporaryDirectory(prefix="demo-") as logs, Fleet(log_dir=Path(logs)) as fleet:
            fleet.worker()
            address = fleet.web()
            fleet.wait_until_ready()
            alive = _all_alive(fleet)
            with teller.stage(f"playing on {address}", rounds) as told:
                for sent in _playing(house, address, rounds, seed):
                    alive()
                    told(sent)
            with teller.stage("settling by the worker", rounds) as told:
                return house, waiting.until_settled(house, rounds, check=alive, told=told)

    def _report(
        self,
        teller: Teller,
        house: House,
        stand: waiting.Stand,
        checks: Checks,
        *,
        rounds: int,
        seconds: float,
        as_json: bool,
    ) -> None:
        if as_json:
            self.stdout.write(json.dumps(_summary(house, stand, checks, rounds=rounds, seconds=seconds)))
        else:
            showing.show(teller.console, house, checks)
            teller.say(f"{stand.settled} of {rounds} rounds settled in {seconds:.1f} s")
        if stand.failed:
            raise CommandError(f"{stand.failed} rounds could not be settled")
        if not checks.passed:
            raise CommandError("the books do not agree: " + "; ".join(checks.trouble[:3]))


def _playing(house: House, address: str, rounds: int, seed: int) -> Iterator[int]:
    """Deal and send the rounds; yields how many are sent, at least once a second."""
    codes = [table.code for table in house.tables]
    session = dealing.Session(house.code, seed, rounds, codes, opened=_day_start(house), closed=timezone.now())
    sent = 0
    client = playing.Client(address, house.key)
    try:
        for job in playing.play(client, playing.jobs(dealing.deal(session), seed)):
            sent += len(job)
            yield sent
    finally:
        client.close()


def _summary(house: House, stand: waiting.Stand, checks: Checks, *, rounds: int, seconds: float) -> dict[str, Any]:
    kinds = list(awards.all_awards().filter(jackpot=house.progressive).values_list("kind", flat=True))
    return {
        "rounds": rounds,
        "settled": stand.settled,
        "awards": kinds.count("hit"),
        "envy": kinds.count("envy"),
        "ledger_balanced": checks.ledger_balanced,
        "meter_reconciled": checks.meter_reconciled,
        "reperformed_differences": checks.differences,
        "seconds": round(seconds, 1),
    }


def _day_start(house: House) -> datetime:
    """The start of the gaming day that is open: what was played before it would come late."""
    now = timezone.now()
    since = timedelta(hours=(now.hour - house.site.day_starts_at.hour) % 24, minutes=now.minute, seconds=now.second)
    return now - max(since, timedelta(seconds=1))


def _all_alive(fleet: Fleet) -> Callable[[], None]:
    """Raises ProcessError, with the end of its log, where a process of the fleet has ended."""

    def check() -> None:
        for child in fleet.children:
            if child.exit_code is not None:
                raise ProcessError(child.describe_end())

    return check


def _console(*, quiet: bool) -> Console:
    """Standard output; with `quiet` progress alone, on a terminal's standard error."""
    console = Console(stderr=quiet)
    console.quiet = quiet and not console.is_terminal
    if not console.is_terminal:
        console.width = _PLAIN_WIDTH
    return console


def _at_least_one(text: str) -> int:
    try:
        rounds = int(text)
    except ValueError:
        rounds = 0
    if rounds < 1:
        raise argparse.ArgumentTypeError("a whole number from 1")
    return rounds


def _interrupt(*_: object) -> NoReturn:
    raise KeyboardInterrupt
