"""Late: rounds entered under this day because their own takes nothing more. A key reads its own rounds."""

from uuid import UUID

from django.db.models import QuerySet

from jackpot.reports import Asked, Line, Report, days, line, money, text, times
from jackpot.selectors.days import day_of
from tables.models.rounds import Round
from tables.reports import scope
from tables.selectors import results
from tables.services import versions

NAME = "late"
COLUMNS = (
    *text("table", "currency", "game_number", "phase"),
    *times("started_at", "completed_at"),
    *days("own_day", "entered_day"),
    *times("settled_at"),
    *money("staked", "returned"),
    *text("external_id", "round"),
)


def build(asked: Asked) -> Report:
    late = scope.rounds_of(asked).filter(late=True)
    amounts = results.by_round(late) | _first(late)
    lines = [_line(rnd, amounts.get(rnd.id, (0, 0))) for rnd in late.order_by("table__code", "started_at", "id")]
    return asked.report(NAME, COLUMNS, lines)


def _first(late: QuerySet[Round]) -> dict[UUID, tuple[int, int]]:
    """The same of rounds that were corrected later, as they were settled first."""
    works = versions.first_of(late.filter(version__gt=1).values_list("id", flat=True))
    rows = results.results_at((pk, work.version) for pk, work in works.items())
    return {
        pk: (
            sum(box.staked for box in work.facts.boxes),
            sum(sum(results.returned_to(row).values()) for row in rows[pk, work.version].values()),
        )
        for pk, work in works.items()
    }


def _line(rnd: Round, amounts: tuple[int, int]) -> Line:
    return line(
        rnd.table.currency, rnd.table.code, rnd.table.currency_code, rnd.game_number, rnd.phase, rnd.started_at,
        rnd.completed_at, day_of(rnd.site, rnd.completed_at or rnd.started_at), rnd.gaming_day, rnd.settled_at,
        *amounts, rnd.external_id, str(rnd.id),
    )  # fmt: skip
