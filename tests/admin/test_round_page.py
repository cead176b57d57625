"""The page of a round reads like its table, and leads from there to every figure's proof."""

import re
from uuid import UUID

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from jackpot.models.awards import Award
from jackpot.models.ledger import Entry, Link
from tables.domain.facts import VoidReason
from tables.models.rounds import BoxResult, Round
from tests.factories import House, low, play, receive, reported, royal, straight_flush
from tests.factories.corrections import ask_correction, correct
from tests.owner import as_owner

pytestmark = pytest.mark.django_db


_LEG = """UPDATE jackpot_leg SET amount = amount + 1 WHERE position = 1
           AND entry_id = (SELECT id FROM jackpot_entry WHERE source_ref = 'round:{}:v1')"""


@pytest.fixture
def staff() -> Client:
    client = Client()
    client.force_login(get_user_model().objects.create_superuser("admin"))
    return client


def hit(**more: object) -> UUID:
    """A royal at box 1 and a straight flush at box 2, each with Envy for the other; box 4 gets both."""
    boxes = (royal(1), straight_flush(2), low(4, pair="4c 4d"))
    return play(reported(*boxes, **more))[0]  # type: ignore[arg-type]


def page(staff: Client, round_id: UUID, name: str = "change") -> str:
    answer = staff.get(reverse(f"admin:tables_round_{name}", args=[round_id]))
    assert answer.status_code == 200
    return answer.content.decode()


def falsify(sql: str, round_id: UUID) -> None:
    with as_owner(past_guards=True) as cursor:
        cursor.execute(sql.format(round_id))


def test_it_shows_cards_boxes_bets_and_what_came_back(demo: House, staff: Client) -> None:
    shown = page(staff, hit())
    for text in ("ace of spades, counts", "two of diamonds", "P-1", "P-4", "play 4×, preflop", "royal flush",
                 "casino-progressive@1", "MAIN@1", "meter share", "the house keeps"):  # fmt: skip
        assert text in shown or text.capitalize() in shown, text
    assert "Box 3" in shown and "empty" in shown


def test_envy_goes_both_ways_in_arrows_and_in_words(demo: House, staff: Client) -> None:
    shown = page(staff, hit())
    told = re.findall(r"<li>From box (\d) \((.*?)\) to box (\d): <b>([\d.]+)</b>", shown)
    assert sorted(told) == [
        ("1", "royal flush", "2", "1000.00"), ("1", "royal flush", "4", "1000.00"),
        ("2", "straight flush", "1", "300.00"), ("2", "straight flush", "4", "300.00"),
    ]  # fmt: skip
    assert len(re.findall(r'<path class="(?:one|other) tip"', shown)) == 4
    assert len(set(re.findall(r'<path class="\w+" d="([^"]+)"', shown))) == 4


def test_it_leads_to_awards_evidence_entries_and_links(demo: House, staff: Client) -> None:
    shown = page(staff, hit())
    for award in Award.objects.all():
        assert reverse("admin:jackpot_award_change", args=[award.pk]) in shown
        assert reverse("console:evidence_pdf", args=[award.pk]) in shown
    for entry in Entry.objects.filter(source_ref__startswith="round:"):
        assert f'id="entry-{entry.pk}"' in shown and f'href="#link-{entry.lane_id}-{entry.link_seq}"' in shown
    assert bytes(Link.objects.latest("seq").digest).hex() in shown
    assert "✓ holds" in shown and "not balanced" not in shown


def test_the_timeline_tells_who(demo: House, staff: Client) -> None:
    round_id = hit()
    correct(round_id, reported(royal(1), low(2), low(4, pair="4c 4d")))
    shown = page(staff, round_id)
    at = [shown.index(f"<td>{what}</td>") for what in ("started", "betting closed", "complete")]
    assert at == sorted(at)
    for who in ("correction asked for</td><td>ann", "correction approved</td><td>ben", "started</td><td>Acme"):
        assert who in shown, who


def test_a_corrected_round_shows_both_versions_and_what_differs(demo: House, staff: Client) -> None:
    round_id = hit()
    correct(round_id, reported(royal(1), low(2), low(4, pair="4c 4d")))
    shown = page(staff, round_id)
    for text in ("corrected: version 2", "Version 2 (in force)", "≠ straight flush", "Box 2: cards", "9♠ 8♠", "2♣ 7♦"):
        assert text in shown, text


def test_a_replaced_version_is_drawn_as_it_stood(demo: House, staff: Client) -> None:
    round_id = hit()
    correct(round_id, reported(royal(1), low(2), low(4, pair="4c 4d")))
    address = reverse("admin:tables_round_change", args=[round_id])
    then = staff.get(address, {"version": "1"}).content.decode()
    assert "as it stood in version 1" in then and "From box 2 (straight flush) to box 4" in then
    for asked in ("2", "9", "0", "-1", "x", "\0", "٣", "9" * 50):
        now = staff.get(address, {"version": asked})
        assert now.status_code == 200 and "as it stood in version" not in now.content.decode()


