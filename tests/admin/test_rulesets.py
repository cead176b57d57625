"""Rule sets in the console: read, compared, made anew by two people, with the exact figures of what is edited."""

from datetime import timedelta
from fractions import Fraction
from math import comb
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from jackpot.models.change_requests import ChangeRequest
from tables.domain.facts import Street
from tables.domain.hands import HandName
from tables.models.odds import RuleSetOdds
from tables.models.rounds import Round
from tables.models.rulesets import RuleSet, RuleSetVersion
from tables.odds.settings import Settings
from tables.odds.tallies import Ending, Tally
from tables.odds.theory import Theory
from tables.services import odds, rule_sets
from tests.admin.people import page, staff, step, take, text
from tests.admin.test_setup import EVERY, approve, form_of
from tests.factories import NOW, House, assert_books_agree, caller, low, person, receive, reported, settle_all
from tests.factories.set_up import ask_rules, change_rules

TRIPS = ("royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight", "three_of_a_kind")


@pytest.fixture
def ann(demo: House) -> Client:
    return staff("ann", *EVERY)


@pytest.fixture
def ben(demo: House) -> Client:
    return staff("ben", *EVERY)


@pytest.fixture
def one(demo: House) -> RuleSetVersion:
    return RuleSetVersion.objects.get(rule_set__code="casino-progressive")


def trips_of(*odds: int) -> dict[str, str]:
    """What the form says of a Trips table."""
    named = {"trips_name": "trips-" + "-".join(map(str, odds))}
    return named | {f"trips_{hand}": str(line) for hand, line in zip(TRIPS, odds, strict=True)}


def test_a_version_reads_as_a_layout_prints_it(ann: Client, one: RuleSetVersion) -> None:
    shown = text(ann.get(page(one)))
    for part in ("500 to 1", "3 to 2", "96.502063%", "4,324", "1 in 6.5488", "any empty box", "5.00 to 500.00",
                 "a command", "in force", "UTH-01"):  # fmt: skip
        assert part in shown, part
    assert "&quot;blind_table&quot;" not in shown


@pytest.mark.parametrize(
    ("odds", "returned"),
    [
        ((50, 40, 30, 8, 7, 4, 3), "96.502063%"), ((50, 40, 30, 8, 6, 5, 3), "98.095951%"),
        ((50, 40, 30, 9, 7, 4, 3), "99.098165%"), ((50, 40, 20, 7, 6, 5, 3), "93.819176%"),
    ],
)  # fmt: skip
def test_trips_as_edited_returns_what_is_known_of_it(
    odds: tuple[int, ...], returned: str, ann: Client, one: RuleSetVersion
) -> None:
    """numbers.md; by the button without a script, and by what the script asks. Nothing is stored or asked for."""
    said = form_of(ann, one, "next", **trips_of(*odds))
    shown = ann.post(step(one, "next"), said | {"preview": "1"})
    assert shown.status_code == 200 and returned in text(shown)
    assert returned in text(ann.get(reverse("console:rule_set_figures", args=[one.pk]), said))
    assert not ChangeRequest.objects.exists() and not RuleSetOdds.objects.exists()


def test_hands_are_as_they_are_counted_by_hand(demo: House, ann: Client, one: RuleSetVersion) -> None:
    """By combinations: five cards each, of seven cards a four of a kind, a royal and a straight flush."""
    royal, straights = 4, 10 * 4
    fives = {
        "royal flush": royal, "straight flush": straights - royal, "four of a kind": 13 * 48,
        "full house": 13 * comb(4, 3) * 12 * comb(4, 2), "flush": 4 * comb(13, 5) - straights,
        "straight": 10 * 4**5 - straights, "three of a kind": 13 * comb(4, 3) * comb(12, 2) * 4**2,
    }  # fmt: skip
    shown = ann.get(step(demo.site, "jackpot")).context["form"].figures()[0]
    assert {row[0]: row[1] for row in shown.rows} == {hand: f"{count:,}" for hand, count in fives.items()}
    sevens = {"royal flush": 4 * comb(47, 2), "four of a kind": 13 * comb(48, 3)}
    rows = {row[0]: row[1] for row in ann.get(page(one)).context["figures"][0].rows}
    assert {hand: rows[hand] for hand in sevens} == {hand: f"{count:,}" for hand, count in sevens.items()}
    assert sum(int(count.replace(",", "")) for count in rows.values()) == comb(52, 7)


