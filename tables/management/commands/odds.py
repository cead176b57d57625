"""`manage.py odds`: what the bets of a rule set and the Progressive of a jackpot return, exactly."""

import argparse
import json
import re
import time
from collections.abc import Hashable, Iterable
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from rich.console import Console

from jackpot import money
from jackpot.money import AmountTooLarge, Currency, InvalidMoney
from jackpot.selectors import jackpots
from tables.demo.telling import Teller
from tables.management import odds_shown
from tables.management.odds_shown import Linked, Reckoned
from tables.models.rulesets import RuleSetVersion
from tables.odds.boards import KINDS_OF_BOARD
from tables.odds.optimal import Solver
from tables.odds.progressive import ProgressiveOdds
from tables.odds.settings import OddsTooFine, Settings
from tables.odds.tallies import Tally
from tables.odds.theory import METHOD, Theory
from tables.selectors import odds
from tables.services import odds as keeping

_MOST_BETTORS = 100_000
_PLAIN_WIDTH = 120


class Command(BaseCommand):
    help = (
        "Work out the exact odds of rule sets (the newest version of each, or the one asked for): the main game under"
        " optimal play, all 27,813,810,024,000 deals counted, and Trips; with --jackpot those of its Progressive at a"
        " meter. Takes about half a minute; a jackpot alone takes none. The exit code is 1 where what is stored differs"
        " from what comes out."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--rule-set", type=_version, metavar="CODE[@V]", help="default: the newest of every rule set"
        )
        parser.add_argument("--jackpot", metavar="CODE", help="its Progressive; alone, no rule set is worked out")
        parser.add_argument(
            "--meter", type=_meter, action="append", default=[], metavar="[LEVEL=]AMOUNT",
            help="instead of what a level's sign shows now; may be given for each level",
        )  # fmt: skip
        parser.add_argument("--bettors", type=_bettors, default=0, metavar="N", help="others who bet beside (Envy)")
        parser.add_argument("--store", action="store_true", help="keep the odds of rule sets, for the report of tables")
        parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else on stdout")

    def handle(self, *args: Any, rule_set: tuple[str, int | None] | None, json: bool, **options: Any) -> None:
        began = time.monotonic()
        linked = [_linked(options["jackpot"], options["meter"], options["bettors"])] if options["jackpot"] else []
        if not linked and (options["meter"] or options["bettors"]):
            raise CommandError("--meter and --bettors go with --jackpot")
        versions = [] if linked and rule_set is None else _versions(rule_set)
        reckoned, differing = self._reckon(versions, store=options["store"])
        if json:
            self.stdout.write(_as_json(reckoned, linked, differing, seconds=time.monotonic() - began))
        else:
            self.stdout.write(_as_text(reckoned, linked))
        if differing:
            raise CommandError(f"stored odds differ from what comes out: {', '.join(differing)}")

    def _reckon(self, versions: list[RuleSetVersion], *, store: bool) -> tuple[list[Reckoned], list[str]]:
        """The odds of versions, and the names of those that are stored otherwise."""
        every = [(version, Settings.from_document(version.document)) for version in versions]
        games = _play([settings for _, settings in every])
        before = odds.stored([version.pk for version in versions], method=METHOD)
        reckoned, differing = [], []
        for version, settings in every:
            theory = Theory.of(settings, games[settings.game])
            reckoned.append(Reckoned(str(version), settings, theory, stored=version.pk in before))
            if before.get(version.pk, theory.to_document()) != theory.to_document():
                differing.append(str(version))
            if store:
                keeping.store(version=version, theory=theory, now=timezone.now())
        return reckoned, differing


def _play(every: Iterable[Settings]) -> dict[Hashable, list[Tally]]:
    """The main game of some settings, each game once, with progress on a terminal. Raises CommandError."""
    games = {settings.game: settings for settings in every}
    if not games:
        return {}
    console = Console(stderr=True)
    console.quiet = not console.is_terminal
    teller = Teller(console)
    with teller.stage("all hands on all boards", KINDS_OF_BOARD) as told:
        solver = Solver(told=told)
    found = {}
    for n, (game, settings) in enumerate(games.items(), 1):
        with teller.stage(f"main game {n} of {len(games)}", solver.steps) as told:
            try:
                found[game] = solver.solve(settings, told=told)
            except OddsTooFine as trouble:
                raise CommandError(str(trouble)) from None
    return found


def _versions(wanted: tuple[str, int | None] | None) -> list[RuleSetVersion]:
    code, version = wanted or (None, None)
    found = odds.versions(code, version)
    if found:
        return found
    if code is None:
        raise CommandError("no rule set is there: manage.py demo_data loads those that ship")
    raise CommandError(f"there is no rule set {code}" if version is None else f"there is no rule set {code}@{version}")


def _linked(code: str, meters: Iterable[tuple[str | None, str]], others: int) -> Linked:
    """A jackpot's newest policy, with the meters given or else as its signs show them."""
    found = jackpots.on_show().filter(code=code).first()
    if found is None:
        raise CommandError(f"there is no jackpot {code}")
    levels = {level.code: money.displayed(int(level.meter)) for level in found.levels.all()}
    for name, amount in meters:
        if name is None and len(levels) > 1:
            raise CommandError(f"say which level --meter {amount} is of: {', '.join(levels)}")
        level = name or next(iter(levels))
        if level not in levels:
            raise CommandError(f"{code} has no level {level}, but {', '.join(levels)}")
        levels[level] = _units(amount, found.currency)
    version = max(found.policies.all(), key=lambda policy: policy.version)
    return Linked(str(version), found.currency, ProgressiveOdds(version.read()), levels, others)


def _units(amount: str, currency: Currency) -> int:
    try:
        return money.parse(amount, currency)
    except (InvalidMoney, AmountTooLarge) as trouble:
        raise CommandError(f"--meter {amount}: {trouble}") from None


def _as_json(reckoned: list[Reckoned], linked: list[Linked], differing: list[str], *, seconds: float) -> str:
    return json.dumps(
        {
            "method": METHOD,
            "rule_sets": [odds_shown.rule_set_json(found) for found in reckoned],
            "jackpots": [odds_shown.jackpot_json(found) for found in linked],
            "differences": differing,
            "seconds": round(seconds, 1),
        }
    )


def _as_text(reckoned: list[Reckoned], linked: list[Linked]) -> str:
    """As tables, as wide as the terminal."""
    console = Console()
    if not console.is_terminal:
        console.width = _PLAIN_WIDTH
    with console.capture() as captured:
        for found in reckoned:
            odds_shown.show_rule_set(console, found)
        for progressive in linked:
            odds_shown.show_jackpot(console, progressive)
    return captured.get()


def _version(text: str) -> tuple[str, int | None]:
    shape = re.fullmatch(r"([\w-]+)(?:@([1-9][0-9]{0,8}))?", text, re.ASCII)
    if shape is None:
        raise argparse.ArgumentTypeError("a rule set, as in casino-progressive or casino-progressive@1")
    return shape[1], int(shape[2]) if shape[2] else None


def _meter(text: str) -> tuple[str | None, str]:
    level, given, amount = text.rpartition("=")
    return level if given else None, amount


def _bettors(text: str) -> int:
    number = int(text) if re.fullmatch("[0-9]{1,6}", text, re.ASCII) else _MOST_BETTORS + 1
    if number > _MOST_BETTORS:
        raise argparse.ArgumentTypeError(f"a whole number from 0 to {_MOST_BETTORS}")
    return number
