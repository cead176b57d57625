"""The console's step that closes a gaming day: what is shown before, and what is said where the day stays open."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, cast

from django.contrib import messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.db import OperationalError, transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from jackpot import services as jackpot
from jackpot.admin.base import exact, moment
from jackpot.admin.steps import Step
from jackpot.domain.errors import Refused
from jackpot.selectors import days, jackpots
from jackpot.selectors.days import bounds_of
from tables.admin import day_parts
from tables.selectors import unsettled
from tables.services import closing

NEEDED = "jackpot.close_day"
STEP = Step(
    name="close",
    label="Close the day",
    about=(
        "The day takes nothing more: what it came to is written down and sealed, and stays. What is not settled goes"
        " on, and is entered under the open day. A closed day cannot be opened again."
    ),
    needs=NEEDED,
    act=lambda acting: "",
    grave=True,
)
_TO_DO = {
    "never_opened": "There is nothing to close.",
    "not_over": "Come back when it is over.",
    "books_differ": (
        "Nothing was written. Do not try to even it out: run verify and audit, which name what was changed, and tell"
        " whoever keeps the heads of the chains."
    ),
}


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a day was not closed, with the status that the page is answered with."""

    said: SafeString | str
    status: int
    differences: tuple[Any, ...] = ()


def why(site: jackpot.Site, stays: jackpot.StaysOpen) -> SafeString:
    """Why a day stays open, and what to do."""
    if stays.why == "earlier_open":
        first = days.first_open(site)
        address = reverse("console:day", args=[site.code, first])
        return format_html('{}. <a href="{}">Close {} first</a>', stays, address, first)
    return format_html("{}. {}", stays, _TO_DO[stays.why])


def close(request: HttpRequest, site: jackpot.Site, day: date, now: datetime) -> Refusal | None:
    """Close the day as the person who is signed in; what refused it, or None where it is closed."""
    user = cast(User, request.user)
    try:
        with transaction.atomic():
            done = closing.close_day(site=site, day=day, by=user, now=now)
            said = f"{day} of {site.code} is closed" if done.now else f"{day} was closed before: {moment_of(done)}"
            if done.now:
                LogEntry.objects.log_actions(
                    user.pk, [done.closing.gaming_day], CHANGE, f"{STEP.label}: {said}", single_object=True
                )
    except jackpot.StaysOpen as stays:
        return Refusal(why(site, stays), 409, stays.differences)
    except Refused as refused:
        return Refusal(str(refused), 403)
    except OperationalError:
        return Refusal("It is being closed or posted to just now. Nothing was written: try again.", 503)
    messages.success(request, said)
    return None


def moment_of(done: jackpot.Closed) -> str:
    return moment(done.closing.closed_at)


def context(site: jackpot.Site, day: date, now: datetime, refusal: Refusal | None) -> dict[str, Any]:
    """What the page shows before the day is closed."""
    foreseen = jackpot.foresee_closing(site=site, day=day, now=now)
    rounds = [one.document() for one in unsettled.unsettled(site, bounds_of(site, day)[1])]
    found: dict[str, Any] = {
        "step": STEP, "site": site, "day": day, "refusal": refusal, "in_order": True,
        "can_be_closed": foreseen.stays is None, "as_of": moment(now),
        "rounds": day_parts.rounds_table(rounds, closed=False), "differences": refusal.differences if refusal else (),
    }  # fmt: skip
    if foreseen.stays is not None and refusal is None:
        found |= {"refusal": Refusal(why(site, foreseen.stays), 200), "differences": foreseen.stays.differences}
    if foreseen.figures is not None:
        codes = {line.jackpot for line in foreseen.figures.pots}
        money = {one.code: one.currency for one in jackpots.on_show().filter(code__in=codes)}
        found["facts"] = [
            ("Awards unpaid", len(foreseen.figures.unpaid)),
            ("Rounds not settled", len(rounds)),
            ("Of these, voids that wait for a second person", sum(one["void_waits"] for one in rounds)),
        ]
        found["pot_columns"], found["pot_numbers"] = ("Jackpot", "Level", "Pot", "Opening", "Closing"), {3, 4}
        found["pots"] = [
            (line.jackpot, line.level, line.pot.value, exact(line.opening, money[line.jackpot]),
             exact(line.closing, money[line.jackpot]))
            for line in foreseen.figures.pots
        ]  # fmt: skip
    return found
