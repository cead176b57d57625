"""What browsers are told about the pages of the console: nothing from elsewhere, in no frame, known to nobody else."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

from jackpot.http.addresses import CONSOLE

# The menus (Alpine) make functions of what stands in attributes, and the console's colours and the sizes of menus stand
# in the page: hence the two exceptions. No script stands in a page itself.
_RULES = {
    "default-src": "'self'",
    "script-src": "'self' 'unsafe-eval'",
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data:",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}
POLICY = "; ".join(f"{about} {rule}" for about, rule in _RULES.items())


class ConsoleHeaders(MiddlewareMixin):
    """Adds the headers to every answer under the console's address."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if request.path_info.startswith(CONSOLE):
            response.headers.setdefault("Content-Security-Policy", POLICY)
            response.headers.setdefault("Referrer-Policy", "same-origin")
            response.headers.setdefault("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
            response.headers.setdefault("Cache-Control", "no-store")
        return response
