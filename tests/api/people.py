"""Members of staff in front of the API, and the moves of awards that they and machines make."""

from itertools import count
from typing import Any

from django.contrib.auth.models import Permission, User
from django.test import Client

from tests.api.floor import Json, send

AWARDS = "/api/v1/awards/"
MOVES = {
    "approve": {"note": "seen on tape"},
    "dispute": {"reason": "the deck was short"},
    "uphold": {"note": "the deck was complete"},
    "reject": {"reason": "the deck was short"},
    "pay": {"reference": "slip 4711"},
}
"""Every move with a body that is right."""

_keys = count(1)


def person(name: str, *moves: str) -> Client:
    """A signed-in member of staff who may make these moves (all where none is named)."""
    user = User.objects.create_user(name, is_staff=True)
    codes = [f"{move}_award" for move in moves or MOVES]
    user.user_permissions.set(Permission.objects.filter(codename__in=codes, content_type__app_label="jackpot"))
    client = Client(raise_request_exception=False)
    client.force_login(user)
    return client


def move(client: Client, award_id: str, name: str, *, key: str | None = None, body: Json | None = None) -> Any:
    """Make a move; under a key of its own unless one is given."""
    headers = {"Idempotency_Key": key or f"key-{next(_keys)}"}
    return send(client, f"{AWARDS}{award_id}/{name}/", MOVES[name] if body is None else body, **headers)


def moved(client: Client, award_id: str, *names: str) -> Json:
    """Make moves that must succeed; the award after the last one."""
    found: Json = {}
    for name in names:
        answer = move(client, award_id, name)
        assert answer.status_code == 200, answer.content
        found = answer.json()
    return found
