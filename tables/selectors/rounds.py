"""Finding rounds."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet

from jackpot.money import Currency, currency
from jackpot.selectors import clients
from jackpot.services import Caller
from tables.domain.round_state import Phase
from tables.models.rounds import UNSETTLED, Box, BoxResult, Round, Superseded
from tables.models.tables import Table


@dataclass(frozen=True, slots=True)
class Filters:
    """What rounds are wanted; None where it does not matter. `since` is inside the time, `until` is not.

    `player`, `hand` and `progressive_hand` together mean one box: a player's best hand of the settlement in force, and
    that of his Progressive. `number` is the beginning of a game number, or a whole external or round id.
    """

    table: str | None = None
    site: str | None = None
    phase: str | None = None
    day: date | None = None
    player: str | None = None
    hand: str | None = None
    external_id: str | None = None
    game_number: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    progressive_hand: str | None = None
    number: str | None = None
    late: bool | None = None
    corrected: bool | None = None


def seen_by(caller: Caller) -> QuerySet[Round]:
    """The rounds that exist for a caller: an integrator's own, at the sites of its key; all for staff.

    Read with what names their versions; the documents of these are read when they are asked for.
    """
    rounds = Round.objects.select_related("table", "site", "rule_set__rule_set", "policy__jackpot")
    rounds = rounds.defer("rule_set__document", "policy__document", "policy__terms")
    if caller.integrator_id is not None:
        rounds = rounds.filter(integrator_id=caller.integrator_id)
    if caller.site_ids is not None:
        rounds = rounds.filter(site_id__in=caller.site_ids)
    return rounds


def currency_of(caller: Caller, round_id: UUID) -> Currency | None:
    """The currency of a round's table, None where the caller has no such round."""
    found = seen_by(caller).select_related(None).defer(None).filter(pk=round_id)
    return next((currency(code) for (code,) in found.values_list("table__currency_code")), None)


def of_id(round_id: UUID) -> Round:
    """A round with its table. Raises Round.DoesNotExist."""
    return Round.objects.select_related("table").get(pk=round_id)


def filtered(rounds: QuerySet[Round], wanted: Filters) -> QuerySet[Round]:
    """Those of some rounds that are wanted."""
    fields: dict[str, Any] = {
        "table__code": wanted.table,
        "site__code": wanted.site,
        "phase": wanted.phase,
        "gaming_day": wanted.day,
        "external_id": wanted.external_id,
        "game_number": wanted.game_number,
        "started_at__gte": wanted.since,
        "started_at__lt": wanted.until,
    }
    rounds = rounds.filter(**{name: value for name, value in fields.items() if value is not None})
    if wanted.late is not None:
        rounds = rounds.filter(late=wanted.late)
    if wanted.corrected is not None:
        replaced = Superseded.objects.values("round_id")
        rounds = rounds.filter(pk__in=replaced) if wanted.corrected else rounds.filter(version__lte=1)
    if wanted.number is not None:
        rounds = rounds.filter(_numbered(wanted.number))
    if wanted.hand is not None or wanted.progressive_hand is not None:
        return rounds.filter(Exists(_with_hand(wanted)))
    if wanted.player is not None:
        return rounds.filter(Exists(Box.objects.filter(round_id=OuterRef("pk"), player=wanted.player)))
    return rounds


def indexed(rounds: QuerySet[Round], wanted: Filters) -> QuerySet[Round]:
    """The same of these rounds are wanted, said so that an index finds them among millions: those of a time by all
    tables, those that are not over as not settled.
    """
    if wanted.since is not None or wanted.until is not None:
        rounds = rounds.filter(table_id__in=list(Table.objects.values_list("pk", flat=True)))
    if wanted.phase is not None and wanted.phase not in (Phase.SETTLED, Phase.VOID):
        sites = list(Table.objects.order_by("site_id").values_list("site_id", flat=True).distinct())
        rounds = rounds.filter(UNSETTLED, site_id__in=sites)
    return rounds


def newest(rounds: QuerySet[Round], *, before: UUID | None, most: int) -> tuple[list[Round], UUID | None]:
    """The rounds that came in last, `most` of them, older than `before`; and the last of them where there are more."""
    if before is not None:
        rounds = rounds.filter(pk__lt=before)
    found = list(rounds.order_by("-id")[: most + 1])
    return found[:most], found[most - 1].pk if len(found) > most else None


def _numbered(text: str) -> Q:
    """A game number's beginning, or a whole id; external ids lie in an index that begins with the integrator."""
    wanted = Q(game_number__startswith=text)
    wanted |= Q(external_id=text, integrator_id__in=clients.integrator_ids())
    try:
        return wanted | Q(pk=UUID(text))
    except ValueError:
        return wanted


def _with_hand(wanted: Filters) -> QuerySet[BoxResult]:
    hands = {"hand": wanted.hand, "progressive_hand": wanted.progressive_hand}
    made = {name: hand for name, hand in hands.items() if hand is not None}
    results = BoxResult.objects.filter(round_id=OuterRef("pk"), version=OuterRef("version"), **made)
    if wanted.player is None:
        return results
    own = Box.objects.filter(round_id=OuterRef("round_id"), box=OuterRef("box"), player=wanted.player)
    return results.filter(Exists(own))


def started_in(seconds: Collection[tuple[int, datetime]]) -> dict[tuple[int, datetime], int]:
    """How many rounds each table started in each of these whole seconds, given as (table, second)."""
    if not seconds:
        return {}
    table_ids, starts = zip(*seconds, strict=True)
    with connection.cursor() as cursor:
        # Counted one by one, each by its index: joined, PostgreSQL would rather read all rounds that there are.
        cursor.execute(
            """
            SELECT named.table_id, named.second,
                   (SELECT count(*) FROM tables_round
                     WHERE table_id = named.table_id
                       AND started_at >= named.second AND started_at < named.second + interval '1 second')
              FROM unnest(%s::bigint[], %s::timestamptz[]) AS named (table_id, second)
            """,
            [list(table_ids), list(starts)],
        )
        return {(table_id, second): count for table_id, second, count in cursor.fetchall()}
