# ruff: noqa: S608 — the SQL is a test's own words
"""Who may do what in the database: the application's rights as PostgreSQL has them, as listed, as documented."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import psycopg
import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection

from config import roles
from config.grants import ADD, GRANTS, NONE, Rights
from tests.factories import house, low, play, reported
from tests.holders import Holder, ask
from tests.owner import application_url, as_owner

ROOT = Path(__file__).resolve().parents[2]
ROLE = settings.DATABASE_ROLE
WRITTEN_ONCE = (
    "django_admin_log",
    "jackpot_account", "jackpot_answeredrequest", "jackpot_awardmove", "jackpot_changedecision",
    "jackpot_changerequest", "jackpot_entry", "jackpot_event", "jackpot_leg", "jackpot_jackpotstatechange",
    "jackpot_link", "jackpot_policyversion", "jackpot_reading", "jackpot_readingsignature", "jackpot_closing",
    "jackpot_potclosing", "jackpot_accountclosing", "jackpot_unpaidaward", "jackpot_statementrow",
    "jackpot_termschange",
    "tables_boxresult", "tables_roundevent", "tables_rulesetodds", "tables_rulesetversion",
    "tables_tablesetup",
)  # fmt: skip


@pytest.mark.django_db
def test_every_table_is_listed_and_the_role_may_do_that_and_no_more() -> None:
    """A new table without its line in `config/grants.py` fails here; without it the service cannot even read it."""
    with connection.cursor() as cursor:
        found = roles.rights_of(cursor, ROLE)
        columns = roles.columns_of(cursor)
    assert sorted(found.keys() - GRANTS.keys()) == []
    assert found == GRANTS
    assert [table for table, rights in GRANTS.items() if rights.change - columns[table]] == []


def test_what_is_posted_can_only_be_added_to() -> None:
    assert {table: GRANTS[table] for table in WRITTEN_ONCE} == dict.fromkeys(WRITTEN_ONCE, ADD)


def test_operations_show_the_same_table() -> None:
    section = (ROOT / "docs/operations.md").read_text().split("## Database roles")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| (yes|) ?\| (yes|) ?\| (.*?) ?\|$", section, re.MULTILINE)
    shown = {
        table: Rights(add=bool(add), remove=bool(remove), change=frozenset(re.findall(r"\w+", change)))
        for table, add, remove, change in rows
    }
    assert shown == GRANTS


@pytest.fixture
def session(transactional_db: None) -> Iterator[psycopg.Connection]:
    """A session that logs in as the application, as the service's processes do; there is a settled round."""
    house()
    play(reported(low(1)))
    with psycopg.connect(application_url(), autocommit=True) as opened:
        yield opened


def is_refused(session: psycopg.Connection, statement: str) -> bool:
    try:
        session.execute(statement)
    except psycopg.errors.InsufficientPrivilege:
        return True
    return False


def test_the_application_itself_is_refused(session: psycopg.Connection) -> None:
    """Logged in for itself: nothing to fall back to."""
    refused = [
        *(f"{operation} {table}" for table in GRANTS for operation in ("TRUNCATE", "DROP TABLE")),
        *(f"DELETE FROM {table}" for table in WRITTEN_ONCE),
        *(f"ALTER TABLE {table} DISABLE TRIGGER ALL" for table in WRITTEN_ONCE),
        "UPDATE jackpot_leg SET amount = amount",
        "UPDATE jackpot_level SET code = code",
        "UPDATE jackpot_award SET amount = amount",
        "SELECT setval('jackpot_entry_id_seq', 1)",
        "SET session_replication_role = replica",
        "CREATE OR REPLACE FUNCTION jackpot_refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN END'",
        "CREATE TABLE mine (id int)",
        "CREATE TEMPORARY TABLE jackpot_entry (id int)",
        "CREATE SCHEMA mine",
        "CREATE ROLE mine",
        f"SET ROLE {connection.settings_dict['USER']}",
    ]
    assert [statement for statement in refused if not is_refused(session, statement)] == []
    assert session.execute("SELECT count(*) > 0 FROM jackpot_leg").fetchone() == (True,)


