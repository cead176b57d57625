"""What came of it: the roll-forward of the meters, hits and Envy, each table's result, and the checks."""

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as Grid

from jackpot import money
from jackpot.selectors import awards, books
from jackpot.services import StatementKind
from tables.demo.checking import Checks
from tables.demo.house import House
from tables.domain.cards import in_symbols
from tables.models.rounds import Box, Round
from tables.selectors import loading, results


def show(console: Console, house: House, checks: Checks) -> None:
    """Print everything a run has to show."""
    for grid in (roll_forward(house), hits(house), table_results(house)):
        console.print(grid)
        console.print()
    console.print(verdict(checks))
    for line in checks.trouble[:20]:
        console.print(f"  {line}", style="red", highlight=False, markup=False)


def roll_forward(house: House) -> Grid:
    """Every pot of the jackpot from its opening to its closing, by kind, exact."""
    pots = books.roll_forward(house.progressive)
    grid = _grid(f"Meters of {house.progressive.code}", [""], [])
    for roll in pots:
        grid.add_column(f"{roll.level} {roll.pot}", justify="right", no_wrap=True)
    grid.add_row("opening", *(_exact(roll.opening, house) for roll in pots))
    for kind in StatementKind:
        if any(kind in roll.by_kind for roll in pots):
            grid.add_row(kind.replace("_", " "), *(_exact(roll.by_kind.get(kind, 0), house) for roll in pots))
    grid.add_section()
    grid.add_row("closing", *(_exact(roll.closing, house) for roll in pots), style="bold")
    return grid


def hits(house: House) -> Grid:
    """Every hit with its cards, what it was paid from, and the Envy it brought to others."""
    found = list(awards.all_awards().filter(jackpot=house.progressive).order_by("entry_id", "position"))
    envy: dict[Any, list[int]] = {}
    for award in found:
        envy.setdefault(award.hit_id, []).append(award.amount)
    grid = _grid("Hits", ["at", "player", "hand", "cards and flop"], ["meter", "award", "Envy"])
    for award in (award for award in found if award.kind == "hit"):
        to_others = envy.get(award.pk, [])
        grid.add_row(
            f"{_short(award.table_ref)}/{award.box}",
            award.player,
            award.hand.replace("_", " "),
            _cards_of(award),
            _amount(award.meter_before or 0, house),
            _amount(award.amount, house),
            f"{len(to_others)} × {_amount(to_others[0], house)}" if to_others else "–",
        )
    grid.caption = "at: table and box; meter: what the sign showed; Envy goes to others' boxes"
    return grid


def _cards_of(award: Any) -> str:
    rnd = Round.objects.get(pk=award.source_ref)
    pair = Box.objects.values_list("cards", flat=True).get(round_id=rnd.pk, box=award.box)
    return f"{cards(pair)} | {cards(rnd.flop)}"


def table_results(house: House) -> Grid:
    """What each table took and paid back by bet; hold = (handle − returned) / handle."""
    grid = _grid("Tables", ["table", "bet"], ["handle", "returned", "house", "hold"])
    found = results.by_table(Round.objects.filter(table__in=house.tables))
    for _, of_table in groupby(found, key=lambda result: result.table):
        for n, result in enumerate(of_table):
            grid.add_row("" if n else result.table, result.bet, *_result(result.handle, result.returned, house))
        grid.add_section()
    total = (sum(result.handle for result in found), sum(result.returned for result in found))
    grid.add_row("all", "all", *_result(*total, house), style="bold")
    grid.caption = "without Envy, which the jackpot owes"
    return grid


def verdict(checks: Checks) -> Grid:
    """The three checks, each with what it looked at."""
    audit = checks.audit
    grid = _grid("Checks, recomputed from scratch", ["", "check", "looked at"], [])
    looked = f"{audit.entries} entries, {audit.legs} legs"
    grid.add_row(_mark(passed=checks.ledger_balanced), "ledger balanced", looked)
    looked = f"{len(checks.pots)} pots, {audit.statement_rows} rows, {audit.awards} awards"
    grid.add_row(_mark(passed=checks.meter_reconciled), "meter = statement = ledger", looked)
    looked = f"{audit.settlements} settlements, {audit.boxes} boxes: {checks.differences} differences"
    grid.add_row(_mark(passed=audit.proved), "every settlement re-performed", looked)
    return grid


def cards(stored: str) -> str:
    """Cards as they are stored ("AsTh") the way they look: A♠ 10♥."""
    found = loading.cards_in(stored) or ()
    return " ".join(map(in_symbols, found))


def _grid(title: str, names: Iterable[str], amounts: Iterable[str]) -> Grid:
    grid = Grid(title=title, title_justify="left", title_style="bold", box=SIMPLE_HEAD, pad_edge=False)
    grid.caption_justify = "left"
    for name in names:
        grid.add_column(name, overflow="fold")
    for name in amounts:
        grid.add_column(name, justify="right", no_wrap=True)
    return grid


def _short(table_code: str) -> str:
    """A table's own part of its code: the house's is the same for all of them."""
    return table_code.rpartition("-")[2]


def _result(handle: int, returned: int, house: House) -> tuple[str, str, str, str]:
    hold = f"{(handle - returned) * 1_000 // handle / 10:.1f}%" if handle else "–"
    return _amount(handle, house), _amount(returned, house), _amount(handle - returned, house), hold


def _amount(units: int, house: House) -> str:
    return _grouped(money.show(units, house.progressive.currency))


def _exact(units: int, house: House) -> str:
    return _grouped(money.show_exact(units, house.progressive.currency)) if units else "–"


def _grouped(decimal: str) -> str:
    whole, point, fraction = decimal.partition(".")
    return f"{int(whole):,}{point}{fraction}" if whole not in ("-0", "-") else decimal


def _mark(*, passed: bool) -> str:
    return "[green]✔[/green]" if passed else "[red]✘[/red]"
