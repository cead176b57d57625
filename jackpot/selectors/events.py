"""Reading the outbox."""

from collections.abc import Callable, Collection, Mapping

from django.db.models import Q, QuerySet

from jackpot.domain.callers import Caller
from jackpot.domain.events import EventType, without_cause
from jackpot.models.events import Event

_OF_JACKPOT = [kind for kind in EventType if kind.of_jackpot]


def seen_by(
    caller: Caller, integrator: str | None, *, linked: Callable[[Collection[int]], Collection[int]]
) -> QuerySet[Event]:
    """An integrator's events, as far as they happened at the sites of its key, or to a jackpot that the key sees.

    Staff see all events of the integrator they name. `linked` tells which jackpots tables of some sites are linked to.
    """
    if caller.integrator_id is None or caller.site_ids is None:
        return Event.objects.filter(integrator__name=integrator)
    seen = Q(site_id__in=caller.site_ids) | Q(type__in=_OF_JACKPOT, jackpot_id__in=linked(caller.site_ids))
    return Event.objects.filter(seen, integrator_id=caller.integrator_id)


def data_for(caller: Caller, event: Event) -> Mapping[str, object]:
    """An event's data, without what caused it where that happened at another site than the key's."""
    if caller.site_ids is None or event.site_id in caller.site_ids:
        data: dict[str, object] = event.data
        return data
    return without_cause(event.data)
