"""A house in which something of everything happened, for tests that open every page of the console."""

from typing import Any

from django.contrib.auth.models import Group, User
from django.db.models import Model
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from jackpot.domain.people import Role
from jackpot.models.jackpots import Level
from jackpot.services import action_log
from jackpot.services.readings import enter_reading
from jackpot.webhooks import deliveries, endpoints
from tables.domain.facts import VoidReason
from tests.admin.staff import member, signed_in
from tests.factories import (
    NOW,
    ApiKeyFactory,
    House,
    ask_policy,
    caller,
    close_until,
    house,
    low,
    person,
    play,
    receive,
    reported,
    royal,
)
from tests.factories.copies import made_once

SECOND = low(2, pair="8c 9h")


@made_once
def everything() -> House:
    """The demo's house with a hit and its Envy, a round that waits for a second person, a change that waits, a reading,
    keys, a webhook, a closed day, and what people did.
    """
    demo, me = house(), caller()
    hook = endpoints.add(integrator="Acme", url="https://hooks.example.com/", types=(), private=False, now=NOW)
    play(reported(royal(1), SECOND), by=me)
    assert deliveries.claim(hook.endpoint_id, now=NOW)
    close_until(demo.jackpot.home_site, NOW.date())
    receive(reported(royal(1), SECOND, void=VoidReason.MALFUNCTION), by=me)
    ask_policy(demo.jackpot, base="500.00")
    ApiKeyFactory.create()
    level = Level.objects.select_related("jackpot").get(jackpot=demo.jackpot)
    by = User.objects.get(pk=person("ann").user_id or 0)
    enter_reading(level=level, shown=0, read_at=timezone.now(), by=by, now=timezone.now())
    action_log.note(by_id=by.pk, record=demo.jackpot, message="Seen")
    Client().force_login(member("eva", Role.OPERATOR))
    for name in ("nobody", "ann"):
        Client().post(reverse("admin:login"), {"username": name, "password": "wrong"})
    return demo


def somebody(who: str) -> Client:
    """A session of somebody of a role, of somebody without one ("none"), or of a superuser ("superuser")."""
    role = Role(who) if who in list(Role) else None
    return signed_in(member(who, role, superuser=who == "superuser"))


def a_record_of(model: type[Model]) -> Any:
    """One that is there; a page whose kind has none in this house can't be tried."""
    kinds: dict[type[Model], Any] = {User: User.objects.filter(username="eva"), Group: Group.objects.all()}
    found = kinds.get(model, model._default_manager.all()).order_by("pk").first()
    assert found is not None, f"tests.admin.world has no {model.__name__}"
    return found
