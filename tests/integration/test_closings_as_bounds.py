"""Figures that start from stored closings are those that are summed from the beginning, whatever happened and whichever
days are closed: days drawn at random, with payments, disputes, returns and late rounds in between.
"""

import random
from collections import defaultdict
from datetime import date, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db.models import Sum
from django.utils import timezone

from jackpot.domain import accounts
from jackpot.domain.accounts import Pot
from jackpot.domain.awards import MOVES, Move, State
from jackpot.models.awards import Award
from jackpot.models.closings import PotClosing
from jackpot.models.jackpots import Jackpot, Level
from jackpot.models.ledger import Account, Leg, StatementRow
from jackpot.models.readings import Reading
from jackpot.models.sites import GamingDay, Site
from jackpot.selectors import books, liabilities, readings, rolls
from jackpot.services import award_moves
from tests.api.reporting import site_with_days
from tests.factories import (
    assert_books_agree,
    caller,
    close_until,
    jackpot_with,
    person,
    receive,
    rule_set_with,
    settle_all,
    shuffle,
    table_with,
)
from tests.factories.documents import policy_document, rules_document
from tests.factories.random_rounds import RandomRounds
from tests.factories.random_settings import random_policy, random_rules

pytestmark = pytest.mark.django_db
FIRST = shuffle.FIRST_ROUND.date()
DAYS = [FIRST + timedelta(days=n) for n in range(5)]
HOUSES = 2


@pytest.fixture(params=range(HOUSES))
def draw(request: pytest.FixtureRequest) -> random.Random:
    return random.Random(100 + request.param)


