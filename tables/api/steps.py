"""A live round, step by step: opened, locked, dealt, decided, shown down, suspended, voided. Server time only."""

from abc import abstractmethod
from typing import ClassVar
from uuid import UUID

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.http.repeats import replay_headers
from jackpot.http.views import ApiView
from jackpot.services import Scope
from tables import tasks
from tables.api import reading_steps
from tables.api.rounds import address_of, round_of
from tables.http.showing_rounds import show_everything, show_round, show_step
from tables.services import dealing, deciding, rounds, voiding
from tables.services.stepping import Step


class Opening(ApiView):
    """`POST /tables/{code}/rounds/`: betting is open."""

    writes = Scope.ROUNDS_WRITE

    def post(self, request: Request, code: str) -> Response:
        external_id = reading_steps.opening(self.body)
        opened = rounds.open_round(caller=self.caller, table_code=code, external_id=external_id, now=timezone.now())
        stored = opened.stored
        return Response(
            show_everything(stored) if stored else show_round(round_of(self.caller, opened.round_id)),
            status=200 if opened.replayed else 201,
            headers={"Location": address_of(request, opened.round_id), **replay_headers(opened.replayed)},
        )


class StepView(ApiView):
    """A step that is a POST; `wakes` where a worker then has something to do."""

    writes = Scope.ROUNDS_WRITE
    wakes: ClassVar[bool] = False

    def post(self, request: Request, round_id: UUID) -> Response:
        return answer(self.step(round_id), wakes=self.wakes)

    @abstractmethod
    def step(self, round_id: UUID) -> Step:
        """Read the body and take the step."""


class Lock(StepView):
    wakes = True

    def step(self, round_id: UUID) -> Step:
        reading_steps.nothing(self.body)
        return dealing.lock(caller=self.caller, round_id=round_id, now=timezone.now())


class Deal(StepView):
    def step(self, round_id: UUID) -> Step:
        cards, player_cards = reading_steps.deal(self.body)
        return dealing.deal(
            caller=self.caller, round_id=round_id, cards=cards, player_cards=player_cards, now=timezone.now()
        )


class Decisions(StepView):
    def step(self, round_id: UUID) -> Step:
        choices = reading_steps.choices(self.body)
        several = reading_steps.is_list_of_decisions(self.body)
        with reading_steps.pointing_from("" if several else "/decisions/0"):
            return deciding.decide(caller=self.caller, round_id=round_id, choices=choices, now=timezone.now())


class Flop(StepView):
    def step(self, round_id: UUID) -> Step:
        cards = reading_steps.flop(self.body)
        return dealing.flop(caller=self.caller, round_id=round_id, cards=cards, now=timezone.now())


class River(StepView):
    def step(self, round_id: UUID) -> Step:
        turn, river = reading_steps.river(self.body)
        return dealing.river(caller=self.caller, round_id=round_id, turn=turn, river=river, now=timezone.now())


class Showdown(StepView):
    wakes = True

    def step(self, round_id: UUID) -> Step:
        dealer = reading_steps.showdown(self.body)
        return dealing.showdown(caller=self.caller, round_id=round_id, dealer=dealer, now=timezone.now())


class Suspend(StepView):
    def step(self, round_id: UUID) -> Step:
        note = reading_steps.note(self.body)
        return rounds.suspend(caller=self.caller, round_id=round_id, note=note, now=timezone.now())


class Resume(StepView):
    def step(self, round_id: UUID) -> Step:
        note = reading_steps.note(self.body)
        return rounds.resume(caller=self.caller, round_id=round_id, note=note, now=timezone.now())


class VoidRound(StepView):
    wakes = True

    def step(self, round_id: UUID) -> Step:
        reason, note = reading_steps.void(self.body)
        return voiding.void_round(caller=self.caller, round_id=round_id, reason=reason, note=note, now=timezone.now())


def answer(step: Step, *, box: int | None = None, wakes: bool = False) -> Response:
    """The short answer; 202 where the step waits for a second person."""
    if wakes:
        tasks.wake_on_commit([step.round.lane_id])
    return Response(show_step(step, box), status=202 if voiding.waits_for_second_person(step.round) else 200)
