"""Whether somebody may do what a service is about to do."""

from django.contrib.auth.models import User

from jackpot.domain.callers import Caller
from jackpot.domain.errors import refuse


def person_who_may(caller: Caller, permission: str) -> User:
    """The member of staff who calls, where the permission (`app.codename`) is held.

    Raises Refused: `person_required` for a key, `forbidden` without the permission.
    """
    if caller.user_id is None:
        raise refuse("person_required", "this is done by a person who is signed in")
    user = User.objects.filter(pk=caller.user_id, is_active=True, is_staff=True).first()
    if user is None or not user.has_perm(permission):
        raise refuse("forbidden", f"this needs the permission {permission}")
    return user