def test_pay_tables_that_are_wrong_as_yet_say_so(ann: Client, one: RuleSetVersion) -> None:
    at = reverse("console:rule_set_figures", args=[one.pk])
    said = form_of(ann, one, "next")
    assert "lines.flush" in text(ann.get(at, said | {"trips_flush": "seven"}))
    assert "name of another" in text(ann.get(at, said | {"trips_flush": "6"}))
    assert text(ann.get(at)).count("console-wrong") == 2


def test_the_blind_by_the_deals_that_were_counted(ann: Client, one: RuleSetVersion) -> None:
    """Of four deals one wins with a flush, three lose: 3 to 2 returns 1/4 · 5/2, 4 to 1 returns 1/4 · 5."""
    assert "manage.py odds" in text(ann.get(page(one)))
    deals = [
        Tally(Street.FLOP, 2, ending, HandName.FLUSH, count)
        for ending, count in ((Ending.WON_QUALIFIED, 1), (Ending.LOST_QUALIFIED, 3))
    ]
    theory = Theory.of(Settings.from_document(one.document), deals)
    odds.store(version=one, theory=theory, now=NOW)
    assert theory.main.blind.returned == Fraction(5, 8)
    shown = text(ann.get(page(one)))
    assert "62.500000%" in shown and "best under" not in shown
    said = form_of(ann, one, "next", blind_flush="4", blind_name="blind-c")
    shown = text(ann.get(reverse("console:rule_set_figures", args=[one.pk]), said))
    assert "125.000000%" in shown and "best under casino-progressive@1" in shown


def test_a_version_by_two_people_takes_force_at_its_instant(ann: Client, ben: Client, one: RuleSetVersion) -> None:
    """Rounds before keep the old one, whenever they come in."""
    since = timezone.now().replace(second=0, microsecond=0) + timedelta(hours=2)
    said = form_of(ann, one, "next", **trips_of(50, 40, 30, 8, 6, 5, 3), reason="pay_table",
                   in_force_at=f"{since:%Y-%m-%d %H:%M}")  # fmt: skip
    assert ann.post(step(one, "next"), said).status_code == 302
    request = ChangeRequest.objects.get()
    shown = text(ben.get(page(request)))
    assert "trips-50-40-30-8-6-5-3" in shown
    assert "second_person" not in text(take(ann, request, "approve", status=403))
    assert RuleSetVersion.objects.filter(rule_set=one.rule_set).count() == 1
    approve(ben)
    two = RuleSetVersion.objects.get(rule_set=one.rule_set, version=2)
    assert (two.in_force_at, two.change and two.change.by.get_username()) == (since, "ben")
    assert "waits" in text(ann.get(page(two))) and "in force" in text(ann.get(page(one)))
    after = since + timedelta(seconds=72)
    moments = after - timedelta(seconds=1), after
    ids = receive(*(reported(low(1), at=at) for at in moments), by=caller(), now=since + timedelta(hours=1))
    found = Round.objects.in_bulk(ids)
    assert [str(found[pk].rule_set) for pk in ids] == ["casino-progressive@1", "casino-progressive@2"]
    settle_all()
    assert_books_agree()


