"""Whether a person may do what he asks for: the services look again, whatever a page has looked at."""

from django.contrib.auth.models import User

from jackpot import services as jackpot
from jackpot.domain.errors import refuse


def allow(caller: jackpot.Caller, permission: str) -> None:
    """Raises Refused: `person_required` of a key, `forbidden` of staff without the permission ("app.codename")."""
    if caller.user_id is None:
        raise refuse("person_required", "this is done by a person")
    user = User.objects.filter(pk=caller.user_id, is_active=True, is_staff=True).first()
    if user is None or not user.has_perm(permission):
        raise refuse("forbidden", f"this needs the permission {permission}")
