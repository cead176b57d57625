"""Requests that may be repeated: each is carried out once for its `Idempotency-Key`, and answered the same again.

The answer is stored in the transaction that carried the request out: where the one is, the other is. A request that
was refused, or whose transaction did not commit, leaves nothing and may be sent again.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from django.db import connection, transaction

from jackpot.domain.callers import Caller
from jackpot.domain.errors import Violation, refuse
from jackpot.domain.events import Event
from jackpot.models.requests import AnsweredRequest
from jackpot.services import events
from jackpot.services.constraints import refined

Json = dict[str, Any]
Done = tuple[Json, Sequence[Event]]
"""What carrying a request out came to: the answer, and what is to be told of it."""

_RUNNING = Violation("in_progress", "the first request with this Idempotency-Key is still running")
_TAKEN = {"request_of_integrator_once": _RUNNING, "request_of_person_once": _RUNNING}


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked: its key and its content. `body` is normalised: left out is as the default."""

    key: str
    method: str
    path: str
    body: Mapping[str, Any]

    @property
    def digest(self) -> bytes:
        content = json.dumps([self.method, self.path, self.body], sort_keys=True, separators=(",", ":"))
        return sha256(content.encode()).digest()


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a request, and whether it is that of an earlier one."""

    document: Json
    replayed: bool


def once(*, caller: Caller, asked: Asked, perform: Callable[[], Done], now: datetime) -> Answer:
    """Carry a request out, or repeat the answer that it had. Keys are an integrator's own, or a person's own.

    What `perform` has to tell is published when all else is done. Nobody waits for the first of two equal requests.
    Raises Refused: `in_progress` while it runs, `idempotency_conflict` where the key was used for other content; and
    whatever `perform` raises.
    """
    with transaction.atomic():
        if not _first(caller, asked.key):
            raise refuse(_RUNNING.code, _RUNNING.detail)
        owner = _owner(caller)
        earlier = AnsweredRequest.objects.filter(**owner, key=asked.key).first()
        if earlier is not None:
            if bytes(earlier.digest) != asked.digest:
                raise refuse("idempotency_conflict", "this Idempotency-Key was used for another request")
            return Answer(json.loads(earlier.answer), replayed=True)
        document, told = perform()
        with refined(_TAKEN):
            AnsweredRequest.objects.create(
                **owner, key=asked.key, digest=asked.digest, answer=json.dumps(document), at=now
            )
        events.publish(told)
        return Answer(document, replayed=False)


def _owner(caller: Caller) -> dict[str, Any]:
    return {"integrator_id": None if caller.is_person else caller.integrator_id, "user_id": caller.user_id}


def _first(caller: Caller, key: str) -> bool:
    """Whether nobody else works on a request with this key now; held until the transaction ends."""
    name = json.dumps([_owner(caller), key])
    number = int.from_bytes(sha256(name.encode()).digest()[:8], signed=True)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [number])
        return bool(cursor.fetchone()[0])
