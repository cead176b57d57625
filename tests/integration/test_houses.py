"""Setting up a house: what is refused leaves nothing behind."""

import pytest

from jackpot.domain.errors import Refused
from jackpot.models.ledger import Account, Entry
from tables.domain.hands import HandName
from tables.models.tables import Table
from tests.factories import NOW, assert_books_agree, jackpot_with, play, policy, reported, royal, table_with

pytestmark = pytest.mark.django_db


def lines(*hands: str) -> list[dict[str, object]]:
    return [{"hand": hand, "odds": 10} for hand in hands]


@pytest.mark.parametrize(
    ("hands", "says"),
    [
        (["royal_flsh"], "no hand of this game"),
        (["flush", "four_of_a_kind"], "from the strongest to the weakest"),
    ],
)
def test_a_table_is_not_linked_to_a_jackpot_whose_pay_table_it_cannot_serve(hands: list[str], says: str) -> None:
    link = jackpot_with(tables=(), progressive_table=lines(*hands), envy_table={})
    accounts = Account.objects.count()
    with pytest.raises(Refused, match=says):
        table_with(code="T-01", site=link.home_site, link=link)
    assert (Table.objects.count(), Account.objects.count()) == (0, accounts)


def test_the_default_pay_table_names_hands_of_the_game_in_their_order() -> None:
    named = [line["hand"] for line in policy()["progressive_table"]]
    assert named == [name for name in HandName if name in named]


def test_a_jackpot_is_funded_when_it_is_opened_whatever_its_policy_reaches_back_to() -> None:
    link = jackpot_with()
    assert link.opened_at == NOW
    assert Entry.objects.get(kind="reset").event_at == NOW
    # no hit is late for the first funding: only for a reset that another hit caused
    play(reported(royal(1), table="T-01", at=NOW.replace(year=2025)), reported(royal(1), table="T-01"))
    assert list(link.awards.filter(kind="hit").order_by("entry_id").values_list("late", flat=True)) == [False, False]
    play(reported(royal(1), table="T-01", at=NOW.replace(year=2025, month=12)))
    assert link.awards.order_by("entry_id").values_list("late", flat=True).last() is True


def test_a_jackpot_without_a_base_is_proved_like_any_other() -> None:
    level = {"code": "main", "base": "0.00", "increment_ppm": 200_000, "reserve_ppm": 20_000}
    jackpot_with(levels=[level])
    assert_books_agree()
    play(reported(royal(1), table="T-01"))
    assert_books_agree()
