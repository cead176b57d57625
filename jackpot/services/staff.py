"""Who of the staff may do what."""

from django.contrib.auth.models import User

from jackpot.domain.callers import Caller
from jackpot.domain.errors import refuse


def person_who_may(caller: Caller, permission: str) -> int:
    """The member of staff behind a caller, by id, where the permission ("jackpot.ask_policy") is his.

    Raises Refused: `person_required` for a key, `forbidden` without the permission.
    """
    if caller.user_id is None:
        raise refuse("person_required", "this is done by a person, and no key does it")
    user = User.objects.filter(pk=caller.user_id, is_active=True, is_staff=True).first()
    if user is None or not user.has_perm(permission):
        raise refuse("forbidden", f"this needs the permission {permission}")
    return user.pk
