"""Reading who may call: integrators with live keys, and callers by name."""

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime

from django.contrib.auth.models import User

from jackpot.domain.callers import Caller
from jackpot.models.clients import ApiKey, Integrator


def name_of(caller: Caller) -> str:
    """The member of staff, or the integrator whose key it is."""
    if caller.user_id is not None:
        return User.objects.get(pk=caller.user_id).get_username()
    return Integrator.objects.values_list("name", flat=True).get(keys=caller.key_id)


def with_live_keys_at(site_ids: Collection[int], *, now: datetime) -> dict[int, set[int]]:
    """The integrators that have a live key at each of these sites."""
    live = ApiKey.objects.filter(sites__in=site_ids, revoked_at=None, expires_at__gt=now)
    found: dict[int, set[int]] = defaultdict(set)
    for site_id, integrator_id in live.values_list("sites", "integrator_id").distinct():
        found[site_id].add(integrator_id)
    return found


def integrator_ids() -> list[int]:
    """Every integrator, for a look-up in an index that begins with one."""
    return list(Integrator.objects.values_list("pk", flat=True))
