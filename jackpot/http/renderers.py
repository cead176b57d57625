"""What an answer looks like: JSON for machines; for staff in a browser a page around it that works offline."""

from typing import Any

from django.contrib.auth.models import User
from rest_framework.exceptions import APIException
from rest_framework.renderers import BrowsableAPIRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

from jackpot.domain.errors import Refused


class ForProblems(JSONRenderer):
    """Stands for JSON where a client names only the media type of problems; a success is still `application/json`."""

    media_type = "application/problem+json"


class Browsable(BrowsableAPIRenderer):
    """The answer with links to follow, and a form for the JSON of each call that this person may make."""

    template = "jackpot/browse.html"

    def show_form_for_method(self, view: APIView, method: str, request: Request, obj: Any) -> bool:
        """Whether the call is offered: it exists and this person may make it."""
        if method not in view.allowed_methods:
            return False
        try:
            view.check_permissions(request)
        except (APIException, Refused):
            return False
        return True

    def get_description(self, view: APIView, status_code: int) -> str:
        """The first line of what the view says of itself."""
        return (type(view).__doc__ or "").strip().partition("\n")[0]


def is_staff_browser(request: Request) -> bool:
    """Whether a member of staff calls with a session, not with a key."""
    if "HTTP_AUTHORIZATION" in request.META:
        return False
    user = getattr(request._request, "user", None)
    return isinstance(user, User) and user.is_active and user.is_staff
