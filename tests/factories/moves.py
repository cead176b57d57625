"""Adjustments, transfers and retirements that one person asks for and another approves."""

from datetime import datetime
from typing import Any

from jackpot.domain.accounts import Pot
from jackpot.models.change_requests import ChangeDecision
from jackpot.models.jackpots import Jackpot, Level
from jackpot.services.changes import adjustments, jackpot_states, transfers
from jackpot.services.changes.retiring import ask_retirement
from tables.services import retiring
from tests.factories.clients import NOW, person


def adjust(
    jackpot: Jackpot, amount: str, *, level: str = "main", pot: Pot = Pot.METER, at: datetime = NOW, **asked: Any
) -> ChangeDecision:
    """An adjustment asked by ann and approved by ben."""
    row = Level.objects.select_related("jackpot").get(jackpot=jackpot, code=level)
    given: dict[str, Any] = {"reason": "meter_fault"} | asked
    made = adjustments.ask_adjustment(caller=person("ann"), level=row, pot=pot, amount=amount, now=at, **given)
    return adjustments.approve_adjustment(caller=person("ben"), request_id=made.pk, now=at)


def transfer(source: str, target: str, amount: str, *, at: datetime = NOW, **asked: Any) -> ChangeDecision:
    """A transfer asked by ann and approved by ben; pots as in "meter:LINK:main"."""
    given: dict[str, Any] = {"reason": "merge"} | asked
    made = transfers.ask_transfer(caller=person("ann"), source=source, target=target, amount=amount, now=at, **given)
    return transfers.approve_transfer(caller=person("ben"), request_id=made.pk, now=at)


def retire(jackpot: Jackpot, to: Jackpot, *, at: datetime = NOW, **levels: str) -> ChangeDecision:
    """A jackpot suspended and retired, each level to one of the other (all to its main one where none is named)."""
    if not jackpot.state_changes.exists():
        jackpot_states.suspend_jackpot(caller=person("ann"), jackpot_id=jackpot.pk, now=at)
    named = levels or dict.fromkeys(jackpot.levels.values_list("code", flat=True), "main")
    made = ask_retirement(
        caller=person("ann"), jackpot=jackpot.code, to=to.code, levels=named, reason="replaced", now=at
    )
    return retiring.approve_retirement(caller=person("ben"), request_id=made.pk, now=at)
