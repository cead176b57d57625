"""The console's statement of a jackpot: every change of one pot with its running balance, a page at a time.

Pages go by the rows' numbers, which have no gap and never change: a page costs the same however long the statement is,
and rows that come meanwhile move nothing.
"""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.http import urlencode

from jackpot.admin.base import DayField, plain, stamp
from jackpot.admin.sources import linked
from jackpot.domain.accounts import Pot
from jackpot.domain.meter import Kind
from jackpot.models.jackpots import Jackpot
from jackpot.models.ledger import StatementRow
from jackpot.selectors import statements

ROWS = 50
COLUMNS = ("No.", "Kind", "Amount", "Balance", "Posted (UTC)", "Happened (UTC)", "Gaming day", "Of", "By and why")
NUMBERS = {0, 2, 3}


class Asked(forms.Form):
    """Which pot, and of its rows which: those of a kind, of a day; `before` and `after` are numbers of rows."""

    level = forms.ChoiceField()
    pot = forms.ChoiceField(choices=[(pot.value, pot.value) for pot in Pot], initial=Pot.METER.value)
    kind = forms.ChoiceField(required=False)
    day = DayField(label="Gaming day", required=False)
    before = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)
    after = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)

    def __init__(self, data: QueryDict, *, jackpot: Jackpot) -> None:
        levels = [level.code for level in jackpot.levels.all()]
        first = {"level": levels[0], "pot": Pot.METER.value} if levels else {}
        super().__init__(first | {name: data[name] for name in data if data[name]})
        kinds = [("", "every kind"), *((kind.value, kind.value.replace("_", " ")) for kind in Kind)]
        self.fields["level"] = forms.ChoiceField(choices=[(code, code) for code in levels])
        self.fields["kind"] = forms.ChoiceField(choices=kinds, required=False)


@dataclass(frozen=True, slots=True)
class Page:
    """Rows, newest first, and the queries of the pages beside it; None where there is none."""

    rows: list[list[object]]
    newer: str | None
    older: str | None


def page_of(jackpot: Jackpot, said: dict[str, Any]) -> Page:
    """The page that was asked for, with the form's answers."""
    # By its id: joined by its code, PostgreSQL can't know that the rows come in order, and sorts the whole statement.
    level = next(level.pk for level in jackpot.levels.all() if level.code == said["level"])
    rows = statements.rows_of(jackpot).filter(level_id=level, pot=said["pot"])
    if said["kind"]:
        rows = rows.filter(kind=said["kind"])
    if said["day"]:
        rows = rows.filter(gaming_day=said["day"])
    back = said["after"] is not None
    if back:
        found = list(rows.filter(seq__gt=said["after"]).order_by("seq")[: ROWS + 1])
        shown = found[:ROWS][::-1]
    else:
        rows = rows.filter(seq__lt=said["before"]) if said["before"] else rows
        found = list(rows.order_by("-seq")[: ROWS + 1])
        shown = found[:ROWS]
    more = len(found) > ROWS
    wanted = {name: str(said[name]) for name in ("level", "pot", "kind", "day") if said[name]}
    newer, older = (more, bool(shown)) if back else (bool(said["before"]) and bool(shown), more)
    return Page(
        [_row(row, jackpot) for row in shown],
        urlencode(wanted | {"after": shown[0].seq}) if newer else None,
        urlencode(wanted | {"before": shown[-1].seq}) if older else None,
    )


def _row(row: StatementRow, jackpot: Jackpot) -> list[object]:
    entry, cur = row.entry, jackpot.currency
    said = " · ".join(part for part in (entry.actor, entry.reason) if part)
    return [
        row.seq, row.kind.replace("_", " "), signed(row.amount, jackpot), plain(row.after, cur),
        stamp(entry.posted_at), stamp(entry.event_at), row.gaming_day.isoformat(), linked(entry.source_ref), said,
    ]  # fmt: skip


def signed(units: int, jackpot: Jackpot) -> str:
    """An exact amount with its sign, whichever it is, without the code."""
    return f"{'+' if units > 0 else ''}{plain(units, jackpot.currency)}"
