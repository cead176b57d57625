"""Endpoints of integrators: adding, disabling and enabling them, their secrets, and sending again what was sent.

A secret is made of a salt, which is stored, and the service's own key (SECRET_KEY), which is not: a copy of the
database signs nothing.
"""

import base64
import secrets
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.crypto import salted_hmac

from jackpot.domain import webhooks as domain
from jackpot.domain.errors import Refused, Violation, refuse
from jackpot.domain.events import EventType
from jackpot.models.clients import Integrator
from jackpot.models.events import EventCounter
from jackpot.models.webhooks import Delivery, Endpoint, Secret
from jackpot.services.constraints import refined

OVERLAP = timedelta(days=1)
"""How long a secret goes on signing beside the one that replaces it."""

_PURPOSE = "jackpot webhook secret"
_TWICE = {"endpoint_once": Violation("invalid_value", "this integrator has an endpoint of this address", "/url")}


@dataclass(frozen=True, slots=True)
class Added:
    """A new endpoint, and its secret, which is shown once."""

    endpoint_id: int
    secret: str


def add(*, integrator: str, url: str, types: Iterable[str], private: bool, now: datetime) -> Added:
    """An endpoint that is told of all that happens from now on, of these types (none: of all).

    `private`: private addresses are allowed. Raises Refused, and writes nothing, for what is not known or allowed.
    """
    owner = Integrator.objects.filter(name=integrator).first()
    wanted = sorted(set(types))
    wrong = [] if owner else [Violation("invalid_value", f"there is no integrator {integrator!r}", "/integrator")]
    wrong += [
        Violation("invalid_value", f"{kind!r} is no event; there are {', '.join(EventType)}", "/events")
        for kind in wanted
        if kind not in set(EventType)
    ]
    try:
        domain.read_url(url, private=private)
    except ValueError as error:
        wrong.append(Violation("invalid_value", str(error), "/url"))
    if wrong or owner is None:
        raise Refused(wrong)
    told = EventCounter.objects.filter(integrator=owner).values_list("last", flat=True).first() or 0
    with refined(_TWICE):
        endpoint = Endpoint.objects.create(
            integrator=owner, url=url, types=wanted, created_at=now, read_to=told, paused_to=now
        )
        return Added(endpoint.pk, _new_secret(endpoint))


def rotate(*, endpoint_id: int, now: datetime, overlap: timedelta = OVERLAP) -> str:
    """A new secret; the one before it signs beside it until the overlap is over, an older one no more."""
    with transaction.atomic():
        endpoint = _locked(endpoint_id)
        endpoint.secrets.filter(kind=Secret.Kind.PREVIOUS).delete()
        endpoint.secrets.update(kind=Secret.Kind.PREVIOUS, ends_at=now + overlap)
        return _new_secret(endpoint)


def live_secrets(endpoint: Endpoint, *, now: datetime) -> tuple[str, ...]:
    """The secrets that sign now, the current one first."""
    found = sorted(endpoint.secrets.all(), key=lambda secret: secret.kind)
    return tuple(_text_of(secret) for secret in found if secret.ends_at is None or secret.ends_at > now)


def disable(*, endpoint_id: int, why: str = "by hand") -> None:
    """Nothing more is sent to it; what waits for it waits on."""
    with transaction.atomic():
        endpoint = _locked(endpoint_id)
        endpoint.state, endpoint.why = Endpoint.State.DISABLED, why
        endpoint.save(update_fields=["state", "why"])


def enable(*, endpoint_id: int, now: datetime) -> None:
    """It is told again, first of what waits for it, in order; that has its three days from now on."""
    with transaction.atomic():
        endpoint = _locked(endpoint_id)
        endpoint.state, endpoint.why, endpoint.failures, endpoint.paused_to = Endpoint.State.ACTIVE, "", 0, now
        endpoint.save(update_fields=["state", "why", "failures", "paused_to"])
        waiting = endpoint.deliveries.filter(state=Delivery.State.PENDING)
        waiting.update(due_at=now, until=now + domain.TRIED_FOR, attempts=0, failed_since=None)


def redeliver(*, endpoint_id: int, seqs: Collection[int] | None, now: datetime) -> int:
    """Send these events again (None: all that are parked), out of order, with their three days; how many those are."""
    with transaction.atomic():
        done = _locked(endpoint_id).deliveries.exclude(state=Delivery.State.PENDING)
        chosen = done.filter(state=Delivery.State.PARKED) if seqs is None else done.filter(seq__in=seqs)
        return chosen.update(
            state=Delivery.State.PENDING, jackpot=None, attempts=0, due_at=now, until=now + domain.TRIED_FOR,
            failed_since=None, leased_to=None,
        )  # fmt: skip


def _locked(endpoint_id: int) -> Endpoint:
    endpoint = Endpoint.objects.select_for_update(no_key=True, of=("self",)).filter(pk=endpoint_id).first()
    if endpoint is None:
        raise refuse("not_found", f"there is no endpoint {endpoint_id}")
    return endpoint


def _new_secret(endpoint: Endpoint) -> str:
    made = Secret.objects.create(endpoint=endpoint, kind=Secret.Kind.CURRENT, salt=secrets.token_bytes(32))
    return _text_of(made)


def _text_of(secret: Secret) -> str:
    key = salted_hmac(_PURPOSE, bytes(secret.salt), algorithm="sha256").digest()
    return "whsec_" + base64.b64encode(key).decode()
