"""Sessions of staff: who has not passed the second factor is nobody; who does nothing for a while signs in again."""

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import Resolver404, resolve, reverse
from django.utils import timezone
from django.utils.deprecation import MiddlewareMixin

from jackpot.http.addresses import CONSOLE
from jackpot.services import second_factors

OPEN = frozenset({"console:second_factor", "console:second_factor_set_up", "admin:logout"})
"""What is there for somebody whose password was right and whose second factor is missing."""

_SEEN = "seen"
_SEEN_SECONDS = 60
"""How often it is written down that somebody was there."""


class StaffSessions(MiddlewareMixin):
    """Before any view, of the console and of the API: a session without its second factor speaks for nobody."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        if settings.SESSION_COOKIE_NAME not in request.COOKIES:
            return None
        user = request.user
        if not isinstance(user, User):
            return None
        self._stays(request)
        if not second_factors.is_due(user) or _name_of(request) in OPEN:
            return None
        if request.path_info.startswith(CONSOLE):
            return HttpResponseRedirect(_asking(request))
        request.user = AnonymousUser()
        return None

    def _stays(self, request: HttpRequest) -> None:
        """A session ends so long after it was last written: once a minute is enough."""
        now = int(timezone.now().timestamp())
        if now - request.session.get(_SEEN, 0) >= _SEEN_SECONDS:
            request.session[_SEEN] = now


def _name_of(request: HttpRequest) -> str:
    try:
        return resolve(request.path_info).view_name
    except Resolver404:
        return ""


def _asking(request: HttpRequest) -> str:
    """The page that asks for the second factor, and then leads to the page that was wanted."""
    wanted = QueryDict(mutable=True)
    if request.method == "GET":
        wanted["next"] = request.get_full_path()
    return f"{reverse('console:second_factor')}?{wanted.urlencode(safe='/')}"
