"""Reports and corrections: a past day's reports never change, the correction's own day shows the difference."""

from datetime import timedelta
from uuid import UUID

import pytest

from jackpot.domain.callers import READ_SCOPES, Caller
from jackpot.models.jackpots import Jackpot
from jackpot.reports import REPORTS, Asked, Report
from tables.domain.facts import Reported, VoidReason
from tables.models.rounds import Round
from tables.reports import REPORTS as OF_ROUNDS
from tables.selectors.tables import jackpots_linked
from tests.api.reporting import AFTER, ALL, DAY, NOON, link_of_two_sites
from tests.factories import assert_books_agree, caller, low, play, reported, royal, straight_flush
from tests.factories.corrections import correct
from tests.unit.builders import FOLD, usd

pytestmark = pytest.mark.django_db
NEXT_DAY = NOON + timedelta(days=1)


def made(name: str, link: Jackpot, day: object = DAY) -> Report:
    auditor = Caller(scopes=READ_SCOPES, user_id=1)
    asked = Asked(caller=auditor, day=day, made_at=NOON, made_by="", linked=jackpots_linked, jackpot=link)  # type: ignore[arg-type]
    return {**REPORTS, **OF_ROUNDS}[name](asked)


def cells(report: Report) -> list[tuple[object, ...]]:
    """All but an award's state, which is today's whatever day is asked for."""
    kept = [n for n, column in enumerate(report.columns) if column.name != "state"]
    return [tuple(line.cells[n] for n in kept) for line in report.lines]


def total(report: Report, column: str) -> object:
    return report.totals.cells[[column.name for column in report.columns].index(column)]


PLAYED = (royal(1), low(2, decision=FOLD))
CORRECTIONS: dict[str, tuple[Reported, ...]] = {
    "another hand": (reported(straight_flush(1), low(2, decision=FOLD), table="T-01", at=NOON),),
    "another player and stake": (
        reported(royal(1, ante="10.00", player="P-9"), low(2, progressive="0"), table="T-01", at=NOON),
    ),
    "a void": (reported(*PLAYED, table="T-01", at=NOON, void=VoidReason.MALFUNCTION),),
    "twice": (
        reported(straight_flush(1), low(2), table="T-01", at=NOON),
        reported(low(1, pair="9h 8h"), low(2), low(3, pair="3d 8d"), table="T-01", at=NOON),
    ),
}


def played() -> tuple[Jackpot, UUID]:
    link = link_of_two_sites()
    me = caller("HOME")
    (round_id,) = play(reported(*PLAYED, table="T-01", at=NOON), by=me)
    play(reported(low(1), table="T-01", at=NOON), by=me)
    return link, round_id


@pytest.mark.parametrize("label", CORRECTIONS)
def test_the_day_stays_and_the_next_shows_the_difference(label: str) -> None:
    link, round_id = played()
    before = {name: cells(made(name, link)) for name in ALL}
    for n, facts in enumerate(CORRECTIONS[label]):
        correct(round_id, facts, reason="wrong_bets", at=NEXT_DAY + timedelta(minutes=n))
    for name, was in before.items():
        assert cells(made(name, link)) == was, name
    rnd = Round.objects.get(pk=round_id)
    assert (rnd.gaming_day, rnd.superseded.latest("version").replaced_day) == (DAY, AFTER)
    for day in (DAY, AFTER):
        posted, tables = made("expected-posted", link, day), made("tables", link, day)
        assert total(posted, "difference") == 0
        assert total(tables, "returned") == total(posted, "returned_posted")
        assert total(tables, "envy") == total(posted, "envy_posted")
        assert total(tables, "contributed") == total(posted, "contribution_posted")
        assert total(made("roll-forward", link, day), "difference") == 0
    assert_books_agree()


def test_the_difference_in_numbers() -> None:
    """A royal that was a straight flush: the Progressive gives back 10,000.60 less 1,000.06, the Envy 700.00 less."""
    link, round_id = played()
    play(reported(low(1), table="T-01", at=NOON), by=caller("HOME"))
    correct(round_id, CORRECTIONS["another hand"][0], at=NEXT_DAY)
    bets = {line.cells[2]: line.cells for line in made("tables", link, AFTER).lines}
    assert bets["progressive"][3:7] == (0, 0, 0, usd("1000.04") - usd("10000.40"))
    assert total(made("tables", link, AFTER), "envy") == usd("300.00") - usd("1000.00")
    (row,) = [line.cells for line in made("by-site", link, AFTER).lines]
    assert row[5] == usd("10000.40") - usd("10000.00") + usd("0.04")  # share and base of the reset, and its reserve


def test_a_void_that_a_correction_brought_or_undid_stands_on_its_day() -> None:
    link, round_id = played()
    correct(round_id, CORRECTIONS["a void"][0], reason="void_missed", at=NEXT_DAY)
    brought = [(line.cells[3], line.cells[4], line.cells[12]) for line in made("voids", link, AFTER).lines]
    assert brought == [("round", 1, usd("10000.40")), ("round", 2, 0)]
    correct(round_id, reported(*PLAYED, table="T-01", at=NOON), at=NEXT_DAY)
    undone = [(line.cells[3], line.cells[4], line.cells[12]) for line in made("voids", link, AFTER).lines][2:]
    assert undone == [("undone: round", 1, -usd("10000.40")), ("undone: round", 2, 0)]
    assert total(made("voids", link, AFTER), "staked") == 0
