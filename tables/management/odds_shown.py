"""How `manage.py odds` shows what it worked out: as JSON for programs, as tables for people."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as Grid

from jackpot import money
from jackpot.money import Currency
from tables.odds.figures import Figures, decimal, percent
from tables.odds.progressive import ProgressiveOdds
from tables.odds.settings import Settings
from tables.odds.theory import Theory

_BETS = ("ante", "blind", "play")


@dataclass(frozen=True)
class Reckoned:
    """A version of a rule set with its odds; `stored` says whether they were there before."""

    name: str
    settings: Settings
    theory: Theory
    stored: bool


@dataclass(frozen=True)
class Linked:
    """A version of a jackpot's policy with meters by level in ledger units, and wagers of other players beside."""

    name: str
    currency: Currency
    odds: ProgressiveOdds
    meters: Mapping[str, int]
    others: int

    def amount(self, units: Fraction | int | None) -> str | None:
        """An amount of the currency, rounded to its minor unit."""
        if units is None:
            return None
        return decimal(Fraction(units) / (money.UNITS_PER_MINOR * 10**self.currency.exponent), self.currency.exponent)


def rule_set_json(found: Reckoned) -> dict[str, Any]:
    main, trips = found.theory.main, found.theory.trips
    return {
        "rule_set": found.name,
        "blind_table": found.settings.blind_table.name,
        "preflop_multipliers": list(found.settings.preflop),
        "main": {
            **_figures(main.together),
            "return_per_ante": _exact(main.together.returned),
            "average_wager": _exact(main.wagered),
            "return_on_wagered": _exact(main.return_on_wagered),
            "element_of_risk": _exact(main.element_of_risk),
            "bets": {bet: _figures(getattr(main, bet)) for bet in _BETS},
            "actions": [
                {"street": str(street), "multiplier": multiplier, "share": _exact(share)}
                for (street, multiplier), share in main.actions.items()
            ],
        },
        "trips_table": found.settings.trips_table.name,
        "trips": trips
        and {**_figures(trips.net), "return": _exact(trips.net.returned), "hit_frequency": _exact(trips.hit)},
        "stored": found.stored,
    }


def jackpot_json(found: Linked) -> dict[str, Any]:
    odds = found.odds
    return {
        "jackpot": found.name,
        "currency": found.currency.code,
        "stake": found.amount(odds.policy.stake),
        "meters": {level: found.amount(meter) for level, meter in found.meters.items()},
        "bettors": found.others,
        "return": _exact(odds.returned(found.meters, others=found.others)),
        "return_of_fixed_prizes": _exact(odds.paid().mean / odds.policy.stake),
        "envy_per_bettor": _exact(odds.envy()),
        "hit_frequency": _exact(odds.hit),
        "hands": [{"hand": hand, "share": _exact(share)} for hand, share in odds.shares.items()],
        "levels": [
            {
                "level": level,
                "share_per_wager": _exact(odds.per_meter(level)),
                "break_even": found.amount(odds.break_even(level, found.meters, others=found.others)),
                "long_run_mean": found.amount(odds.long_run(level)),
            }
            for level in found.meters
        ],
    }


def show_rule_set(console: Console, found: Reckoned) -> None:
    """A rule set's table."""
    grid = _grid(found.name, "exact")
    for name, value, exact in _rule_set_rows(found):
        grid.add_row(name, value, exact)
    console.print(grid)


def _rule_set_rows(found: Reckoned) -> Iterator[tuple[str, str, str]]:
    main, trips = found.theory.main, found.theory.trips
    yield "main: expected per Ante", decimal(main.together.mean), str(main.together.mean)
    yield "main: returned per Ante", percent(main.together.returned), ""
    yield "main: average wager (Antes)", decimal(main.wagered), str(main.wagered)
    yield "main: returned of all wagered", percent(main.return_on_wagered), ""
    yield "main: element of risk", percent(main.element_of_risk), ""
    yield "main: standard deviation per Ante", f"{main.together.deviation:.8f}", ""
    for bet in _BETS:
        figures: Figures = getattr(main, bet)
        yield f"{bet}: expected per Ante", decimal(figures.mean), str(figures.mean)
    for (street, multiplier), share in main.actions.items():
        yield f"{street}: {f'play {multiplier}x' if multiplier else 'fold'}", percent(share), ""
    if trips is None:
        yield "trips", "–", "a fold ends it: depends on the decisions"
    else:
        yield "trips: returned", percent(trips.net.returned), str(trips.net.returned)
        yield "trips: wins", percent(trips.hit), str(trips.hit)
        yield "trips: standard deviation", f"{trips.net.deviation:.8f}", ""


def show_jackpot(console: Console, found: Linked) -> None:
    """A jackpot's table."""
    grid = _grid(f"{found.name}, {found.others} other bettors", "exact")
    odds = found.odds
    returned = odds.returned(found.meters, others=found.others)
    for level, meter in found.meters.items():
        grid.add_row(f"{level}: meter", found.amount(meter), found.currency.code)
        even = odds.break_even(level, found.meters, others=found.others)
        grid.add_row(f"{level}: break-even", found.amount(even) or "–", "")
        grid.add_row(f"{level}: mean in the long run", found.amount(odds.long_run(level)) or "–", "")
    grid.add_row("returned", percent(returned), str(returned))
    grid.add_row("of it fixed prizes", percent(odds.paid().mean / odds.policy.stake), "")
    grid.add_row("Envy per other bettor", percent(odds.envy()), str(odds.envy()))
    grid.add_row("wins anything", percent(odds.hit), str(odds.hit))
    for hand, share in odds.shares.items():
        grid.add_row(hand.replace("_", " "), f"1 in {decimal(1 / share, 2)}", str(share))
    console.print(grid)


def _grid(title: str, last: str) -> Grid:
    grid = Grid(title=title, title_justify="left", title_style="bold", box=SIMPLE_HEAD, pad_edge=False)
    grid.add_column("")
    grid.add_column("", justify="right", no_wrap=True)
    grid.add_column(last, overflow="fold")
    return grid


def _figures(figures: Figures) -> dict[str, Any]:
    return {
        "expected": _exact(figures.mean),
        "variance": _exact(figures.variance),
        "standard_deviation": f"{figures.deviation:.8f}",
    }


def _exact(value: Fraction) -> dict[str, str]:
    return {"fraction": str(value), "decimal": decimal(value)}