@pytest.mark.parametrize(
    ("said", "at"),
    [
        ({"trips_flush": "seven"}, "trips_flush"),
        ({"blind_flush": "2"}, "blind_name"),
        ({"trips_name": "Not a name"}, "trips_name"),
        ({"preflop_multipliers": "4 or 3"}, "preflop_multipliers"),
        ({"preflop_multipliers": "11"}, "preflop_multipliers"),
        ({"fold_streets": ["flop"]}, "fold_streets"),
        ({"max_boxes": "23"}, "max_boxes"),
        ({"ante_min": "600.00"}, "ante_max"),
        ({"trips_max": "1.001"}, "trips_max"),
        ({"ante_max": "999999999.00"}, "ante_max"),
        ({"box_max": "0.00"}, "box_max"),
        ({"payout_limit_amount": "none"}, "payout_limit_amount"),
        ({"betting_seconds": "0"}, "betting_seconds"),
        ({"betting_seconds": "9000"}, "betting_seconds"),
        ({"betting_seconds": "9", "in_force_at": "2020-01-01 06:00"}, "in_force_at"),
        ({"in_force_at": "tomorrow"}, "in_force_at"),
        ({"betting_seconds": "9", "reason": "other"}, "note"),
        ({"base": "7"}, "__all__"),
        ({}, "__all__"),
    ],
)
def test_what_is_asked_is_refused_at_its_field(
    said: dict[str, Any], at: str, ann: Client, one: RuleSetVersion
) -> None:  # fmt: skip
    answer = ann.post(step(one, "next"), form_of(ann, one, "next", reason="limits") | said)
    assert answer.status_code in (400, 422), answer.status_code
    assert at in answer.context["form"].errors, answer.context["form"].errors
    assert not ChangeRequest.objects.exists()


@pytest.mark.parametrize("code", ["live-shared", "live-online", "casino-fold-early", "practice", "casino-progressive"])
def test_the_form_of_every_shipped_rule_set_says_what_it_is(code: str, demo: House, ann: Client) -> None:
    """Sent as it was opened, it changes nothing."""
    version = RuleSetVersion.objects.get(rule_set__code=code)
    answer = ann.post(step(version, "next"), form_of(ann, version, "next", reason="limits"))
    assert [*answer.context["form"].errors] == ["__all__"], answer.context["form"].errors
    assert "as it stands" in text(answer)


def test_two_versions_side_by_side_differ_where_they_do(ann: Client, one: RuleSetVersion) -> None:
    change_rules(one.rule_set, at=NOW, betting_seconds=25, odds_rounding="down")
    shown = ann.get(reverse("admin:tables_rulesetversion_compare"), {"a": str(one), "b": "casino-progressive@2"})
    differing = {name: (was, becomes) for name, was, becomes, differs in shown.context["rows"] if differs}
    assert differing.keys() == {"In force from", "Time for bets", "Odds on odd stakes"}
    assert differing["Time for bets"] == ("no clock", "25 s")
    assert text(shown).count(">differs<") == 3 == text(shown).count('<tr class="changed">')
    others = ann.get(reverse("admin:tables_rulesetversion_compare"), {"a": "live-shared@1", "b": "practice@1"})
    assert "one shared by all boxes" in text(others)
    assert ann.get(reverse("admin:tables_rulesetversion_compare"), {"a": "none"}).status_code == 200
    assert staff("dee").get(reverse("admin:tables_rulesetversion_compare")).status_code == 403


def test_a_version_that_was_overtaken_is_not_approved(ben: Client, one: RuleSetVersion) -> None:
    first, second = ask_rules(one.rule_set, betting_seconds=20), ask_rules(one.rule_set, decision_seconds=20)
    rule_sets.approve_version(caller=person("cid"), request_id=first, now=NOW)
    request = ChangeRequest.objects.get(pk=second)
    assert "changed meanwhile" in text(ben.get(page(request)))
    take(ben, request, "approve", status=409)
    assert RuleSet.objects.get(pk=one.rule_set_id).versions.count() == 2


def test_the_list_names_what_plays_and_what_to_compare(ann: Client, one: RuleSetVersion) -> None:
    change_rules(one.rule_set, at=NOW, betting_seconds=25)
    shown = text(ann.get(reverse("admin:tables_rulesetversion_changelist")))
    for part in ("casino-progressive@2", "with casino-progressive@1", "UTH-01, UTH-02", "replaced"):
        assert part in shown, part
