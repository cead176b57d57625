"""Fixtures every test may use: a database whose append-only tables can be emptied between tests, and a house."""

import gc
from collections.abc import Iterator
from itertools import count
from typing import Any

import hypothesis
import pytest
from django.conf import settings
from django.db import connection
from django.test import TestCase, TransactionTestCase

from tests import emptying
from tests.factories import House, house
from tests.owner import application_url, as_owner, make_role, owner_url

# A property is about what is right, not about how long one example takes beside other work on the machine.
hypothesis.settings.register_profile("suite", deadline=None)
hypothesis.settings.load_profile("suite")

RENEWED_AFTER = 200
"""Tests that rolled back, after which the tables get new files."""


def pytest_sessionstart() -> None:
    """While modules are loaded nothing is rubbish; looking for it takes a quarter of that time."""
    gc.disable()


def pytest_collection_finish() -> None:
    """What is there by now stays, and need not be looked through again and again."""
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """The owner has made and migrated the database, and drops it; in between everything works as the application."""
    options = connection.settings_dict["OPTIONS"]
    with django_db_blocker.unblock():
        with connection.cursor() as cursor:
            emptying.leave_alone(cursor)
        connection.close()
        options["assume_role"] = settings.DATABASE_ROLE
    yield
    with django_db_blocker.unblock():
        connection.close()
        del options["assume_role"]


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings: None, django_db_blocker: Any) -> None:
    """The application's role, made before the first migration: with the owner's password, for processes of ours."""
    with django_db_blocker.unblock():
        make_role()


@pytest.fixture(scope="session", autouse=True)
def _flush_past_the_guards() -> Iterator[None]:
    """Let the owner empty the tables after a transactional test, and their files now and then after others.

    Django empties them with TRUNCATE, which is not granted to the application and which triggers refuse to everybody;
    and fills those that `migrate` fills anew, which takes longer than most tests. Rows that were rolled back stay in
    the files.
    """
    roll_back, rolled_back = TestCase._fixture_teardown, count(1)  # type: ignore[attr-defined] # no stub has it

    def flush_as_owner(case: TransactionTestCase) -> None:
        with as_owner(past_guards=True) as cursor:
            emptying.empty(cursor)

    def roll_back_and_renew(case: TestCase) -> None:
        roll_back(case)
        if next(rolled_back) % RENEWED_AFTER == 0 and not connection.in_atomic_block:
            with as_owner(past_guards=True) as cursor:
                emptying.renew(cursor)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", flush_as_owner)
        patch.setattr(TestCase, "_fixture_teardown", roll_back_and_renew)
        yield


@pytest.fixture
def demo(db: None) -> House:
    """The demo data (site DEMO, jackpot MAIN, its tables) in a database that is rolled back after the test."""
    return house()


@pytest.fixture
def service_environment(transactional_db: None) -> dict[str, str]:
    """Variables with which a process of the service (`config.processes.Fleet`) works on this test's database."""
    return {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": application_url(),
        "DATABASE_OWNER_URL": owner_url(),
    }
