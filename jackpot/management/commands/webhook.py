"""`manage.py webhook`: an operator's hand on the endpoints of integrators."""

import json
from argparse import ArgumentTypeError
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from jackpot import tasks
from jackpot.domain.errors import Refused
from jackpot.domain.events import EventType
from jackpot.http.showing import shown_time
from jackpot.selectors import webhooks as standing
from jackpot.selectors.webhooks import Standing
from jackpot.webhooks import endpoints

MOST_HOURS = 720
"""A month, for which a secret that was replaced may go on signing."""


class Command(BaseCommand):
    help = "Adds, lists and changes the endpoints that are told of events. The exit code is 1 for what is not there."

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
        add = actions.add_parser("add", help="a new endpoint, told from now on; prints its id and its secret, once")
        add.add_argument("--integrator", required=True, metavar="NAME", help="whose events it is told of")
        add.add_argument("--url", required=True, help="where they are sent to; HTTPS, at a public address")
        add.add_argument("--events", default="", metavar="A,B", help="some of " + ", ".join(EventType) + "; else all")
        shown = actions.add_parser("list", help="every endpoint, its backlog and what is parked")
        shown.add_argument("--json", action="store_true", help="print one JSON list and nothing else")
        rotate = actions.add_parser("rotate", help="a new secret, printed once; the one before goes on for a time")
        rotate.add_argument("id", type=int)
        rotate.add_argument("--overlap", type=_hours, default=24, metavar="HOURS", help="default: %(default)s")
        actions.add_parser("disable", help="nothing more is sent to it").add_argument("id", type=int)
        actions.add_parser("enable", help="it is told again, first of what waits").add_argument("id", type=int)
        again = actions.add_parser("redeliver", help="send what is parked again, or the events named")
        again.add_argument("id", type=int)
        again.add_argument("--seq", type=int, action="append", metavar="N", help="an event; may be given several times")

    def handle(self, *args: Any, action: str, **options: Any) -> None:
        actions: dict[str, Callable[..., str]] = {
            "add": self._add,
            "list": self._list,
            "rotate": self._rotate,
            "disable": self._disable,
            "enable": self._enable,
            "redeliver": self._redeliver,
        }
        try:
            said = actions[action](**options)
        except Refused as refused:
            raise CommandError("\n".join(violation.detail for violation in refused.violations)) from None
        self.stdout.write(said)

    def _add(self, *, integrator: str, url: str, events: str, **_: Any) -> str:
        types = [kind.strip() for kind in events.split(",") if kind.strip()]
        private = settings.WEBHOOK_PRIVATE_ADDRESSES
        added = endpoints.add(integrator=integrator, url=url, types=types, private=private, now=timezone.now())
        return f"{added.endpoint_id} {added.secret}"

    def _list(self, *, json: bool, **_: Any) -> str:
        rows = [_shown(one) for one in standing.standings()]
        return _written(rows) if json else "\n".join(map(_line, rows)) or "there is no endpoint"

    def _rotate(self, *, id: int, overlap: int, **_: Any) -> str:  # noqa: A002 - as it is typed
        return endpoints.rotate(endpoint_id=id, overlap=timedelta(hours=overlap), now=timezone.now())

    def _disable(self, *, id: int, **_: Any) -> str:  # noqa: A002
        endpoints.disable(endpoint_id=id)
        return f"endpoint {id} is disabled"

    def _enable(self, *, id: int, **_: Any) -> str:  # noqa: A002
        endpoints.enable(endpoint_id=id, now=timezone.now())
        tasks.wake()
        return f"endpoint {id} is told again"

    def _redeliver(self, *, id: int, seq: list[int] | None, **_: Any) -> str:  # noqa: A002
        sent = endpoints.redeliver(endpoint_id=id, seqs=seq, now=timezone.now())
        tasks.wake()
        return f"{sent} events are sent again"


def _shown(one: Standing) -> dict[str, object]:
    endpoint = one.endpoint
    return {
        "id": endpoint.pk,
        "integrator": endpoint.integrator.name,
        "url": endpoint.url,
        "events": endpoint.types or "all",
        "state": endpoint.state,
        "why": endpoint.why or None,
        "backlog": one.backlog,
        "parked": one.parked,
        "failures": endpoint.failures,
        "answered_at": shown_time(endpoint.answered_at),
        "last_error": one.last_error or None,
    }


def _hours(written: str) -> int:
    hours = int(written)
    if not 0 <= hours <= MOST_HOURS:
        raise ArgumentTypeError(f"0 to {MOST_HOURS} hours are expected")
    return hours


def _line(row: dict[str, object]) -> str:
    trouble = row["why"] or (row["last_error"] if row["failures"] or row["parked"] else None)
    line = (
        f"{row['id']}  {row['integrator']}  {row['url']}  {row['state']}  {row['backlog']} wait, {row['parked']} parked"
    )
    return f"{line}  ({trouble})" if trouble else line


def _written(rows: list[dict[str, object]]) -> str:
    return json.dumps(rows, ensure_ascii=False)
