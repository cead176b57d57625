"""Rounds drawn at random are corrected, moved on and corrected again: whatever comes, the books are those of the facts
in force, and everything can be performed again.
"""

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from jackpot.domain.awards import DECISIONS, State, allowed
from jackpot.domain.callers import Caller
from jackpot.domain.errors import Refused
from jackpot.models.awards import Award
from jackpot.models.jackpots import Level
from jackpot.models.ledger import Leg, StatementRow
from jackpot.services import award_moves
from tables.domain.results import WagerKind
from tables.models.rounds import Box, BoxResult, Round
from tables.selectors.results import returned_to, stakes_of
from tables.services import batch
from tests.api.reporting import site_with_days
from tests.factories import (
    NOW,
    assert_books_agree,
    caller,
    jackpot_with,
    person,
    receive,
    rule_set_with,
    settle_all,
    shuffle,
    table_with,
)
from tests.factories.corrections import approve_correction, ask_correction
from tests.factories.documents import policy_document, rules_document
from tests.factories.random_rounds import RandomRounds
from tests.factories.random_settings import random_policy, random_rules

pytestmark = pytest.mark.django_db
DAY = shuffle.FIRST_ROUND.date()
HOUSES = 4
ROUNDS = 10
CORRECTIONS = 10
CENT = 10**6


class Story:
    """A house drawn from a number: rounds come in, awards are moved, rounds are corrected."""

    def __init__(self, seed: int) -> None:
        self.draw = draw = random.Random(seed)
        settings = random_policy(draw) | {"verify_from": draw.choice(["0.00", "25.00"])}
        rules = {code: random_rules(draw, shared=code == "B") for code in "AB"}
        home = site_with_days("HOME", DAY)
        self.link = jackpot_with(
            code="LINK", site=home, tables=(), now=shuffle.FIRST_ROUND, approvals=1, **policy_document(settings)
        )
        for code, settings_of in rules.items():
            made = rule_set_with(code.lower(), **rules_document(settings_of))
            table_with(code, site=home, link=self.link, rules=made)
        self.rounds = RandomRounds(draw, rules, settings)
        self.by: Caller = caller()
        self.corrected = self.carried = 0

    def play(self, count: int) -> None:
        for _ in range(count):
            receive(shuffle.reported(self.rounds.round()), by=self.by)
        settle_all()

    def move_awards(self) -> None:
        for award in Award.objects.order_by("id"):
            award.refresh_from_db()
            may = allowed(State(award.state), envy=award.kind == "envy")
            if may and self.draw.random() < 0.5:
                move = self.draw.choice(may)
                who = person("cleo") if move in DECISIONS else person("dora")
                award_moves.move(caller=who, award_id=award.pk, move=move, note="because", now=NOW)

    def correct(self) -> None:
        settled = list(Round.objects.filter(version__gt=0).order_by("id"))
        again = [rnd for rnd in settled if rnd.version > 1]
        rnd = self.draw.choice(again if again and self.draw.random() < 0.4 else settled)
        facts = shuffle.reported(self.rounds.round(table=rnd.table.code))
        at = NOW + timedelta(minutes=self.corrected)
        if rnd.locked_at is None and facts.facts.void is None:
            with pytest.raises(Refused, match="illegal_move"):
                ask_correction(rnd.id, facts, at=at)
            return
        approve_correction(ask_correction(rnd.id, facts, at=at), at=at)
        self.corrected += 1

    def correct_an_ante(self) -> None:
        """Another Ante in a round with hits changes nothing for its awards: all of them stay as they are, and so do the
        meters with their overflow, as far as what was put in for the hits is still there.
        """
        hits = Award.objects.filter(kind="hit").values_list("source_ref", flat=True)
        for rnd in Round.objects.filter(pk__in=hits, phase="settled").order_by("id"):
            facts = batch.load([rnd.id], lock=False)[rnd.id].facts
            first, *others = facts.boxes
            dearer = replace(facts, boxes=(first._replace(ante=first.ante + 5 * CENT), *others))
            corrected = replace(shuffle.reported(self.rounds.round(table=rnd.table.code)), facts=dearer, void_note="")
            at = NOW + timedelta(minutes=self.corrected)
            try:
                request = ask_correction(rnd.id, corrected, reason="wrong_bets", at=at)
            except Refused:  # an Ante that the table does not take
                continue
            stood, awards, kept = self.meters(), list(states(rnd)), funded(rnd)
            approve_correction(request, at=at)
            self.corrected += 1
            self.carried += 1
            assert list(states(rnd)) == awards
            for level, (meter, overflow) in stood.items():
                if meter >= kept[level]:
                    assert sum(self.meters()[level]) == meter + overflow, (rnd.game_number, level)

    def meters(self) -> dict[int, tuple[int, int]]:
        return {pk: (meter, over) for pk, meter, over in Level.objects.values_list("pk", "meter", "overflow")}