def played(draw: random.Random) -> Jackpot:
    """A jackpot with a table at home and one away, rounds over four days that come in out of order, moves of awards
    between, and up to three days closed meanwhile.
    """
    settings, rules = random_policy(draw), {code: random_rules(draw) for code in "AB"}
    home, away = (site_with_days(code, *DAYS) for code in ("HOME", "AWAY"))
    link = jackpot_with(code="LINK", site=home, tables=(), now=shuffle.FIRST_ROUND, **policy_document(settings))
    for code, site in (("A", home), ("B", away)):
        table_with(code, site=site, link=link, rules=rule_set_with(code.lower(), **rules_document(rules[code])))
    made, me, staff = RandomRounds(draw, rules, settings), caller(), [person("ann"), person("ben")]
    for number in range(24):
        body = made.round()
        day = draw.choice(DAYS[max(0, number // 6 - 1) : number // 6 + 1])
        receive(shuffle.reported(_on(body, day)), by=me)
        if draw.random() < 0.4:
            settle_all()
            _move_awards(draw, staff)
        if number in (9, 16, 22):
            close_until(draw.choice((home, away)) if number == 9 else home, DAYS[number // 6 - 1])
    settle_all()
    return link


def _on(body: dict[str, Any], day: date) -> dict[str, Any]:
    """The round, moved to another day."""
    by = day - FIRST
    moved = dict(body)
    for name in ("started_at", "locked_at", "completed_at"):
        if moved.get(name):
            at = datetime.fromisoformat(moved[name].replace("Z", "+00:00")) + by
            moved[name] = at.isoformat().replace("+00:00", "Z")
    return moved


def _move_awards(draw: random.Random, staff: list[Any]) -> None:
    for award in Award.objects.filter(state__in=("pending", "approved", "disputed")).order_by("id"):
        award.refresh_from_db()  # an Envy goes with its hit
        may = [move for move in MOVES[State(award.state)] if move is not Move.WITHDRAW]
        if award.kind == "envy":
            may = [move for move in may if move is Move.PAY]
        if may and draw.random() < 0.5:
            move = draw.choice(may)
            for one in staff if move in (Move.APPROVE, Move.UPHOLD, Move.REJECT) else staff[:1]:
                if award.policy.read().approvals == 1 and one is not staff[0]:
                    continue
                award_moves.move(caller=one, award_id=award.pk, move=move, note="why", now=timezone.now())


def all_days() -> list[date]:
    return sorted(set(GamingDay.objects.values_list("day", flat=True)))


def test_from_closings_as_from_the_beginning(draw: random.Random) -> None:
    link = played(draw)
    assert PotClosing.objects.exists()
    _compare(link)
    for site in Site.objects.all():
        close_until(site, all_days()[-1])
    for _ in range(2):  # today is closed by now: what is done to awards is of the day after
        _move_awards(draw, [person("ann"), person("ben")])
        close_until(link.home_site, all_days()[-1])
    _compare(link)
    assert_books_agree()


def _compare(link: Jackpot) -> None:
    codes = list(Account.objects.values_list("code", flat=True))
    for day in [*all_days(), all_days()[0] - timedelta(days=1), all_days()[-1] + timedelta(days=1)]:
        assert books.balances_at(codes, day) == books.account_balances(codes, until=day)
        _compare_pots(link, day)
        unpaid = list(liabilities.unpaid_at(Award.objects.all(), day))
        assert {(award.pk, vars(award)["owed_day"]) for award in unpaid} == _unpaid_from_the_beginning(day)
        assert sum(award.amount for award in unpaid) == liabilities.owed_at([link], day)


def _compare_pots(link: Jackpot, day: date) -> None:
    for pot in rolls.pot_days([link], day):
        rows = StatementRow.objects.filter(level__jackpot=link, level__code=pot.level, pot=pot.pot)
        kinds = rows.filter(gaming_day=day).values_list("kind").annotate(sum=Sum("amount"))
        opening = int(rows.filter(gaming_day__lt=day).aggregate(sum=Sum("amount"))["sum"] or 0)
        assert (pot.opening, pot.by_kind) == (opening, {kind: int(amount) for kind, amount in kinds})
        assert pot.statement == pot.closing == pot.ledger == -books.account_balances(
            [code := accounts.pot_of("LINK", pot.level, pot.pot)], until=day
        )[code]  # fmt: skip
        assert (pot.difference, pot.opening_difference, pot.stored_difference) == (0, 0, 0)


def _unpaid_from_the_beginning(day: date) -> set[tuple[Any, date]]:
    """Every award that was ever owed, leg by leg: what its own entries say of it until that day."""
    awards = dict(Award.objects.values_list("pk", "entry_id"))
    owed: dict[Any, date] = {}
    legs = Leg.objects.filter(account__code="awards:LINK", gaming_day__lte=day).order_by("entry_id")
    for entry_id, since, reference in legs.values_list("entry_id", "gaming_day", "entry__source_ref"):
        owed |= {pk: since for pk, entry in awards.items() if entry == entry_id}
        kind, _, ref = reference.partition(":")
        if kind == "award":
            owed = {pk: since for pk, since in owed.items() if str(pk) != ref}
    return set(owed.items())


def test_readings_between_closings(draw: random.Random) -> None:
    """The row in force is the last one that was posted by then, in whichever day, however much of it is closed."""
    link = played(draw)
    reader = User.objects.create_user("reader", is_staff=True)
    times: dict[int, list[tuple[int, int, datetime]]] = defaultdict(list)
    rows = StatementRow.objects.filter(level__jackpot=link, pot=Pot.METER).order_by("level_id", "seq")
    for level_id, seq, after, at in rows.values_list("level_id", "seq", "after", "entry__posted_at"):
        times[level_id].append((seq, after, at))
    levels = {level.pk: level for level in Level.objects.filter(jackpot=link)}
    for level_id, stated in times.items():
        for _, _, at in stated:
            for read_at in (at, at + timedelta(microseconds=1)):
                Reading.objects.create(level=levels[level_id], shown=0, read_at=read_at, entered_at=read_at,
                                       entered_by=reader, tolerance=0)  # fmt: skip
    found = readings.placed(readings.readings_of([link]))
    assert len(found) == 2 * sum(map(len, times.values()))
    for one in found:
        stated = times[one.reading.level_id]
        seq, exact, since = [row for row in stated if row[2] <= one.reading.read_at][-1]
        following = next((row for row in stated if row[2] > one.reading.read_at), (None, None, None))
        assert (one.seq, one.exact, one.since) == (seq, exact, since)
        assert (one.next_seq, one.until) == (following[0], following[2])
        row = readings.meter_at(levels[one.reading.level_id], one.reading.read_at)
        assert row is not None
        assert (row.seq, row.after) == (seq, exact)
