"""Issuing, revoking and recognising the API keys of integrators."""

import hashlib
import hmac
import logging
import re
import secrets
import string
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.db import DatabaseError, transaction
from django.db.models import Q

from jackpot.domain.callers import Caller, Scope
from jackpot.domain.errors import Refused, Violation
from jackpot.models.clients import ApiKey, Integrator
from jackpot.models.sites import Site

PREFIX_LENGTH = 12
MAX_DAYS = 3_660
LAST_USE_PRECISION = timedelta(minutes=1)

_log = logging.getLogger(__name__)
_KEY = re.compile(rf"([a-z0-9]{{{PREFIX_LENGTH}}})\.([A-Za-z0-9_-]{{43}})")
_MAX_NAME = 100
# Written out, since every call asks it: Django takes four times as long to make the same of its parts.
_FIND = """
SELECT key.*, ARRAY(SELECT site_id FROM jackpot_apikey_sites WHERE apikey_id = key.id) AS site_ids
  FROM jackpot_apikey AS key WHERE key.prefix = %s
"""


def issue_key(*, integrator: str, sites: Iterable[str], scopes: Iterable[str], now: datetime, days: int = 365) -> str:
    """Makes a key for the integrator (new if unknown) and returns its text, which is kept nowhere.

    `sites` are codes. Raises Refused, and writes nothing, for a bad name, site, scope or life.
    """
    codes, wanted = sorted(set(sites)), sorted(set(scopes))
    found = {site.code: site for site in Site.objects.filter(code__in=codes)}
    _check(integrator, codes, found, wanted, days)
    prefix = "".join(secrets.choice(string.ascii_lowercase + string.digits) for _ in range(PREFIX_LENGTH))
    secret = secrets.token_urlsafe(32)
    with transaction.atomic():
        owner, _ = Integrator.objects.get_or_create(name=integrator)
        key = ApiKey.objects.create(
            integrator=owner,
            prefix=prefix,
            secret_hash=_hash(secret),
            scopes=wanted,
            created_at=now,
            expires_at=now + timedelta(days=days),
        )
        key.sites.set(found.values())
    return f"{prefix}.{secret}"


def revoke(*, prefix: str, now: datetime) -> bool:
    """Ends a key at once. False where no such key was live."""
    return ApiKey.objects.filter(prefix=prefix, revoked_at=None).update(revoked_at=now) == 1


def revoke_all(*, integrator: str, now: datetime) -> int:
    """Ends every live key of an integrator at once, and answers how many there were."""
    live = ApiKey.objects.filter(integrator__name=integrator, revoked_at=None, expires_at__gt=now)
    return live.update(revoked_at=now)


def recognise(text: str, *, now: datetime) -> Caller | None:
    """The caller that a key's text stands for, or None: unknown, wrong, expired and revoked look alike.

    Notes the key's last use to the minute; where that cannot be written, the call goes on.
    """
    shape = _KEY.fullmatch(text)
    if shape is None:
        return None
    prefix, secret = shape.groups()
    key: Any = next(iter(ApiKey.objects.raw(_FIND, [prefix])), None)
    known_hash = key.secret_hash if key else _hash("")
    if not hmac.compare_digest(known_hash, _hash(secret)) or key is None:
        return None
    if key.revoked_at is not None or key.expires_at <= now:
        return None
    _note_use(key, now)
    return Caller(
        scopes=frozenset(map(Scope, key.scopes)),
        integrator_id=key.integrator_id,
        site_ids=frozenset(key.site_ids),
        key_id=key.pk,
    )


def live_keys(key_ids: Iterable[int], *, scope: Scope, now: datetime) -> set[int]:
    """Those of some keys that are still live and have the scope."""
    keys = ApiKey.objects.filter(pk__in=list(key_ids), scopes__contains=[scope.value])
    return set(keys.filter(revoked_at=None, expires_at__gt=now).values_list("pk", flat=True))


def _check(integrator: str, codes: list[str], found: dict[str, Site], scopes: list[str], days: int) -> None:
    wrong = []
    if not integrator.strip() or len(integrator) > _MAX_NAME or not integrator.isprintable():
        wrong.append(Violation("invalid_value", f"a name of 1 to {_MAX_NAME} characters is expected", "/integrator"))
    if not codes:
        wrong.append(Violation("missing_field", "a key needs a site", "/sites"))
    if not scopes:
        wrong.append(Violation("missing_field", "a key needs a scope", "/scopes"))
    wrong += [Violation("invalid_value", f"there is no site {code!r}", "/sites") for code in codes if code not in found]
    known = [scope.value for scope in Scope]
    wrong += [
        Violation("invalid_value", f"{scope!r} is no scope; there are {', '.join(known)}", "/scopes")
        for scope in scopes
        if scope not in known
    ]
    if not 1 <= days <= MAX_DAYS:
        wrong.append(Violation("invalid_value", f"a key lives 1 to {MAX_DAYS} days", "/days"))
    if wrong:
        raise Refused(wrong)


def _note_use(key: ApiKey, now: datetime) -> None:
    due = now - LAST_USE_PRECISION
    if key.last_used_at is not None and key.last_used_at > due:
        return
    unnoted = Q(last_used_at=None) | Q(last_used_at__lte=due)
    try:
        with transaction.atomic():
            ApiKey.objects.filter(unnoted, pk=key.pk).update(last_used_at=now)
    except DatabaseError as error:
        _log.warning("last use of key %s not noted: %s", key.prefix, error)


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
