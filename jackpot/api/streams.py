"""A jackpot as it changes, as server-sent events. What goes over the wire: `jackpot.http.event_stream`."""

from django.http import HttpResponse
from rest_framework.request import Request

from jackpot.api.jackpots import JackpotView
from jackpot.http import streaming
from jackpot.http.event_stream import CONTENT_TYPE, HEADERS, EventStream, Wire, resumed_after


class JackpotStream(JackpotView):
    """Meters, hits and resets of one jackpot from now on, or from behind `Last-Event-ID`."""

    renderer_classes = (EventStream,)

    def get(self, request: Request, code: str) -> HttpResponse:
        jackpot = self.one(code)
        after = resumed_after(request, jackpot.code)
        wire = Wire(jackpot.code, jackpot.currency)
        streaming.begin(request._request, streaming.Wanted(jackpot.code, after, self.caller, wire))
        return HttpResponse(content_type=CONTENT_TYPE, headers=HEADERS)
