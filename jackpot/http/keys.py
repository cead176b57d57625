"""Who is calling, and whether they may: keys of integrators, sessions of staff, scopes."""

from collections.abc import Collection
from typing import Literal

from django.contrib.auth.models import AnonymousUser, User
from django.utils import timezone
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from jackpot.domain.callers import STAFF_SCOPES, Caller, Scope
from jackpot.domain.errors import refuse
from jackpot.services import clients

PERSON: Literal["person"] = "person"
ANYONE: Literal["anyone"] = "anyone"
Need = Scope | Literal["person", "anyone"]


class KeyAuthentication(BaseAuthentication):
    """`Authorization: Bearer <key>`; `request.auth` becomes the Caller."""

    def authenticate(self, request: Request) -> tuple[AnonymousUser, Caller] | None:
        header = request.META.get("HTTP_AUTHORIZATION", "")
        if not header:
            return None
        scheme, _, key = header.partition(" ")
        caller = clients.recognise(key.strip(), now=timezone.now()) if scheme.lower() == "bearer" else None
        if caller is None:
            raise AuthenticationFailed("this key is unknown, expired or revoked; send Authorization: Bearer <key>")
        return AnonymousUser(), caller

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="api"'


class StaffSession(SessionAuthentication):
    """A signed-in member of staff, who may read everything; other calls need the CSRF token, and a permission."""

    def authenticate(self, request: Request) -> tuple[User, Caller] | None:
        user = getattr(request._request, "user", None)
        if not isinstance(user, User) or not user.is_active or not user.is_staff:
            return None
        self.enforce_csrf(request)
        return user, Caller(scopes=STAFF_SCOPES, user_id=user.pk)


class MayCall(BasePermission):
    """Holds a call against what the view says: `reads` is what GET needs, `writes` what other methods need, and
    `permission` what a person needs for the latter beside it.

    Raises NotAuthenticated (401), or Refused with `scope_required`, `person_required` or `forbidden` (403).
    """

    def has_permission(self, request: Request, view: APIView) -> bool:
        safe = request.method in SAFE_METHODS
        need: Need | None = getattr(view, "reads" if safe else "writes", None)
        if need == ANYONE:
            return True
        caller = request.auth
        if not isinstance(caller, Caller):
            raise NotAuthenticated("a key or a session is needed")
        if need == PERSON and not caller.is_person:
            raise refuse("person_required", "this needs the session of a member of staff")
        if isinstance(need, Scope) and need not in caller.scopes:
            raise refuse("scope_required", f"this needs a key with the scope {need}")
        permission: str = "" if safe else getattr(view, "permission", "")
        if caller.is_person and permission and not request.user.has_perm(permission):
            raise refuse("forbidden", f"this needs the permission {permission}")
        return True


def still_calling(callers: Collection[Caller], scope: Scope) -> set[Caller]:
    """Those who may still read with a scope: live keys that have it, and people who are still members of staff."""
    keys = clients.live_keys((caller.key_id for caller in callers if caller.key_id), scope=scope, now=timezone.now())
    people = [caller.user_id for caller in callers if caller.user_id]
    staff = User.objects.filter(pk__in=people, is_active=True, is_staff=True).values_list("pk", flat=True)
    there = set(staff) if people else set()
    return {caller for caller in callers if caller.key_id in keys or caller.user_id in there}
