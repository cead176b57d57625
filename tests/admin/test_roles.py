"""The roles of staff: what each may do, as it is written, documented and granted; nothing is left to nobody."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Group, Permission, User
from django.db import connection

from config.staff_roles import MAY, permissions_of
from jackpot.admin.steps import Stepped
from jackpot.domain.people import Role
from jackpot.services import closing, readings, roles
from tests.owner import as_owner

ROOT = Path(__file__).resolve().parents[2]
APPS = ("jackpot", "tables")
_NAMED = re.compile(r"[\"'](?:jackpot|tables|auth)\.(?!view_)[a-z]+_[a-z]+[\"']")


def own_permissions() -> set[str]:
    """Those that models of ours name beside Django's four: each stands for something that services do."""
    models = [model for app in APPS for model in apps.get_app_config(app).get_models()]
    return {f"{model._meta.app_label}.{code}" for model in models for code, _ in model._meta.permissions}


def checked_in_code() -> set[str]:
    """Permissions written out in services and pages."""
    files = [
        path for app in APPS for part in ("services", "admin", "api") for path in (ROOT / app / part).rglob("*.py")
    ]
    known = {
        f"{one.content_type.app_label}.{one.codename}" for one in Permission.objects.select_related("content_type")
    }
    return {name.strip("\"'") for path in files for name in _NAMED.findall(path.read_text())} & known


def needed_by_steps() -> set[str]:
    """Looking is every role's; a step that needs no more asks for its record's own permissions."""
    pages = [page for page in admin.site._registry.values() if isinstance(page, Stepped)]
    needed = {step.needs for page in pages for step in page.steps}
    return {name for name in needed if not name.partition(".")[2].startswith("view_")}


@pytest.mark.django_db
def test_every_permission_that_is_checked_is_held_by_some_role() -> None:
    checked = own_permissions() | checked_in_code() | needed_by_steps()
    assert {closing.PERMISSION, readings.ENTER, "auth.change_user", "jackpot.pay_award"} <= checked
    assert sorted(checked - MAY.keys()) == []
    assert all(MAY.values())


@pytest.mark.django_db
def test_every_permission_of_a_role_is_there() -> None:
    known = {
        f"{one.content_type.app_label}.{one.codename}" for one in Permission.objects.select_related("content_type")
    }
    assert sorted(MAY.keys() - known) == []


def test_who_asks_does_not_decide_and_who_decides_does_not_pay() -> None:
    held = {role: {name.partition(".")[2] for name, holders in MAY.items() if role in holders} for role in Role}
    for role, codes in held.items():
        kinds = {
            verb: {code.partition("_")[2] for code in codes if code.startswith(verb)} for verb in ("ask", "decide")
        }
        assert not kinds["ask"] & kinds["decide"], role
        assert not {"pay_award", "approve_award"} <= codes, role
    assert held[Role.AUDITOR] == set()
    assert not held[Role.ADMINISTRATOR] & (held[Role.SUPERVISOR] | held[Role.CASHIER])
    assert held[Role.ADMINISTRATOR] <= {
        "add_user",
        "change_user",
        "add_site",
        "ask_opening",
        "ask_table",
        "ask_rule_set",
    }


def test_the_auditor_may_look_at_everything_and_do_nothing() -> None:
    known = {
        "jackpot.view_award",
        "jackpot.change_award",
        "jackpot.view_secret",
        "jackpot.view_apikey",
        "tables.add_round",
    }
    known |= {"admin.view_logentry", "auth.view_user", *MAY}
    looks = {"jackpot.view_award", "jackpot.view_apikey", "admin.view_logentry", "auth.view_user"}
    assert permissions_of(Role.AUDITOR, known) == looks
    assert "jackpot.view_apikey" not in permissions_of(Role.OPERATOR, known)


@pytest.mark.django_db
def test_migrate_makes_the_groups_and_makes_them_as_they_should_be_again() -> None:
    wanted = granted()
    assert set(wanted) == set(Role)
    assert wanted["cashier"] >= {"jackpot.pay_award", "jackpot.dispute_award", "jackpot.view_award"}
    with as_owner():
        Group.objects.get(name="cashier").permissions.clear()
        Group.objects.get(name="auditor").permissions.add(Permission.objects.get(codename="pay_award"))
        Group.objects.get(name="operator").delete()
        roles.renew(permissions_of, using="default")
    assert granted() == wanted


def granted() -> dict[str, set[str]]:
    return {
        group.name: {f"{one.content_type.app_label}.{one.codename}" for one in group.permissions.all()}
        for group in Group.objects.prefetch_related("permissions__content_type")
    }


@pytest.mark.django_db(transaction=True)
class TestFlushed:
    """Django's tests of transactions empty all tables and fill those that `migrate` fills."""

    @pytest.mark.parametrize("time", [1, 2])
    def test_the_roles_are_there_again(self, time: int) -> None:
        assert {group.name for group in Group.objects.all()} == set(Role)


@pytest.mark.django_db
def test_the_service_itself_cannot_change_what_a_role_may_do() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT has_table_privilege('auth_group_permissions', 'INSERT, DELETE, UPDATE')"
            " OR has_table_privilege('auth_group', 'INSERT, DELETE, UPDATE')"
        )
        assert cursor.fetchone() == (False,)


def test_the_console_page_of_the_documentation_shows_the_same_table() -> None:
    section = (ROOT / "docs/people.md").read_text().split("## Roles")[1].split("\n## ")[0]
    heads, *rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line.startswith("| ")
    ]
    assert heads[1:] == [role.value for role in Role]
    shown: dict[str, Any] = {
        row[0].strip("`"): tuple(role for role, mark in zip(Role, row[1:], strict=True) if mark == "yes")
        for row in rows if row[0].startswith("`")
    }  # fmt: skip
    wanted = {name.partition(".")[2]: tuple(role for role in Role if role in holders) for name, holders in MAY.items()}
    assert len(wanted) == len(MAY) and shown == wanted


@pytest.mark.django_db
def test_somebody_without_a_role_may_nothing() -> None:
    assert User.objects.create_user("dee", is_staff=True).get_all_permissions() == set()
