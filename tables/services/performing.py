"""Versions of rounds as they are performed again by the thousand: facts and rules, and nothing of what is sealed.

`tables.services.versions` reads whole rounds, with all that a record of their settlement says. A report of a day needs
the columns that decide what a bet brings back, and reads no others: four queries, and those of `versions` where rounds
were corrected.
"""

from collections.abc import Iterable
from typing import NamedTuple
from uuid import UUID

from django.db.models import Case, F, When

from jackpot import services as jackpot
from jackpot.selectors.among import Among
from tables.domain import settlement
from tables.domain.facts import RoundFacts
from tables.domain.results import RoundResult
from tables.domain.rules import RuleSet
from tables.models.rounds import Round
from tables.models.rulesets import RuleSetVersion
from tables.models.tables import Table
from tables.selectors import loading
from tables.selectors.versions import RuleBook
from tables.services import batch, versions, writing
from tables.services.batch import Work

Returned = dict[int, tuple[int, ...]]
"""What came back to each box for each bet, in the order of `WagerKind`, in ledger units."""


class Played(NamedTuple):
    """A version of a round: its facts, and what it pinned. `ref` is the round's id as the books have it, `policy_id`
    the policy under which bets were locked out; None where none were.
    """

    id: UUID
    ref: str
    version: int
    table: Table
    game_number: str
    facts: RoundFacts
    rules: RuleSet
    policy_id: int | None

    @classmethod
    def of(cls, work: Work) -> "Played":
        """The same of a round that was read whole."""
        rnd = work.round
        policy_id = rnd.policy_id if rnd.locked_at is not None else None
        return cls(rnd.id, str(rnd.id), work.version, rnd.table, rnd.game_number, work.facts, work.rules, policy_id)

    @property
    def source(self) -> str:
        """The reference of its settlement."""
        return f"round:{self.ref}:v{self.version}"

    def settle(self) -> RoundResult:
        """Every wager's end but the Progressives'. Raises ValueError as `tables.domain.settlement` does."""
        return settlement.settle(self.facts, self.rules)

    def showdown(self, result: RoundResult) -> jackpot.Showdown:
        """What the jackpot is asked to price."""
        claims = batch.claims(self.facts, result) if self.policy_id is not None else ()
        return jackpot.Showdown(self.ref, self.policy_id, claims, self.rules.shared_hand)

    def returned(self, result: RoundResult, outcome: jackpot.Outcome | None) -> Returned:
        """What comes back for each bet, the Progressives as the jackpot priced them."""
        prizes = outcome.prizes if outcome else {}
        found = {}
        for bets, box in zip(self.facts.boxes, result.boxes, strict=True):
            back = [0] * len(writing.PLACE)
            for kind, _, _, amount, _ in (*box.wagers, *batch.progressive(bets, self.facts, prizes.get(box.box))):
                back[writing.PLACE[kind]] = amount
            found[box.box] = tuple(back)
        return found


def first_of(round_ids: Iterable[UUID]) -> dict[UUID, Played]:
    """The first versions of some settled rounds: what they were settled on, whatever was corrected since."""
    wanted = list(round_ids)
    found = _never_corrected(wanted)
    if rest := [pk for pk in wanted if pk not in found]:
        found |= {pk: Played.of(work) for pk, work in versions.first_of(rest).items()}
    return found


class _Row(NamedTuple):
    """A round's columns."""

    id: UUID
    table_id: int
    game_number: str
    rule_set_id: int
    policy_locked: int | None
    flop: str
    turn: str
    river: str
    dealer: str
    player_cards: str
    void_reason: str


def _never_corrected(wanted: list[UUID]) -> dict[UUID, Played]:
    """Those of these rounds that have one version, and pinned the rules it is by."""
    locked = Case(When(locked_at__isnull=False, then=F("policy_id")))
    rounds = Round.objects.filter(Among("id", wanted), version=batch.FIRST_VERSION, rule_set__isnull=False)
    rows = [_Row._make(row) for row in rounds.annotate(policy_locked=locked).values_list(*_Row._fields)]
    tables = Table.objects.in_bulk({row.table_id for row in rows})
    rule_sets = RuleSetVersion.objects.select_related("rule_set").in_bulk({row.rule_set_id for row in rows})
    book = RuleBook(tables.values())
    boxes = loading.rows_of(row.id for row in rows)
    found = {}
    for row in rows:
        table, ref = tables[row.table_id], str(row.id)
        rules = book.rules(rule_sets[row.rule_set_id], table.currency_code)
        facts = loading.facts_of(row, loading.boxes_in(boxes.get(ref, ())))
        found[row.id] = Played(
            row.id, ref, batch.FIRST_VERSION, table, row.game_number, facts, rules, row.policy_locked
        )  # fmt: skip
    return found
