"""The base of every view of the API: strict about what comes in, clear about who may call."""

from collections.abc import Sequence
from typing import Any, ClassVar, cast

from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, MethodNotAllowed
from rest_framework.permissions import SAFE_METHODS
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

from jackpot.domain.callers import Caller
from jackpot.domain.errors import refuse
from jackpot.http import throttles
from jackpot.http.keys import KeyAuthentication, MayCall, Need, StaffSession
from jackpot.http.parsing import MAX_BODY_BYTES, StrictJSONParser
from jackpot.http.queries import asking
from jackpot.http.renderers import Browsable, ForProblems, is_staff_browser


class ApiView(APIView):
    """A view says what its calls need: `reads = Scope.ROUNDS_READ` for GET, `writes = ...` for other methods, and the
    `permission` that a person needs for these.

    GET takes query parameters only where `takes_query` is set; it then reads them with `asking(request)`.
    """

    authentication_classes: Sequence[type[BaseAuthentication]] = (KeyAuthentication, StaffSession)
    permission_classes = (MayCall,)
    parser_classes = (StrictJSONParser,)
    renderer_classes: Sequence[type[BaseRenderer]] = (JSONRenderer,)
    http_method_names = ["get", "head", "post", "put", "patch", "delete"]
    metadata_class = None

    reads: ClassVar[Need | None] = None
    writes: ClassVar[Need | None] = None
    permission: ClassVar[str] = ""
    takes_query: ClassVar[bool] = False
    max_body_bytes: ClassVar[int] = MAX_BODY_BYTES

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if hasattr(cls, "get") and cls.reads is None:
            raise TypeError(f"{cls.__name__} does not say what reading needs")
        if any(hasattr(cls, name) for name in ("post", "put", "patch", "delete")) and cls.writes is None:
            raise TypeError(f"{cls.__name__} does not say what writing needs")

    @property
    def caller(self) -> Caller:
        """Who is calling: `MayCall` has seen to it that somebody is."""
        return cast(Caller, self.request.auth)

    @property
    def body(self) -> dict[str, object]:
        """The JSON object that was sent; empty where nothing was."""
        return self._sent

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """As any view. View, request and answer hold one another until Python's collector comes by, which counts
        objects and not their size: what was sent is let go of here, so that no large bodies pile up.
        """
        self._sent: dict[str, object] = {}
        try:
            return super().dispatch(request, *args, **kwargs)
        finally:
            self._sent.clear()

    @property
    def default_response_headers(self) -> dict[str, str]:
        """Added to every answer, errors included: nobody keeps what is a caller's own."""
        return {"Allow": ", ".join(self.allowed_methods), "Vary": "Accept", "Cache-Control": "no-store"}

    def get_renderers(self) -> list[BaseRenderer]:
        """What a client may accept; pages only for staff in a browser."""
        pages = [Browsable()] if is_staff_browser(self.request) else []
        return [*super().get_renderers(), ForProblems(), *pages]

    def perform_content_negotiation(self, request: Request, force: bool = False) -> tuple[BaseRenderer, str]:
        """The renderer that the client accepts; an empty Accept is none. Raises NotAcceptable (406)."""
        if not request.META.get("HTTP_ACCEPT", "").strip():
            request.META["HTTP_ACCEPT"] = "*/*"
        renderer, media_type = super().perform_content_negotiation(request, force)
        return (
            (JSONRenderer(), JSONRenderer.media_type) if isinstance(renderer, ForProblems) else (renderer, media_type)
        )

    def perform_authentication(self, request: Request) -> None:
        """Who calls, and whether too often: counted whatever becomes of the call."""
        try:
            caller = request.auth
        except AuthenticationFailed:
            throttles.check_stranger(request)
            raise
        if isinstance(caller, Caller):
            throttles.check_caller(caller)
        else:
            throttles.check_stranger(request)

    def check_permissions(self, request: Request) -> None:
        """A method that is not there is refused as such, whatever else the caller may not do."""
        if request.method not in self.allowed_methods:
            raise MethodNotAllowed(request.method or "")
        super().check_permissions(request)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        headers = (value for name, value in request.META.items() if name.startswith("HTTP_"))
        if "\0" in request.path or any("\0" in value for value in headers):
            raise refuse("malformed", "NUL characters are not allowed in addresses and headers")
        if "HTTP_TRANSFER_ENCODING" in request.META and not request.META.get("CONTENT_LENGTH"):
            raise refuse("malformed", "send the body with a Content-Length, not in chunks")
        if not (self.takes_query and request.method in ("GET", "HEAD")):
            with asking(request):
                pass
        if request.method not in SAFE_METHODS:
            # Read in any case, so that no view takes another content type by not looking. A form without a body is an
            # empty QueryDict, which cannot be cleared.
            self._sent = cast(dict[str, object], self.request.data or {})
