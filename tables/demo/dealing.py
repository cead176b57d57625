"""Dealing the demo's rounds: from one seed always the same ones, as bodies of `POST /rounds/`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Any

from tables.demo import strategy
from tables.demo.blueprints import BLUEPRINTS, Blueprint
from tables.domain.cards import DECK

ROUND_TAKES = timedelta(seconds=40)
"""From one round's start to the next at a table, where the day is old enough."""

_ANTES = ("5.00", "10.00", "15.00", "25.00", "50.00")
_TRIPS = ("1.00", "5.00", "10.00", "25.00")
_MOST_BOXES = 6
_REGULARS = 8


@dataclass(frozen=True, slots=True)
class Dealt:
    """A round as it is sent, and what it was dealt to be, where it was."""

    body: dict[str, Any]
    blueprint: Blueprint | None = None


@dataclass(frozen=True, slots=True)
class Session:
    """What is dealt: how many rounds, at which tables, from `opened` until `closed`; `run` marks the external ids."""

    run: str
    seed: int
    rounds: int
    tables: Sequence[str]
    opened: datetime
    closed: datetime

    @property
    def step(self) -> timedelta:
        """From one round's start to the next at one table: a table's usual pace, faster where time is short."""
        at_a_table = -(-self.rounds // len(self.tables))
        return min(ROUND_TAKES, (self.closed - self.opened) / at_a_table)


def blueprints_for(rounds: int) -> dict[int, Blueprint]:
    """Which of so many rounds are dealt to hit, by their number from 0: spread evenly, the first ones if few."""
    count = min(rounds, len(BLUEPRINTS))
    return {(2 * n + 1) * rounds // (2 * count): BLUEPRINTS[n] for n in range(count)}


def deal(session: Session) -> Iterator[Dealt]:
    """The session's rounds in the order in which they are played, one table after the other."""
    # Chance for a demonstration: it must come out the same for the same seed, and keeps no secret.
    chance = Random(session.seed)  # noqa: S311
    to_hit = blueprints_for(session.rounds)
    pace = session.step
    first = session.closed - pace * -(-session.rounds // len(session.tables))
    for n in range(session.rounds):
        turn, place = divmod(n, len(session.tables))
        starts = first + pace * turn + pace * place / len(session.tables) / 2
        blueprint = to_hit.get(n)
        table = session.tables[place]
        cards = _dealt_to_hit(blueprint, table, chance) if blueprint else _shuffled(table, chance)
        yield Dealt(_times(starts, pace) | {"table": table, "external_id": f"{session.run}-{n:06d}"} | cards, blueprint)


def _times(starts: datetime, pace: timedelta) -> dict[str, str]:
    """Betting takes the first third of a round, and it is complete before the next one starts."""
    moments = {"started_at": starts, "locked_at": starts + pace / 6, "completed_at": starts + pace / 2}
    return {name: at.isoformat(timespec="microseconds") for name, at in moments.items()}


def _shuffled(table: str, chance: Random) -> dict[str, Any]:
    deck = list(DECK)
    chance.shuffle(deck)
    players = chance.sample(range(1, _REGULARS + 1), chance.randint(1, _MOST_BOXES))
    if len(players) > 1 and chance.random() < 0.2:
        players[-1] = players[0]  # one player at two boxes
    flop, turn, river, dealer = _draw(deck, 3), deck.pop(), deck.pop(), _draw(deck, 2)
    boxes = []
    for box, player in enumerate(players, start=1):
        pair = _draw(deck, 2)
        bets = _bets(box, _name(table, player), pair, chance, progressive=chance.random() < 0.75)
        boxes.append(bets | _decision(pair, flop, (*flop, turn, river), chance))
    return {"boxes": boxes, "flop": flop, "turn": turn, "river": river, "dealer": dealer}


def _dealt_to_hit(blueprint: Blueprint, table: str, chance: Random) -> dict[str, Any]:
    taken = {*blueprint.flop, *(card for seat in blueprint.seats for card in seat.cards)}
    deck = [card for card in DECK if card not in taken]
    chance.shuffle(deck)
    turn, river, dealer = deck.pop(), deck.pop(), _draw(deck, 2)
    boxes = []
    for box, seat in enumerate(blueprint.seats, start=1):
        bets = _bets(box, _name(table, seat.player.upper()), seat.cards, chance, progressive=seat.progressive)
        fold = {"action": "fold", "street": "river"}
        play = strategy.decide(seat.cards, blueprint.flop, (*blueprint.flop, turn, river))
        boxes.append(bets | {"decision": fold if seat.folds else play})
    return {"boxes": boxes, "flop": blueprint.flop, "turn": turn, "river": river, "dealer": dealer}


def _name(table: str, player: object) -> str:
    """A player by the table at which he always plays: P-03-A."""
    return f"P-{table.rpartition('-')[2]}-{player}"


def _bets(box: int, player: str, cards: Sequence[str], chance: Random, *, progressive: bool) -> dict[str, Any]:
    bets: dict[str, Any] = {"box": box, "player": player, "cards": cards, "ante": chance.choice(_ANTES)}
    if chance.random() < 0.5:
        bets["trips"] = chance.choice(_TRIPS)
    if progressive:
        bets["progressive"] = "1.00"
    return bets


def _decision(pair: strategy.Cards, flop: strategy.Cards, board: strategy.Cards, chance: Random) -> dict[str, Any]:
    """What the strategy says; now and then a raise of three times, or a player who says nothing in time."""
    if chance.random() < 0.02:
        return {}
    return {"decision": strategy.decide(pair, flop, board, multiplier=3 if chance.random() < 0.1 else 4)}


def _draw(deck: list[str], count: int) -> strategy.Cards:
    return tuple(deck.pop() for _ in range(count))
