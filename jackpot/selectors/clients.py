"""Who callers are, by name."""

from django.contrib.auth.models import User

from jackpot.domain.callers import Caller
from jackpot.models.clients import Integrator


def name_of(caller: Caller) -> str:
    """The member of staff, or the integrator whose key it is."""
    if caller.user_id is not None:
        return User.objects.get(pk=caller.user_id).get_username()
    return Integrator.objects.values_list("name", flat=True).get(keys=caller.key_id)
