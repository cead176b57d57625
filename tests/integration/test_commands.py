"""The commands an operator types: keys issued and revoked, a failed round tried again."""

import os
import subprocess
import sys
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.utils import timezone

from config.celery import app
from jackpot import services as jackpot
from jackpot.domain.callers import Scope
from jackpot.models.clients import ApiKey, Integrator
from jackpot.models.lanes import Queued
from jackpot.models.sites import Site
from jackpot.services import clients
from tables.models.rounds import Round
from tests.factories import (
    SiteFactory,
    assert_books_agree,
    bare_table,
    jackpot_with,
    low,
    play,
    receive,
    reported,
    settle_all,
)

pytestmark = pytest.mark.django_db


def typed(*words: str, **options: Any) -> str:
    """What a command prints, without the end of its last line."""
    out = StringIO()
    call_command(*words, stdout=out, **options)
    return out.getvalue().removesuffix("\n")


def test_commands_say_nothing_more_at_six(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the very time at which gaming days begin Django takes the default of a site's day for a mistake."""
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 11, 30, 6, tzinfo=UTC))
    said = StringIO()
    assert "(1 silenced)" in typed("check", stderr=said)
    assert said.getvalue() == ""


@pytest.fixture
def site() -> Site:
    made: Site = SiteFactory.create()
    return made


def test_create_api_key_prints_the_key_alone(site: Site) -> None:
    key = typed("create_api_key", integrator="Acme", site=[site.code], scopes="rounds:write, rounds:read")
    caller = clients.recognise(key, now=timezone.now())
    assert caller is not None
    assert caller.scopes == {Scope.ROUNDS_READ, Scope.ROUNDS_WRITE}


def test_create_api_key_names_what_is_wrong_and_writes_nothing(site: Site) -> None:
    with pytest.raises(CommandError, match="there is no site 'NOWHERE'\n'x' is no scope"):
        typed("create_api_key", integrator="Acme", site=["NOWHERE"], scopes="x")
    assert not Integrator.objects.exists()


@pytest.mark.parametrize("whole", [False, True])
def test_revoke_api_key_ends_one_key_and_no_other(site: Site, whole: bool) -> None:
    key, other = (typed("create_api_key", integrator="Acme", site=[site.code], scopes="rounds:read") for _ in range(2))
    prefix = key.partition(".")[0]
    given = key if whole else prefix
    assert typed("revoke_api_key", given) == f"key {prefix} is revoked"
    assert clients.recognise(key, now=timezone.now()) is None
    assert clients.recognise(other, now=timezone.now()) is not None
    with pytest.raises(CommandError, match=f"'{prefix}', or it has been revoked before"):
        typed("revoke_api_key", given)


@pytest.mark.parametrize("given", ["nobodyskey00", "", "."])
def test_revoke_api_key_says_where_there_is_nothing_to_revoke(site: Site, given: str) -> None:
    typed("create_api_key", integrator="Acme", site=[site.code], scopes="rounds:read")
    with pytest.raises(CommandError, match="there is no key"):
        typed("revoke_api_key", given)
    assert not ApiKey.objects.exclude(revoked_at=None).exists()


def test_revoke_api_key_shuts_an_integrator_out(site: Site) -> None:
    scopes = {"site": [site.code], "scopes": "rounds:read"}
    keys = [typed("create_api_key", integrator="Acme", **scopes) for _ in range(2)]
    other = typed("create_api_key", integrator="Other", **scopes)
    assert typed("revoke_api_key", "--integrator", "Acme") == "keys of Acme revoked: 2"
    assert [clients.recognise(key, now=timezone.now()) for key in keys] == [None, None]
    assert clients.recognise(other, now=timezone.now()) is not None
    for name in ("Acme", "Nobody"):
        with pytest.raises(CommandError, match="has no live key"):
            typed("revoke_api_key", "--integrator", name)
    for words in ([], ["aprefix00000", "--integrator", "Other"]):
        with pytest.raises(CommandError):
            typed("revoke_api_key", *words)


def failed_round() -> Round:
    """A round at a table whose books were never opened: nothing of it can be posted."""
    link = jackpot_with()
    bare_table("T-99", like=link.tables.get(), link=link)
    (round_id,) = play(reported(low(1), table="T-99"))
    found = Round.objects.get(pk=round_id)
    assert found.phase == "failed"
    return found


def messages() -> int:
    """How many messages wait for a worker; they are taken away."""
    with app.connection_for_write() as broker:
        purged: int = broker.default_channel.queue_purge(settings.CELERY_TASK_DEFAULT_QUEUE)
    return purged


def test_retry_round_gives_a_failed_round_its_place_back_and_wakes_a_worker() -> None:
    failed = failed_round()
    jackpot.open_table_books(table_ref="T-99", site=failed.site)
    messages()
    assert typed("retry_round", failed.game_number) == f"round {failed.game_number} has its place in the queue back"
    assert (messages(), Queued.objects.get().source_ref) == (1, failed.pk)
    settle_all()
    assert Round.objects.get().phase == "settled"
    assert_books_agree()


def test_retry_round_refuses_a_round_that_did_not_fail() -> None:
    jackpot_with()
    (settled,) = play(reported(low(1), table="T-01"))
    (waiting,) = receive(reported(low(2), table="T-01"))
    for round_id, phase in ((settled, "settled"), (waiting, "complete")):
        with pytest.raises(CommandError, match=f"in phase {phase}"):
            typed("retry_round", Round.objects.get(pk=round_id).game_number)
    assert Queued.objects.count() == 1


@pytest.mark.parametrize("words", [("retry_round", "T-99-20261129-142233-1"), ("revoke_api_key", "nobodyskey00")])
def test_the_exit_code_tells(service_environment: dict[str, str], words: tuple[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", *words], cwd=Path(__file__).resolve().parents[2],
        env=os.environ | service_environment, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (1, "")
    assert words[1] in done.stderr
    assert "Traceback" not in done.stderr
