"""`manage.py webhook`, as an operator types it."""

import json
from io import StringIO
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.utils import timezone
from kombu.exceptions import OperationalError

from config.celery import app
from jackpot import tasks
from jackpot.domain.events import Event, EventType
from jackpot.models.clients import Integrator
from jackpot.models.webhooks import Delivery, Endpoint
from jackpot.services import events
from jackpot.webhooks import deliveries, endpoints

pytestmark = pytest.mark.django_db
URL = "https://hooks.example.com/a"


def typed(*words: str) -> str:
    out = StringIO()
    call_command("webhook", *words, stdout=out)
    return out.getvalue().removesuffix("\n")


@pytest.fixture
def acme(db: None) -> Integrator:
    return Integrator.objects.create(name="Acme")


def tell(acme: Integrator, number: int = 1) -> None:
    events.publish([Event(acme.pk, EventType.ROUND_SETTLED, timezone.now(), {})] * number)


def parked(acme: Integrator) -> int:
    """An endpoint of which one event is delivered and one parked."""
    endpoint = int(typed("add", "--integrator", "Acme", "--url", URL).split()[0])
    tell(acme, 2)
    now = timezone.now()
    for sending in [deliveries.claim(endpoint, now=now)]:
        assert sending is not None
        deliveries.delivered(sending.delivery_id, status=200, now=now)
    assert deliveries.claim(endpoint, now=now)
    Delivery.objects.filter(seq=2).update(state="parked", leased_to=None, error="it answered 500")
    return endpoint


def messages() -> int:
    """How many messages wait for a sender; they are taken away."""
    with app.connection_for_write() as broker:
        purged: int = broker.default_channel.queue_purge(settings.CELERY_TASK_ROUTES["jackpot.send"]["queue"])
    return purged


def shown() -> dict[str, Any]:
    [row] = json.loads(typed("list", "--json"))
    found: dict[str, Any] = row
    return found


def test_add_prints_the_id_and_the_secret(acme: Integrator) -> None:
    pk, secret = typed("add", "--integrator", "Acme", "--url", URL, "--events", "round.settled, jackpot.hit").split()
    endpoint = Endpoint.objects.get(pk=pk)
    assert endpoints.live_secrets(endpoint, now=timezone.now()) == (secret,)
    assert endpoint.types == ["jackpot.hit", "round.settled"]


@pytest.mark.parametrize("url", ["http://hooks.example.com/", "https://10.0.0.1/"])
def test_add_says_what_is_wrong(acme: Integrator, url: str) -> None:
    with pytest.raises(CommandError, match=r"there is no integrator 'Nobody'\n'x' is no event.*\n.+"):
        typed("add", "--integrator", "Nobody", "--url", url, "--events", "x")
    assert not Endpoint.objects.exists()


def test_a_deployment_that_allows_it_may_add_private_addresses(acme: Integrator, settings: Any) -> None:
    settings.WEBHOOK_PRIVATE_ADDRESSES = True
    assert typed("add", "--integrator", "Acme", "--url", "http://127.0.0.1:9/").split()[1].startswith("whsec_")


def test_list_shows_backlog_and_what_is_parked(acme: Integrator) -> None:
    assert typed("list") == "there is no endpoint"
    endpoint = parked(acme)
    tell(acme, 3)
    assert shown() == {
        "id": endpoint, "integrator": "Acme", "url": URL, "events": "all", "state": "active", "why": None,
        "backlog": 3, "parked": 1, "failures": 0, "answered_at": shown()["answered_at"],
        "last_error": "it answered 500",
    }  # fmt: skip
    assert typed("list") == f"{endpoint}  Acme  {URL}  active  3 wait, 1 parked  (it answered 500)"


def test_rotate_prints_the_new_secret_alone(acme: Integrator) -> None:
    pk, old = typed("add", "--integrator", "Acme", "--url", URL).split()
    new = typed("rotate", pk)
    assert endpoints.live_secrets(Endpoint.objects.get(), now=timezone.now()) == (new, old)
    newest = typed("rotate", pk, "--overlap", "0")
    assert endpoints.live_secrets(Endpoint.objects.get(), now=timezone.now()) == (newest,)


def test_disable_and_enable(acme: Integrator) -> None:
    endpoint = parked(acme)
    tell(acme)
    assert typed("disable", str(endpoint)) == f"endpoint {endpoint} is disabled"
    assert (shown()["state"], shown()["why"], shown()["backlog"]) == ("disabled", "by hand", 1)
    messages()
    assert typed("enable", str(endpoint)) == f"endpoint {endpoint} is told again"
    assert (shown()["state"], shown()["why"], messages()) == ("active", None, 1)


def test_redeliver_what_is_parked_or_named(acme: Integrator) -> None:
    endpoint = parked(acme)
    messages()
    assert typed("redeliver", str(endpoint)) == "1 events are sent again"
    assert (messages(), shown()["parked"], shown()["backlog"]) == (1, 0, 1)
    assert typed("redeliver", str(endpoint), "--seq", "1", "--seq", "9") == "1 events are sent again"
    assert shown()["backlog"] == 2


@pytest.mark.parametrize("hours", ["-1", "721", "99999999999", "x"])
def test_a_secret_goes_on_for_a_month_at_most(acme: Integrator, hours: str) -> None:
    with pytest.raises(CommandError, match="overlap"):
        typed("rotate", "1", "--overlap", hours)


@pytest.mark.parametrize("words", [("rotate", "7"), ("disable", "7"), ("enable", "7"), ("redeliver", "7")])
def test_what_is_not_there(db: None, words: tuple[str, ...]) -> None:
    with pytest.raises(CommandError, match="there is no endpoint 7"):
        typed(*words)


def test_a_broker_that_is_away_is_no_error(acme: Integrator, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beat asks again."""
    parked(acme)
    tell(acme)

    def away(*_: Any, **__: Any) -> None:
        raise OperationalError

    monkeypatch.setattr(tasks.send, "apply_async", away)
    tasks.wake()
