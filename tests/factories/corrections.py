"""Corrections: asked for by one member of staff, approved by another, through the product's services."""

from datetime import datetime, timedelta
from uuid import UUID

from jackpot.domain.callers import Caller
from tables.domain.corrections import Recorded
from tables.domain.facts import Reported
from tables.services import corrections
from tests.factories.clients import NOW, person

ASKED = NOW + timedelta(hours=1)


def ask_correction(
    round_id: UUID, facts: Reported, *, reason: str = "wrong_cards", by: Caller | None = None, at: datetime = ASKED
) -> UUID:  # fmt: skip
    """Ask that a settled round has these facts; the request."""
    corrected = Recorded(facts.facts, facts.void_note)
    asked = corrections.ask(caller=by or person("ann"), round_id=round_id, corrected=corrected, reason=reason,
                            note="", now=at)  # fmt: skip
    return asked.pk


def approve_correction(request_id: UUID, *, by: Caller | None = None, at: datetime = ASKED) -> UUID:
    return corrections.approve(caller=by or person("ben"), request_id=request_id, note="", now=at)


def correct(round_id: UUID, facts: Reported, *, reason: str = "wrong_cards", at: datetime = ASKED) -> None:
    """Correct a settled round to these facts."""
    approve_correction(ask_correction(round_id, facts, reason=reason, at=at), at=at)
