"""Whole rounds in, and rounds as they stand."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.domain.errors import Refused
from jackpot.http import problems
from jackpot.http.pages import page_asked, page_together
from jackpot.http.parsing import MAX_ROUNDS_BODY_BYTES
from jackpot.http.queries import asking
from jackpot.http.repeats import replay_headers
from jackpot.http.views import ApiView
from jackpot.services import Caller, Scope
from tables import tasks
from tables.api import reading_rounds, waiting
from tables.api.reading_filters import round_filters
from tables.domain.facts import Reported
from tables.http.showing_rounds import show_boxes_of, show_everything, show_round, show_rounds
from tables.models.rounds import Box, Round
from tables.selectors import on_show, rounds, tables
from tables.services import ingest
from tables.services.ingest import Received


class Rounds(ApiView):
    """The caller's rounds; a whole round comes in."""

    reads = Scope.ROUNDS_READ
    writes = Scope.ROUNDS_WRITE
    takes_query = True
    max_body_bytes = MAX_ROUNDS_BODY_BYTES

    def get(self, request: Request) -> Response:
        with asking(request) as query:
            wanted = round_filters(query)
            page = page_asked(query)
        rows = rounds.filtered(rounds.seen_by(self.caller), wanted)
        return Response(page_together(request, page, rows, show_rounds))

    def post(self, request: Request) -> Response:
        currencies = tables.currencies_of(self.caller, reading_rounds.tables_named([self.body]))
        report = reading_rounds.whole_round(self.body, currencies)
        received = ingest.receive_one(caller=self.caller, report=report, now=timezone.now())
        tasks.wake_on_commit([received.lane_id])
        seconds = waiting.seconds_preferred(request)
        waiting.until_done(received.round_id, seconds=seconds)
        if received.stored and not seconds:
            shown, status = show_everything(received.stored), 202
        else:
            rnd = round_of(self.caller, received.round_id)
            shown, status = show_round(rnd), _status(rnd, waited=bool(seconds))
        return Response(
            shown,
            status=status,
            headers={"Location": address_of(request, received.round_id), **replay_headers(received.replayed)},
        )


class RoundBatch(ApiView):
    """Up to 1,000 whole rounds come in, each for itself."""

    writes = Scope.ROUNDS_WRITE
    max_body_bytes = MAX_ROUNDS_BODY_BYTES

    def post(self, request: Request) -> Response:
        sent = reading_rounds.batch(self.body)
        currencies = tables.currencies_of(self.caller, reading_rounds.tables_named(sent))
        read = [_read(body, currencies) for body in sent]
        reports = [report for report in read if isinstance(report, Reported)]
        answers = iter(ingest.receive(caller=self.caller, reports=reports, now=timezone.now()))
        taken = [next(answers) if isinstance(item, Reported) else item for item in read]
        tasks.wake_on_commit(answer.lane_id for answer in taken if isinstance(answer, Received))
        return Response({"results": self._results(request, taken)})

    def _results(self, request: Request, taken: Sequence[Received | Refused]) -> list[dict[str, object]]:
        shown = self._shown([answer for answer in taken if isinstance(answer, Received)])
        results: list[dict[str, object]] = []
        for index, answer in enumerate(taken):
            if isinstance(answer, Refused):
                problem = problems.render(answer, f"{request.path}#/rounds/{index}")
                results.append({"index": index, "status": problem["status"], "problem": problem})
                continue
            item = {"index": index, "status": 202, "round": shown[answer.round_id]}
            results.append(item | ({"replayed": True} if answer.replayed else {}))
        return results

    def _shown(self, received: Sequence[Received]) -> dict[UUID, dict[str, object]]:
        """Rounds that are new as they were stored, and repeated ones as they stand."""
        shown = {answer.round_id: show_everything(answer.stored) for answer in received if answer.stored}
        if repeated := {answer.round_id for answer in received} - shown.keys():
            found = list(rounds.seen_by(self.caller).filter(pk__in=repeated))
            shown |= zip((rnd.id for rnd in found), show_rounds(found), strict=True)
        return shown


class RoundDetail(ApiView):
    """One round as it stands."""

    reads = Scope.ROUNDS_READ

    def get(self, request: Request, round_id: UUID) -> Response:
        return Response(show_round(round_of(self.caller, round_id)))


def round_of(caller: Caller, round_id: UUID) -> Round:
    """The caller's round. Raises Http404 where it has no such round."""
    try:
        return rounds.seen_by(caller).get(pk=round_id)
    except Round.DoesNotExist:
        raise Http404 from None


def address_of(request: Request, round_id: UUID) -> str:
    """Where a round is to be read."""
    return request.build_absolute_uri(reverse("round", args=[round_id]))


def page_of_boxes(request: Request, rnd: Round) -> dict[str, Any]:
    """One page of a round's boxes, by ascending number."""
    with asking(request) as query:
        page = page_asked(query)

    def show(boxes: Sequence[Box]) -> list[dict[str, object]]:
        return show_boxes_of(rnd, boxes)

    return page_together(request, page, on_show.boxes_of(rnd), show, order=("box",), newest_first=False)


def _read(body: object, currencies: Any) -> Reported | Refused:
    try:
        return reading_rounds.whole_round(body, currencies)
    except Refused as refused:
        return Refused(refused.violations)  # the raised one holds its frames, and these the batch


def _status(rnd: Round, *, waited: bool) -> int:
    """200 tells who waited that the round is settled. Otherwise 202: it is taken, now or before."""
    return 200 if rnd.version and waited else 202
