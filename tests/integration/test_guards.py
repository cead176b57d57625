# ruff: noqa: S608 — the SQL is a test's own words
"""What PostgreSQL refuses by itself, whoever asks: every trigger and every named constraint of our tables."""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.contrib.auth.models import Permission, User
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from jackpot.models.awards import Award
from jackpot.models.jackpots import Level
from jackpot.models.ledger import Account, Link
from jackpot.services.readings import enter_reading
from jackpot.webhooks import deliveries, endpoints
from tables.domain.facts import VoidReason
from tables.models.rounds import Round
from tables.models.rulesets import RuleSetVersion
from tables.models.tables import Table
from tables.services import betting, dealing, rounds, void_decisions, voiding
from tests.factories import (
    NOW,
    caller,
    flush_hand,
    jackpot_with,
    low,
    person,
    play,
    receive,
    reported,
    royal,
    straight_flush,
    table_with,
)
from tests.factories.corrections import correct
from tests.integration.guards.awards import AWARD_MOVES, COMPLETE_MOVES
from tests.integration.guards.beginnings import BEGINNINGS
from tests.integration.guards.cases import Case
from tests.integration.guards.chain import CHAIN, COMPLETE
from tests.integration.guards.changes import CHANGES, DECLINED
from tests.integration.guards.closings import CLOSINGS
from tests.integration.guards.corrections import CORRECTED, CORRECTIONS
from tests.integration.guards.days import DAYS
from tests.integration.guards.events import EVENTS, TAKEN
from tests.integration.guards.ledger import LEDGER
from tests.integration.guards.moves import ADJUSTED, MOVES, SUSPENDED
from tests.integration.guards.odds import ODDS
from tests.integration.guards.people import PEOPLE
from tests.integration.guards.policies import APPROVED, BROUGHT, POLICIES
from tests.integration.guards.rounds import TABLES
from tests.integration.guards.set_up import OPENED, REPLACED, SET_UP, SET_UP_SO
from tests.integration.guards.voids import WAITING_VOIDS
from tests.owner import as_owner
from tests.unit.builders import cards