def test_a_correction_that_waits_is_shown(demo: House, staff: Client) -> None:
    round_id = hit()
    ask_correction(round_id, reported(royal(1), low(2), low(4, pair="4c 4d")))
    assert "a correction waits for a second person" in page(staff, round_id)


def test_void_rounds_and_boxes_are_marked(demo: House, staff: Client) -> None:
    whole = play(reported(low(1), void=VoidReason.MALFUNCTION, note="shuffler stopped"))[0]
    box = play(reported(low(1, void=VoidReason.CARD_EXPOSED_HOLE), low(2, pair="9c 9d")))[0]
    shown = page(staff, whole)
    assert "void: malfunction, shuffler stopped" in shown and "<strong>VOID</strong> malfunction" in shown
    assert "<strong>VOID</strong> card exposed hole" in page(staff, box)


def test_it_opens_for_a_result_that_is_no_whole_minor_unit(demo: House, staff: Client) -> None:
    round_id = hit()
    falsify("UPDATE tables_boxresult SET ante = ante + 1 WHERE round_id = '{}' AND box = 1", round_id)
    assert "10.00000001" in page(staff, round_id)
    assert "1 difference in" in page(staff, round_id, "reperform")


def test_performed_again_it_has_no_difference(demo: House, staff: Client) -> None:
    round_id = hit()
    assert "0 differences in" in page(staff, round_id, "reperform")
    correct(round_id, reported(royal(1), low(2), low(4, pair="4c 4d")))
    shown = page(staff, round_id, "reperform")
    assert "0 differences in" in shown and "Version 1" in shown and "Version 2, in force" in shown


@pytest.mark.parametrize(
    ("sql", "named"),
    [
        ("UPDATE tables_boxresult SET trips = 5 WHERE round_id = '{}' AND box = 4", "trips returned"),
        ("UPDATE tables_boxresult SET hand = 'flush' WHERE round_id = '{}' AND box = 1", "hand"),
        ("UPDATE tables_boxresult SET outcomes = 'lll-l' WHERE round_id = '{}' AND box = 1", "ante outcome"),
        ("DELETE FROM tables_boxresult WHERE round_id = '{}' AND box = 1", "result"),
        ("UPDATE tables_round SET river = '7s' WHERE id = '{}'", "digest of its facts and results"),
        ("UPDATE tables_round SET phase = 'void' WHERE id = '{}'", "phase"),
        ("UPDATE jackpot_award SET amount = amount + 1 WHERE source_ref = '{}' AND kind = 'envy'", "Envy from box"),
        ("UPDATE jackpot_award SET amount = amount + 1 WHERE source_ref = '{}' AND kind = 'hit'", "award of its hit"),
        (_LEG, "seal"),
        ("UPDATE tables_box SET cards = 'xxyy' WHERE round_id = '{}' AND box = 4", "facts"),
    ],
)  # fmt: skip
def test_performed_again_it_names_what_was_falsified(demo: House, staff: Client, sql: str, named: str) -> None:
    round_id = hit()
    falsify(sql, round_id)
    shown = page(staff, round_id, "reperform")
    assert "0 differences in" not in shown
    lines = re.findall(r'<tr class="changed"><th scope="row">.*?</th><td>(.*?)</td>', shown)
    assert any(line.startswith(named) for line in lines), lines
    page(staff, round_id)


def test_a_round_that_is_not_settled_opens(demo: House, staff: Client) -> None:
    round_id = receive(reported(low(1)))[0]
    assert "Nothing is posted of this round" in page(staff, round_id)
    assert "not settled" in page(staff, round_id, "reperform")


def test_it_is_looked_at_by_who_may_and_changed_by_nobody(demo: House, staff: Client) -> None:
    round_id = hit()
    before = (Round.objects.get(pk=round_id).phase, BoxResult.objects.count())
    clerk = Client()
    clerk.force_login(get_user_model().objects.create_user("clerk", is_staff=True))
    for name in ("change", "reperform"):
        address = reverse(f"admin:tables_round_{name}", args=[round_id])
        assert clerk.get(address).status_code == 403
        assert Client().get(address).status_code == 302
        assert staff.post(address).status_code == 403
        assert staff.get(address.replace(str(round_id), "rubbish")).status_code == 404
        assert staff.get(address.replace(str(round_id), "%00")).status_code == 404
    assert (Round.objects.get(pk=round_id).phase, BoxResult.objects.count()) == before
