"""The house that is measured, and its round: 7 boxes, each with Ante, Blind, Play, Trips and Progressive, dealt from a
seed, all into one meter. Everything is made by the product's own services.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Any

from django.utils import timezone

from jackpot import money
from jackpot import services as jackpot
from jackpot.domain.callers import Caller, Scope
from jackpot.models.jackpots import Jackpot
from jackpot.models.lanes import Lane
from jackpot.selectors import queue
from jackpot.services import clients
from tables.api.reading_rounds import whole_round
from tables.domain.cards import DECK
from tables.domain.facts import Reported
from tables.models.rulesets import RuleSet, RuleSetVersion
from tables.rulesets import published
from tables.services import demo_data, houses, ingest, settlement
from tables.services.ingest import Received
from tables.services.settlement import Drained

Json = dict[str, Any]

SITE, INTEGRATOR = "BENCH", "Bench"
RULES = "casino-progressive"
JACKPOTS = ("ONE", "TWO")
TABLES_A_JACKPOT = 32
WIDE = "WIDE"
"""The jackpot of the one table with a shared hand, at which any number of boxes may play."""
BOXES = 7
BATCH = 100
"""Rounds of one call."""
_PLAYS = (("preflop", 4), ("preflop", 3), ("flop", 2), ("river", 1))
_DEALT_BEFORE = timedelta(hours=2)
USD = money.currency("USD")


def tables_of(code: str) -> tuple[str, ...]:
    """The codes of the tables of a jackpot."""
    return tuple(f"{code}-{number:02}" for number in range(1, TABLES_A_JACKPOT + 1))


def open_house(*, now: datetime | None = None, policy: Json | None = None) -> None:
    """The shipped rule sets, a site, two jackpots (under the demo's policy, or another), and 32 tables on each."""
    now = now or timezone.now()
    rule_sets = {rule_set.code: rule_set for rule_set in houses.publish_rule_sets()}
    site = jackpot.open_site(code=SITE, name="Benchmark casino")
    for code in JACKPOTS:
        opened = jackpot.open_jackpot(
            code=code, name=code, currency_code=USD.code, home_site=site, now=now,
            document=policy or demo_data.policy_document(), in_force_at=houses.PUBLISHED_AT,
        )  # fmt: skip
        for table in tables_of(code):
            _open_table(table, site, rule_sets[RULES], opened)


def _open_table(code: str, site: jackpot.Site, rules: RuleSet, linked: Jackpot | None) -> None:
    houses.open_table(code=code, site=site, currency_code="USD", rule_set=rules, jackpot_of=linked)


def open_wide_table() -> None:
    """A jackpot and its table: the shipped rules of a shared hand, but with a Progressive."""
    rules = RuleSet.objects.create(code="shared-progressive", name="Shared hand with a Progressive")
    document = published()["live-shared"] | {"progressive_offered": True}
    RuleSetVersion.objects.create(rule_set=rules, version=1, document=document, in_force_at=houses.PUBLISHED_AT)
    site = jackpot.Site.objects.get(code=SITE)
    opened = demo_data.open_demo_jackpot(code=WIDE, name=WIDE, site=site, now=timezone.now())
    _open_table(f"{WIDE}-01", site, rules, opened)


def every_table() -> tuple[str, ...]:
    """The codes of the tables of both jackpots, one of each in turn."""
    return tuple(table for pair in zip(*map(tables_of, JACKPOTS), strict=True) for table in pair)


def open_more_tables(code: str, count: int) -> list[str]:
    """So many tables more on a jackpot, at each of which one live round may be open."""
    linked = Jackpot.objects.get(code=code)
    rules = RuleSet.objects.get(code=RULES)
    codes = [f"{code}-L{number:04}" for number in range(1, count + 1)]
    for table in codes:
        _open_table(table, jackpot.Site.objects.get(code=SITE), rules, linked)
    return codes


def new_key(*, now: datetime | None = None) -> str:
    """The text of a new key of the integrator who sends everything."""
    every = [scope.value for scope in Scope]
    return clients.issue_key(integrator=INTEGRATOR, sites=[SITE], scopes=every, now=now or timezone.now())


def caller(*, now: datetime | None = None) -> Caller:
    """Who sends everything, recognised by a new key of theirs."""
    found = clients.recognise(new_key(now=now), now=now or timezone.now())
    if found is None:
        raise RuntimeError("a new key is recognised")
    return found


def lane_of(code: str) -> int:
    """The lane of a jackpot, by its id."""
    return Lane.objects.get(jackpot__code=code).pk


class Dealer:
    """Deals rounds one after the other at some tables in turn, from one seed, as bodies of the API.

    `at`: when the first one is complete; every further one is complete `apart` later.
    """

    def __init__(
        self, seed: int, tables: Sequence[str], *, at: datetime | None = None, apart: timedelta = timedelta(0)
    ) -> None:
        self._random, self._tables, self._seed = Random(seed), tables, seed
        self._at, self._apart = at or timezone.now() - _DEALT_BEFORE, apart
        self._dealt = 0

    def rounds(self, count: int, *, boxes: int = BOXES) -> Iterator[Json]:
        """So many rounds."""
        for _ in range(count):
            yield self.round(boxes)

    def batches(self, count: int) -> Iterator[list[Json]]:
        """So many rounds, as many at a time as a call takes; the last call has the rest."""
        while count > 0:
            yield list(self.rounds(min(BATCH, count)))
            count -= BATCH

    def round(self, boxes: int = BOXES) -> Json:
        deck = self._random.sample(DECK, 2 * boxes + 7)
        complete = self._at + self._dealt * self._apart
        body: Json = {
            "table": self._tables[self._dealt % len(self._tables)],
            "external_id": f"{self._seed}-{self._dealt}",
            "started_at": (complete - timedelta(seconds=90)).isoformat(),
            "locked_at": (complete - timedelta(seconds=60)).isoformat(),
            "completed_at": complete.isoformat(),
            "boxes": [self._box(number, deck) for number in range(1, boxes + 1)],
        }
        body |= {"flop": [deck.pop(), deck.pop(), deck.pop()], "turn": deck.pop(), "river": deck.pop()}
        body["dealer"] = [deck.pop(), deck.pop()]
        self._dealt += 1
        return body

    def _box(self, number: int, deck: list[str]) -> Json:
        street, multiplier = self._random.choice(_PLAYS)
        return {
            "box": number, "player": f"P{self._random.randrange(5_000):04}", "cards": [deck.pop(), deck.pop()],
            "ante": "10.00", "trips": "5.00", "progressive": "1.00",
            "decision": {"action": "play", "street": street, "multiplier": multiplier},
        }  # fmt: skip


_LOSING = {"player_cards": ["As", "Kd"], "flop": ["Qs", "9h", "2c"], "turn": "7d", "river": "4h"}
_WINNING = {"player_cards": ["9s", "8s"], "flop": ["7s", "6s", "5s"], "turn": "7d", "river": "4h"}


def wide_round(boxes: int, *, hit: bool) -> Json:
    """One round of a shared hand, every box with another player; with `hit` they share a straight flush's prize."""
    complete = timezone.now() - _DEALT_BEFORE
    times = {"started_at": complete - timedelta(seconds=90), "completed_at": complete}
    every = {"ante": "10.00", "trips": "5.00", "progressive": "1.00",
             "decision": {"action": "play", "street": "flop", "multiplier": 2}}  # fmt: skip
    return {
        "table": f"{WIDE}-01", "external_id": "wide", **{name: at.isoformat() for name, at in times.items()},
        **(_WINNING if hit else _LOSING), "dealer": ["Jc", "3d"],
        "boxes": [{"box": number, "player": f"P{number:06}"} | every for number in range(1, boxes + 1)],
    }  # fmt: skip


def report(bodies: Sequence[Json], *, by: Caller, now: datetime | None = None) -> None:
    """Take rounds in by the service that the API calls. Fails where one is refused."""
    for answer in ingest.receive(caller=by, reports=[read(body) for body in bodies], now=now or timezone.now()):
        if not isinstance(answer, Received):
            raise RuntimeError(f"a round was refused: {answer}")  # noqa: TRY004


def read(body: Json) -> Reported:
    """A body as the API reads it."""
    return whole_round(body, {body["table"]: USD})


def settle_all() -> None:
    """Drain every lane until nothing waits."""
    while waiting := queue.lanes_waiting():
        for lane_id in waiting:
            drain_lane(lane_id)


def drain_lane(lane_id: int) -> None:
    """Settle what waits in a lane, as a worker does."""
    while settlement.drain(lane_id) is Drained.SOME:
        pass
