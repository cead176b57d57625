"""The console's home: figures are those of reports and rows, what is not alive is said, one sees what one may."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.db import connection, connections
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from config import health, presence
from jackpot.models.closings import Closing
from jackpot.models.jackpots import Jackpot, Level
from jackpot.models.lanes import Lane
from jackpot.models.ledger import StatementRow
from jackpot.money import displayed, parse_exact, show
from jackpot.selectors import meter_history, since_reset
from jackpot.selectors.days import day_of
from tables.domain.facts import VoidReason
from tables.models.rounds import Round
from tables.reports import handle
from tests.api.reporting import report, table
from tests.factories import House, caller, change_policy, close_until, jackpot_with, low, play, receive, reported, royal
from tests.factories.corrections import correct
from tests.owner import as_owner

ALIVE = {"worker": True, "clock": True, "webhooks": True, "broker": True}


@pytest.fixture(autouse=True)
def signs(monkeypatch: pytest.MonkeyPatch) -> dict[str, bool]:
    """What is seen of the processes; all of them where a test does not say otherwise."""
    seen = dict(ALIVE)
    monkeypatch.setattr(health, "_broker", lambda: seen["broker"])
    monkeypatch.setattr(presence, "seen", lambda: {name for sign, name in _NAMES.items() if seen[sign]})
    return seen


_NAMES = {"worker": presence.SESSION_NAME, "clock": presence.CLOCK_NAME, "webhooks": presence.WEBHOOKS_NAME}


def client_with(*permissions: str, name: str = "dee") -> Client:
    user = User.objects.create_user(name, is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=[one.partition(".")[2] for one in permissions]))
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def staff(db: None) -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("admin"))
    return client


def home(client: Client, query: str = "") -> Any:
    answer = client.get(f"/admin/{query}")
    assert answer.status_code == 200
    return answer


def tiles(answer: Any) -> dict[str, Any]:
    return {tile.label: tile for tile in (*answer.context["waiting"], *answer.context["running"])}


def played(demo: House) -> None:
    """Today: forty rounds at two tables, then a royal with an Envy."""
    now = timezone.now() - timedelta(minutes=2)
    rounds = [
        reported(low(1), low(2, pair="8c 9h", player="P-2"), table=f"UTH-0{1 + n % 2}", at=now) for n in range(40)
    ]
    play(*rounds, reported(royal(1), low(2), at=now))


def test_meters_are_the_levels_and_what_came_since_the_reset(demo: House, staff: Client) -> None:
    played(demo)
    play(reported(low(1), low(2, pair="8c 9h"), at=timezone.now()))
    level = Level.objects.get(jackpot=demo.jackpot)
    [meter] = home(staff).context["meters"]
    assert meter.displayed.replace(",", "") == f"{show(displayed(level.meter), demo.jackpot.currency)} USD"
    facts = dict(meter.facts)
    assert facts["Hits"].startswith("1; last ")
    assert facts["Since its reset"].endswith("; changes of the meter: 1")
    assert facts["Handle since its reset"] == "2.00 USD"
    assert staff.get(meter.statement).status_code == staff.get(meter.address).status_code == 200


def test_what_came_since_a_reset_is_the_same_through_closings(demo: House) -> None:
    """By closings and the rows behind them, held against all rows since the reset."""
    now = timezone.now()
    for back in (3, 2, 1, 0):
        play(reported(low(1), at=now - timedelta(days=back)), reported(low(1), at=now - timedelta(days=back)))
    level = Level.objects.get(jackpot=demo.jackpot)
    rows = StatementRow.objects.filter(level=level, pot="meter", seq__gt=level.reset_seq)
    whole = sum(rows.filter(kind__in=("contribution", "void")).values_list("amount", flat=True))
    before = since_reset.since_reset([level])[level.pk]
    assert (before.contributed, before.changes) == (whole, rows.count())
    assert close_until(demo.site, day_of(demo.site, now) - timedelta(days=1))
    play(reported(low(1), at=now))
    level.refresh_from_db()
    after = since_reset.since_reset([level])[level.pk]
    assert Closing.objects.exists()
    assert after.contributed == whole + rows.order_by("-seq")[0].amount
    assert after.handle == level.wagered


def test_the_chart_has_every_hit_and_the_last_row(demo: House, staff: Client) -> None:
    played(demo)
    for n in range(3 * meter_history.SAMPLES):
        receive(reported(low(1), table=f"UTH-0{1 + n % 4}", at=timezone.now()))
    play(reported(royal(1), at=timezone.now()))
    level = Level.objects.get(jackpot=demo.jackpot)
    found = meter_history.meters_since([level.pk], timezone.now() - timedelta(days=1))[level.pk]
    rows = {row.seq: row for row in StatementRow.objects.filter(level=level, pot="meter")}
    assert len(found) < len(rows)
    assert all(stood.units == rows[stood.seq].after and stood.kind == rows[stood.seq].kind for stood in found)
    assert {seq for seq, row in rows.items() if row.kind == "award"} <= {stood.seq for stood in found}
    assert (found[0].seq, found[-1].seq) == (1, level.meter_seq)
    charts = {chart.title: chart for chart in home(staff).context["charts"]}
    assert len(charts["MAIN · main, 24 hours"].marks) == 2
    middle = found[len(found) // 2]
    later = meter_history.meters_since([level.pk], middle.at)[level.pk]
    assert later[0].at < middle.at <= later[1].at


def test_today_is_what_the_report_on_tables_says(demo: House, staff: Client) -> None:
    played(demo)
    day = day_of(demo.site, timezone.now())
    said = report(staff, "tables", place="site=DEMO", day=day)
    by_bet, by_table = home(staff).context["today"]
    usd, names = demo.jackpot.currency, ("handle", "returned")
    sums: dict[str, Counter[str]] = defaultdict(Counter)
    for bet, handle_of, returned in table(said, "bet", "handle", "returned"):
        sums[bet].update(handle=parse_exact(handle_of, usd), returned=parse_exact(returned, usd))
    shown = {
        row[0]: {
            name: parse_exact(cell.replace(",", "").split()[0], usd) for name, cell in zip(names, row[1:3], strict=True)
        }
        for row in by_bet.rows
    }
    assert shown == sums
    assert {re.sub("<[^>]+>", "", row[0]) for row in by_table.rows} == {"UTH-01", "UTH-02"}
    address = unescape(re.findall('href="([^"]+)"', by_table.rows[0][0])[0])
    assert staff.get(address).context["asked"].day == day


def test_days_are_what_their_reports_say_corrections_inside(demo: House, staff: Client) -> None:
    """Of a round that was corrected on a later day: the first day keeps its figures, the later one the difference."""
    now = timezone.now()
    [rnd] = play(reported(low(1), low(2, pair="3d 5h"), at=now - timedelta(days=1)))
    play(reported(low(1), at=now))
    correct(rnd, reported(low(1), low(2, pair="8c 9h"), at=now - timedelta(days=1)), at=now)
    days = [day_of(demo.site, now - timedelta(days=back)) for back in (1, 0)]
    for closed_at in (None, now, now):
        found = handle.of_days([handle.Day(demo.site.pk, day, closed_at) for day in days])
        for day in days:
            said = table(report(staff, "tables", place="site=DEMO", day=day), "table", "bet", "handle", "result")
            usd = demo.jackpot.currency
            assert [
                (bet.table, bet.bet, show(bet.handle, usd), show(bet.won, usd)) for bet in found[demo.site.pk, day]
            ] == said


def test_what_waits_is_counted_with_its_age_and_leads_to_it(demo: House, staff: Client) -> None:
    played(demo)
    receive(reported(low(1), at=timezone.now()))
    receive(reported(royal(1), void=VoidReason.OTHER, note="why", at=timezone.now()))
    found = tiles(home(staff))
    assert found["Hits to approve"].value == "1"
    assert found["Hits to approve"].note.startswith("10,016.40 USD, the oldest 2 min")
    assert (found["Rounds not settled yet"].value, found["Failed rounds"].value) == ("1", "0")
    assert found["Voids for a second person"].value == "1"
    assert found["Queue"].value == "2"  # the lock-out of the void one is posted, whatever is decided
    for tile in found.values():
        assert tile.address is None or staff.get(tile.address).status_code == 200, tile.label
    assert staff.get(found["Hits to approve"].address).context["cl"].result_count == 1


def test_days_that_are_over_wait_to_be_closed(demo: House, staff: Client) -> None:
    play(reported(low(1), at=timezone.now() - timedelta(days=2)))
    over = tiles(home(staff))["Days to close"]
    assert int(over.value) >= 1 and over.note.startswith("DEMO; over for ")
    close_until(demo.site, day_of(demo.site, timezone.now()) - timedelta(days=1))
    assert tiles(home(staff))["Days to close"].value == "0"


@pytest.mark.parametrize(
    ("missing", "said"),
    [
        ("worker", "No worker is seen: rounds are received and wait"),
        ("clock", "The clock of the sweep is not seen"),
        ("broker", "The broker does not answer"),
    ],
)
def test_what_is_dead_is_said_loudly(
    missing: str, said: str, demo: House, staff: Client, signs: dict[str, bool]
) -> None:
    assert 'role="alert"' not in home(staff).content.decode()
    signs[missing] = False
    page = home(staff).content.decode()
    assert f'role="alert">{said}' in page and "not seen" in page


def test_a_queue_that_grows_old_is_said_to_be_missing_from_the_figures(demo: House, staff: Client) -> None:
    ago = timezone.now() - timedelta(minutes=5)
    receive(reported(low(1), at=ago - timedelta(seconds=1)), now=ago)
    page = home(staff)
    assert "1 entries wait in the queue, the first for 5 min" in page.content.decode()
    assert tiles(page)["Queue"].tone == "wrong"


def test_a_head_that_is_not_its_link_is_said(demo: House, staff: Client) -> None:
    play(reported(low(1), at=timezone.now()))
    assert home(staff).context["wrong"] == []
    with as_owner(past_guards=True):
        Lane.objects.filter(jackpot=demo.jackpot).update(head=bytes(32))
    assert "is not the digest of its last link" in home(staff).content.decode()


SEEN = {
    "jackpot.view_jackpot": "<h2>Meters</h2>",
    "jackpot.view_award": "Hits to approve",
    "tables.view_round": "Failed rounds",
    "jackpot.view_gamingday": "Days to close",
    "jackpot.view_changerequest": "Changes for a second person",
}


@pytest.mark.parametrize("permission", SEEN)
def test_one_sees_what_one_may(permission: str, demo: House) -> None:
    page = home(client_with(permission)).content.decode()
    assert [name for name, part in SEEN.items() if part in page] == [permission]
    assert "Today by bet" not in page and "The service" in page


def test_it_is_for_staff_and_is_only_looked_at(demo: House, staff: Client) -> None:
    assert Client().get("/admin/").status_code == 302
    assert staff.post("/admin/").status_code == 405
    before = _written()
    home(staff)
    home(staff, "?period=week")
    assert _written() == before


def _written() -> Mapping[str, object]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_current_xact_id_if_assigned()")
        assert cursor.fetchone()
    return {"rounds": list(Round.objects.values()), "lanes": list(Lane.objects.values("sealed", "posted_at"))}


def test_its_queries_do_not_grow(demo: House, staff: Client) -> None:
    play(reported(low(1), at=timezone.now()))
    home(staff)
    with CaptureQueriesContext(connection) as few:
        home(staff)
    for n in range(3):
        jackpot_with(code=f"L{n}", site=demo.site, tables=(f"T-{n}",))
        play(*(reported(low(1), table=f"T-{n}", at=timezone.now()) for _ in range(10)), by=caller())
        play(reported(royal(1), table=f"T-{n}", at=timezone.now()), by=caller())
    change_policy(Jackpot.objects.get(code="L1"), base="500.00")
    with CaptureQueriesContext(connection) as many:
        home(staff)
    assert len(many) == len(few)
    assert len(few) < 45


@pytest.fixture
def clock(transactional_db: None) -> Iterator[presence.Clock]:
    from config.celery import app

    made = presence.Clock(app=app, lazy=True)
    yield made
    made._session.end()


def test_the_sweeps_clock_is_seen_while_it_goes_round(clock: presence.Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert presence.CLOCK_NAME not in presence.seen()
    clock.tick()
    assert presence.CLOCK_NAME in presence.seen()
    clock._session.end()
    connections.close_all()
    assert presence.CLOCK_NAME not in presence.seen()