def states(rnd: Round) -> Iterable[tuple[UUID, str]]:
    return Award.objects.filter(source_ref=rnd.id).order_by("id").values_list("id", "state")


def funded(rnd: Round) -> Counter[int]:
    """What resets of the version in force put into each meter. A restore goes by what the meter lacks today, so a level
    that had one is left out: no meter has that much.
    """
    found: Counter[int] = Counter()
    rows = StatementRow.objects.filter(pot="meter", entry__source_ref__startswith=f"round:{rnd.id}:v{rnd.version}:hit")
    for level, kind, amount in rows.values_list("level_id", "kind", "amount"):
        found[level] += amount if kind != "restore" else 10**18
    return found


def legs(round_id: UUID, table: str) -> Counter[str]:
    """What all entries of a round moved in its table's accounts, payments of awards aside."""
    changes = [f"change:{pk}" for pk in Round.objects.get(pk=round_id).superseded.values_list("change", flat=True)]
    found: Counter[str] = Counter()
    ours = Leg.objects.filter(account__code__contains=f":{table}").exclude(entry__kind="award_paid")
    ours = ours.exclude(entry__kind="award_returned")
    for code, ref, amount in ours.values_list("account__code", "entry__source_ref", "amount"):
        if ref.startswith(f"round:{round_id}") or any(ref.startswith(change) for change in changes):
            found[code] += amount
    return found


def expected(rnd: Round) -> Counter[str]:
    """What they must have moved, from the facts and results in force alone."""
    table, found = rnd.table.code, Counter[str]()
    results = {row.box: row for row in BoxResult.objects.filter(round=rnd, version=rnd.version)}
    for box in Box.objects.filter(round=rnd):
        stakes, returned = stakes_of(box), returned_to(results[box.box])
        for kind in (WagerKind.ANTE, WagerKind.BLIND, WagerKind.PLAY, WagerKind.TRIPS):
            won = stakes[kind] - returned[kind]
            found[f"float:{table}"] += won
            found[f"win:{table}:{'trips' if kind is WagerKind.TRIPS else 'main'}"] -= won
        if rnd.locked_at:
            found[f"float:{table}"] += stakes[WagerKind.PROGRESSIVE]
            if results[box.box].basis != "meter_share":
                found[f"float:{table}"] -= returned[WagerKind.PROGRESSIVE]
    return found


def assert_as_if_settled_once(rnd: Round) -> None:
    table = rnd.table.code
    found, due = legs(rnd.id, table), expected(rnd)
    for code in (f"float:{table}", f"win:{table}:main", f"win:{table}:trips"):
        assert found[code] == due[code], (rnd.game_number, code)


def assert_awards_are_owed(rnd: Round) -> None:
    """Of each box: what is paid and still owed is what the results say, but for what was rejected or mispaid."""
    results = BoxResult.objects.filter(round=rnd, version=rnd.version, basis="meter_share")
    owed = dict(results.values_list("box", "progressive"))
    for box in {*owed, *Award.objects.filter(source_ref=rnd.id, kind="hit").values_list("box", flat=True)}:
        rows = Award.objects.filter(source_ref=rnd.id, kind="hit", box=box)
        sums: dict[Any, int] = Counter()
        for award in rows:
            sums[award.state] += award.amount
        stands = sum(sums[state] for state in ("pending", "approved", "disputed"))
        due = owed.get(box, 0)
        assert stands <= max(0, due - min(sums["paid"], due)), (rnd.game_number, box)
        if not sums["rejected"]:
            assert stands == max(0, due - sums["paid"]), (rnd.game_number, box)


@pytest.mark.parametrize("seed", range(HOUSES))
def test_the_books_are_those_of_the_facts_in_force(seed: int) -> None:
    story = Story(seed)
    story.play(ROUNDS)
    for n in range(CORRECTIONS):
        story.correct()
        if n % 3 == 0:
            story.play(1)
        if n % 4 == 1:
            story.move_awards()
        if n % 5 == 2:
            story.correct_an_ante()
    assert story.carried
    assert story.corrected >= CORRECTIONS // 2
    for rnd in Round.objects.filter(version__gt=1).select_related("table"):
        assert_as_if_settled_once(rnd)
        assert_awards_are_owed(rnd)
    assert_books_agree()