@pytest.mark.django_db
class TestGranting:
    """`roles.apply`, in the test's transaction."""

    def test_a_table_that_is_not_listed_is_out_of_reach_whoever_else_may(self) -> None:
        with as_owner() as cursor:
            cursor.execute("CREATE TABLE unknown (id int); GRANT ALL ON unknown, jackpot_leg TO PUBLIC")
            assert roles.rights_of(cursor, ROLE)["jackpot_leg"] != ADD
            roles.apply(connection, ROLE)
            found = roles.rights_of(cursor, ROLE)
        assert (found["unknown"], found["jackpot_leg"]) == (NONE, ADD)

    def test_it_may_be_repeated_and_follows_an_older_schema(self) -> None:
        with as_owner() as cursor:
            cursor.execute("ALTER TABLE jackpot_level DROP awarded; DROP TABLE jackpot_tally")
            for _ in range(2):
                roles.apply(connection, ROLE)
            found = roles.rights_of(cursor, ROLE)
        assert found["jackpot_level"].change == GRANTS["jackpot_level"].change - {"awarded"}

    @pytest.mark.parametrize(
        ("made", "why"),
        [
            ("CREATE ROLE other SUPERUSER", "is a superuser"),
            ("CREATE ROLE other CREATEROLE", "may make roles"),
            ("CREATE ROLE other NOINHERIT; GRANT {owner} TO other", "is a member of the owner"),
            ("CREATE ROLE other; GRANT SET ON PARAMETER session_replication_role TO other", "may switch triggers off"),
            ("CREATE ROLE other; GRANT pg_write_all_data TO other", "other rights than config/grants.py lists"),
            ("CREATE ROLE more; GRANT DELETE ON jackpot_leg TO more; CREATE ROLE other IN ROLE more", "jackpot_leg"),
            ("CREATE ROLE more; GRANT TRUNCATE ON jackpot_leg TO more; CREATE ROLE other IN ROLE more", "may empty"),
            ("CREATE ROLE other; CREATE SCHEMA theirs AUTHORIZATION other", "may make things in the schema theirs"),
        ],
    )
    def test_a_role_that_no_grant_binds_is_refused(self, made: str, why: str) -> None:
        with as_owner() as cursor:
            cursor.execute(made.format(owner=connection.settings_dict["USER"]))
            with pytest.raises(roles.RoleError, match=why):
                roles.apply(connection, "other")

    def test_a_role_that_is_missing_is_made_where_the_owner_may(self) -> None:
        with as_owner() as cursor:
            roles.apply(connection, "brand new")
            assert roles.rights_of(cursor, "brand new") == GRANTS
            cursor.execute("SELECT rolcanlogin FROM pg_roles WHERE rolname = 'brand new'")
            assert cursor.fetchone() == (True,)
            cursor.execute("CREATE ROLE modest; SET LOCAL ROLE modest")
            with pytest.raises(roles.RoleError, match="CREATE ROLE newer LOGIN"):
                roles.apply(connection, "newer")
            cursor.execute("SET LOCAL ROLE NONE")


@pytest.mark.django_db
class TestMigrate:
    def test_it_says_so_where_the_service_owns_its_tables(self) -> None:
        with as_owner():
            assert "DATABASE_OWNER_URL is not set" in migrated_for("")
        assert migrated_for("") == ""

    def test_it_ends_with_an_error_where_grants_would_bind_nobody(self) -> None:
        with as_owner(), pytest.raises(CommandError, match="is a superuser: grants do not bind it"):
            migrated_for(str(connection.settings_dict["USER"]))

    def test_looking_grants_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(roles, "apply", lambda *_: pytest.fail("granted"))
        call_command("migrate", plan=True, verbosity=0, stdout=StringIO())
        call_command("migrate", check_unapplied=True, verbosity=0)


def migrated_for(role: str) -> str:
    """What `migrate` has to say where the service has this role; "" is none of its own."""
    said = StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "DATABASE_ROLE", role)
        call_command("migrate", verbosity=0, stderr=said)
    return said.getvalue()


def manage(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    known = {"PATH": os.environ["PATH"], **variables}
    return subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=ROOT, env=known, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


def test_an_embedded_database_of_before_gets_the_role_with_the_next_migration(tmp_path: Path) -> None:
    """One that has its schema, and no role but `postgres`."""
    data = tmp_path / "data"
    with Holder(data, "postgres") as holder:
        holder.wait_until_held()
        assert manage("migrate", JACKPOT_DATA=str(data)).returncode == 0
        ask(data, f"DROP OWNED BY {ROLE} CASCADE")
        ask(data, f"DROP ROLE {ROLE}")
        assert manage("migrate", JACKPOT_DATA=str(data)).returncode == 0
        assert ask(data, f"SELECT has_table_privilege('{ROLE}', 'jackpot_leg', 'INSERT')")
        assert ask(data, "SELECT tableowner FROM pg_tables WHERE tablename = 'jackpot_leg'") == "postgres"
