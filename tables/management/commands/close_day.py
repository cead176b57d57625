"""`manage.py close_day`: closes gaming days of a site that are over, each once however often and wherever this runs."""

import json
from argparse import ArgumentTypeError
from collections.abc import Mapping
from datetime import date
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError
from django.utils import timezone

from jackpot import services as jackpot
from jackpot.domain.errors import Refused
from jackpot.selectors import sites
from tables.services import closing


class Command(BaseCommand):
    help = (
        "Closes the gaming days of a site that are over, oldest first, or one day. A day that is closed already is no"
        " error. The exit code is 1 where a day stays open: its books differ, it is not over, was never opened, or an"
        " earlier one is open."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--site", required=True, metavar="CODE")
        parser.add_argument("--day", type=_day, metavar="YYYY-MM-DD", help="default: every open day that is over")
        parser.add_argument("--by", metavar="USERNAME", help="who closes; they need the permission")
        parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")

    def handle(self, *args: Any, site: str, day: date | None, by: str | None, json: bool, **options: Any) -> None:
        found = sites.by_code(site)
        if found is None:
            raise CommandError(f"there is no site {site}")
        person = _person(by)
        now = timezone.now()
        days = jackpot.days_over(found, now=now) if day is None else [day]
        closed: list[dict[str, object]] = []
        why: dict[str, object] | None = None
        for number, one in enumerate(days, start=1):
            if not json:
                self.stderr.write(f"{number}/{len(days)} {site} {one}")
            try:
                done = closing.close_day(site=found, day=one, by=person, now=now)
            except (jackpot.StaysOpen, Refused, OperationalError) as error:
                why = _why(one, error)
                break
            closed.append(_shown(one, done))
            if not json:
                self.stdout.write(_line(one, done))
        if json:
            self.stdout.write(_written({"site": site, "days": closed, "stays_open": why}))
        elif not days:
            self.stdout.write(f"{site}: no day is over that is open")
        if why is not None:
            raise CommandError("\n".join([str(why["detail"]), *map(str, _listed(why))]), returncode=1)


def _day(written: str) -> date:
    try:
        return date.fromisoformat(written)
    except ValueError:
        raise ArgumentTypeError("a day such as 2026-11-29 is expected") from None


def _person(username: str | None) -> User | None:
    if username is None:
        return None
    found = User.objects.filter(username=username).first()
    if found is None:
        raise CommandError(f"there is nobody of the name {username}")
    return found


def _shown(day: date, done: jackpot.Closed) -> dict[str, object]:
    closing = done.closing
    return {
        "day": day.isoformat(),
        "closed_at": closing.closed_at.isoformat(),
        "closed_now": done.now,
        "pots": closing.pots,
        "accounts": closing.accounts,
        "unpaid": closing.unpaid,
        "rounds_open": closing.rounds,
    }


def _line(day: date, done: jackpot.Closed) -> str:
    if not done.now:
        return f"{day}: closed already, at {done.closing.closed_at.isoformat()}"
    rounds = done.closing.rounds
    late = sum(bool(one["comes_late"]) for one in rounds)
    said = f"{day}: closed; {done.closing.unpaid} awards unpaid, {len(rounds)} rounds not settled ({late} come late)"
    return "\n".join([said, *(f"  {one['game_number']} {_stands(one)}" for one in rounds)])


def _stands(rnd: Mapping[str, object]) -> str:
    return f"{rnd['phase']}, a void waits for a second person" if rnd["void_waits"] else str(rnd["phase"])


def _why(day: date, error: Exception) -> dict[str, object]:
    why: dict[str, object] = {"day": day.isoformat(), "detail": str(error).strip()}
    if isinstance(error, jackpot.StaysOpen):
        listed = [
            {"what": one.what, "where": one.where, "expected": str(one.expected), "found": str(one.found)}
            for one in error.differences
        ]
        return why | {"why": error.why.value, "differences": listed}
    return why | {"why": error.code if isinstance(error, Refused) else "busy", "differences": []}


def _listed(why: dict[str, object]) -> list[str]:
    found = why["differences"]
    rows = found if isinstance(found, list) else []
    return [f"  {one['what']}, {one['where']}: {one['expected']} expected, {one['found']} found" for one in rows]


def _written(document: dict[str, object]) -> str:
    return json.dumps(document, ensure_ascii=False)
