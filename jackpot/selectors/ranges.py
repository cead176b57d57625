"""Several gaming days of a jackpot's books as one: how each pot went from the first day's opening to the last's end."""

from collections import defaultdict
from datetime import date, timedelta

from django.db.models import F, Max, Sum

from jackpot.domain.meter import Kind
from jackpot.models.closings import Closing, PotClosing
from jackpot.models.jackpots import Jackpot
from jackpot.selectors import rolls
from jackpot.selectors.rolls import PotDay


def pots_over(jackpot: Jackpot, first: date, last: date) -> list[PotDay]:
    """Every pot of a jackpot over these days, both inside. What closed days came to is taken from their closings."""
    ends = rolls.pot_days([jackpot], last)
    if first == last:
        return ends
    begins = {(pot.level, pot.pot): pot for pot in rolls.pot_days([jackpot], first)}
    kinds = _summed(jackpot, first, last)
    return [
        PotDay(
            jackpot=jackpot,
            level=end.level,
            pot=end.pot,
            opening=begins[end.level, end.pot].opening,
            by_kind=kinds[end.level, end.pot],
            statement=end.statement,
            ledger=end.ledger,
            stated_before=begins[end.level, end.pot].stated_before,
            stored=end.stored,
        )
        for end in ends
    ]


def _summed(jackpot: Jackpot, first: date, last: date) -> dict[tuple[str, str], dict[str, int]]:
    """What changed pots, by level and pot, then by kind: closed days by their closings, the rest by its rows."""
    days = Closing.objects.filter(gaming_day__site=jackpot.home_site_id, gaming_day__day__lte=last)
    closed = days.aggregate(day=Max("gaming_day__day"))["day"]
    found: dict[tuple[str, str], dict[str, int]] = defaultdict(lambda: defaultdict(int))
    lines = PotClosing.objects.filter(
        level__jackpot=jackpot, closing_of__gaming_day__day__gte=first, closing_of__gaming_day__day__lte=last
    )
    kinds = {f"sum_{kind}": Sum(F(kind.value)) for kind in Kind}
    for level, pot, *sums in lines.values_list("level__code", "pot").annotate(**kinds):
        found[level, pot] = defaultdict(int, {kind.value: int(units) for kind, units in zip(Kind, sums, strict=True)})
    after = max(first - timedelta(days=1), closed or date.min)
    codes = dict(jackpot.levels.values_list("pk", "code"))
    for (level_id, pot), by_kind in rolls.summed([jackpot.pk], after=after, until=last).items():
        for kind, units in by_kind.items():
            found[codes[level_id], pot][kind] += units
    return found
