"""Members of staff in front of the console, and steps that they take there."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import Permission, User
from django.db.models import Model
from django.test import Client
from django.urls import reverse

_LOOK = ("view_award", "view_changerequest", "view_jackpot", "view_level", "view_reading", "view_round")


def staff(name: str, *permissions: str) -> Client:
    """Somebody who may look at everything, and has these permissions; who is there gets no new ones."""
    user, new = User.objects.get_or_create(username=name, defaults={"is_staff": True})
    if new:
        user.user_permissions.set(Permission.objects.filter(codename__in=(*_LOOK, *permissions)))
    client = Client()
    client.force_login(user)
    return client


def page(record: Model, name: str = "change") -> str:
    """The address of a record's page."""
    return reverse(f"admin:{record._meta.app_label}_{record._meta.model_name}_{name}", args=[record.pk])


def step(record: Model, name: str) -> str:
    """The address of a step."""
    return reverse(f"admin:{record._meta.app_label}_{record._meta.model_name}_step", args=[record.pk, name])


def take(
    client: Client, record: Model, name: str, status: int = 302, form: Mapping[str, str] | None = None, **said: Any
) -> Any:
    """Take a step, which is answered with this status."""
    answer = client.post(step(record, name), {**(form or {}), **said})
    assert answer.status_code == status, (answer.status_code, answer.content.decode()[-3000:])
    return answer


def text(answer: Any) -> str:
    return str(answer.content.decode())