OURS = "('jackpot', 'tables')"
ALL = [
    *LEDGER, *CHAIN, *AWARD_MOVES, *BEGINNINGS, *CHANGES, *CORRECTIONS, *POLICIES, *DAYS, *EVENTS, *MOVES, *TABLES,
    *WAITING_VOIDS, *ODDS, *PEOPLE, *SET_UP,
]  # fmt: skip
NEVER_REMOVED = {"jackpot_site": "site", "jackpot_jackpot": "jackpot", "tables_table": "table"}


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[dict[str, Any]]:
    """A house with a settled hit and its Envy, a round that waits, one that is dealt, one open for bets."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield _build()
        transaction.set_rollback(True)


def _build() -> dict[str, Any]:
    link = jackpot_with(limit="20000.00")
    for code in ("T-02", "T-03"):
        table_with(code, site=link.home_site, link=link)
    me = caller()
    void = VoidReason.MALFUNCTION
    (again,) = play(reported(royal(1), table="T-01"), by=me)  # a reset that a hit caused
    correct(again, reported(royal(1, ante="10.00"), table="T-01"), reason="wrong_bets")  # and a hit that carries over
    settled, posted = play(
        reported(straight_flush(1), low(2), table="T-01"), reported(low(1), table="T-01", void=void), by=me
    )
    complete, voided = receive(
        reported(flush_hand(1), low(2), table="T-01"), reported(low(1), table="T-01", void=void), by=me
    )
    boxes = royal(1), low(2, progressive="0.00", void=void)  # the void of box 2 cancels nothing: it does not wait
    waiting, declined = receive(*(reported(*boxes, table="T-01", void=void) for _ in range(2)), by=me)
    void_decisions.decline(caller=person("sue"), round_id=declined, note="", now=NOW)
    live = {}
    for code in ("T-02", "T-03"):
        live[code] = rounds.open_round(caller=me, table_code=code, external_id=None, now=NOW).round_id
        betting.place(caller=me, round_id=live[code], boxes=[low(1), low(2)], now=NOW)
    dealing.lock(caller=me, round_id=live["T-03"], now=NOW)
    dealing.deal(
        caller=me, round_id=live["T-03"], cards={1: cards("2c 7d"), 2: cards("9h Kh")}, player_cards=None, now=NOW
    )
    voiding.void_box(caller=me, round_id=live["T-03"], box=1, reason=VoidReason.WRONG_BET, note="", now=NOW)
    told = endpoints.add(integrator="Acme", url="https://hooks.example.com/", types=(), private=False, now=NOW)
    endpoints.rotate(endpoint_id=told.endpoint_id, now=NOW)
    rounds.suspend(caller=me, round_id=live["T-02"], note="", now=NOW)
    rounds.resume(caller=me, round_id=live["T-02"], note="", now=NOW)
    assert deliveries.claim(told.endpoint_id, now=NOW)
    hit = Award.objects.get(kind="hit", hand="straight_flush")
    now = timezone.now()
    staff = User.objects.create_user("reader", is_staff=True)
    staff.user_permissions.add(Permission.objects.get(codename="enter_reading"))
    level = Level.objects.select_related("jackpot").get(jackpot=link)
    reading, _ = enter_reading(level=level, shown=0, read_at=now, by=staff, now=now)
    _check_deferred()
    return {
        "jackpot": link.pk, "site": link.home_site_id, "lane": hit.entry.lane_id,
        "site_lane": link.home_site.lane.pk, "level": hit.level_id,
        "entry": hit.entry_id, "link": Link.objects.latest("seq").pk,
        "account": Account.objects.get(code="cage:" + link.home_site.code).pk, "award": hit.pk,
        "envy": Award.objects.get(kind="envy").pk, "settled": settled, "complete": complete, "void": posted,
        "voided": voided, "waiting": waiting, "integrator": me.integrator_id,
        "table": Table.objects.get(code="T-01").pk,
        "betting": live["T-02"], "locked": live["T-03"], "new": uuid4(),
        "rule_set": RuleSetVersion.objects.latest("id").pk, "key": me.key_id,
        "user": person("ann").user_id, "other": person("ben").user_id,
        "endpoint": told.endpoint_id,
        "reading": reading.pk,
    }  # fmt: skip


def _execute(statements: Iterable[str], world: dict[str, Any]) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement, world)
    _check_deferred()


def _check_deferred() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def _fingerprint(table: str) -> bytes:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {table}::text FROM {table} ORDER BY 1")
        return sha256(repr(cursor.fetchall()).encode()).digest()


def assert_refused(world: dict[str, Any], case: Case) -> None:
    """To the owner of the tables by the guard, which leaves nothing behind."""
    before = _fingerprint(case.table)
    with pytest.raises(DatabaseError) as refused, as_owner():
        _execute(case.statements, world)
    cause = refused.value.__cause__
    assert isinstance(cause, psycopg.Error)
    assert cause.diag.constraint_name == case.raises, cause
    assert _fingerprint(case.table) == before


def assert_refused_to_the_application(world: dict[str, Any], case: Case) -> None:
    """By the same guard, or before it where the statement itself is not granted; a guard that lacked a right of its own
    would say where.
    """
    before = _fingerprint(case.table)
    with pytest.raises(DatabaseError) as refused, transaction.atomic():
        _execute(case.statements, world)
    cause = refused.value.__cause__
    assert isinstance(cause, psycopg.Error)
    if not isinstance(cause, psycopg.errors.InsufficientPrivilege) or cause.diag.context:
        assert cause.diag.constraint_name == case.raises, cause
        assert not case.raises.endswith("_append_only"), "kept by grants too"
    assert _fingerprint(case.table) == before


@pytest.mark.parametrize("case", ALL, ids=str)
def test_the_database_refuses(world: dict[str, Any], case: Case) -> None:
    assert_refused(world, case)


@pytest.mark.parametrize("case", ALL, ids=str)
def test_the_application_is_refused_before_or_by_the_same_guard(world: dict[str, Any], case: Case) -> None:
    assert_refused_to_the_application(world, case)


def test_the_world_is_one_that_may_be(world: dict[str, Any]) -> None:
    """What the cases start from: a case that fails for want of its round would prove nothing."""
    names = ("settled", "void", "complete", "voided", "betting", "locked")
    found = {name: Round.objects.get(pk=world[name]) for name in names}
    assert {name: (rnd.phase, rnd.version) for name, rnd in found.items()} == {
        "settled": ("settled", 1), "void": ("void", 1), "complete": ("complete", 0), "voided": ("void", 0),
        "betting": ("betting", 0), "locked": ("preflop", 0),
    }  # fmt: skip


@pytest.mark.parametrize(
    "statements",
    [
        *COMPLETE,
        *COMPLETE_MOVES,
        DECLINED,
        CORRECTED,
        APPROVED,
        BROUGHT,
        ADJUSTED,
        SUSPENDED,
        TAKEN,
        OPENED,
        SET_UP_SO,
        REPLACED,
    ],
    ids=(
        "by itself",
        "with its digest",
        "with a row",
        "with an award",
        "a dispute",
        "an approval",
        "declined",
        "a correction",
        "a policy",
        "its terms",
        "adjusted",
        "suspended",
        "with an event",
        "a jackpot",
        "a table",
        "a rule set",
    ),
)
def test_the_database_takes_what_is_complete(world: dict[str, Any], statements: tuple[str, ...]) -> None:
    """From these the cases of the chain differ by one thing each."""
    with transaction.atomic():
        _execute(statements, world)
        transaction.set_rollback(True)


@pytest.mark.parametrize("table", NEVER_REMOVED)
def test_what_the_books_point_to_is_never_removed(world: dict[str, Any], table: str) -> None:
    """By foreign keys alone, and not by the application at all."""
    with pytest.raises(DatabaseError) as refused, as_owner():
        _execute([f"DELETE FROM {table} WHERE id = %({NEVER_REMOVED[table]})s"], world)
    assert isinstance(refused.value.__cause__, psycopg.errors.ForeignKeyViolation)
    with pytest.raises(DatabaseError, match=f"permission denied for table {table}"), transaction.atomic():
        _execute([f"DELETE FROM {table} WHERE id = %({NEVER_REMOVED[table]})s"], world)


def _catalogue(sql: str) -> set[tuple[str, str]]:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return set(cursor.fetchall())


@pytest.mark.django_db
def test_no_guard_is_left_out() -> None:
    """A trigger or a named constraint without a case fails here; names that Django makes up begin with the table's."""
    triggers = _catalogue(f"""
        SELECT relname, tgname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
         WHERE NOT tgisinternal AND (split_part(relname, '_', 1) IN {OURS} OR relname = 'django_admin_log')""")
    constraints = _catalogue(f"""
        SELECT relname, conname FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
         WHERE contype IN ('c', 'u') AND split_part(relname, '_', 1) IN {OURS} AND NOT starts_with(conname, relname)
        UNION
        SELECT held.relname, named.relname FROM pg_index JOIN pg_class AS held ON held.oid = indrelid
          JOIN pg_class AS named ON named.oid = indexrelid
         WHERE indisunique AND NOT indisprimary AND split_part(held.relname, '_', 1) IN {OURS}
           AND NOT starts_with(named.relname, held.relname)""")
    assert len(triggers) > 20
    assert len(constraints) > 20
    assert triggers | constraints <= {(case.table, case.guard) for case in [*ALL, *CLOSINGS]}


@pytest.mark.django_db
def test_no_name_that_a_guard_raises_is_left_out() -> None:
    raised = _catalogue(r"""
        SELECT 'name', (regexp_matches(prosrc, 'CONSTRAINT = ''(\w+)''', 'g'))[1] FROM pg_proc
         WHERE proname ~ '^(jackpot|tables)_'""")
    assert {name for _, name in raised} <= {case.raises for case in [*ALL, *CLOSINGS]}
