"""Readings: what signs showed against what was true at that instant, with the statement rows around it.

All readings of a jackpot, for whoever sees it; who entered and signed them is shown to staff.
"""

from jackpot.domain.readings import SIGNATURES
from jackpot.domain.reports import Column, Kind, Report, exact, line, money, numbers, text, times
from jackpot.reports.asking import Asked
from jackpot.selectors import readings

NAME = "readings"
COLUMNS = (
    *text("jackpot", "currency", "level"),
    *times("read_at"),
    *money("shown", "value", "variance", summed=False),
    Column("variance_percent", Kind.PERCENT),
    *money("tolerance", summed=False),
    *text("within_tolerance"),
    *exact("exact", summed=False),
    *numbers("seq"),
    *times("since"),
    *numbers("next_seq"),
    *times("until", "entered_at"),
    *text("entered_by", "note", "signed", "first_signed_by", "second_signed_by"),
    *times("signed_at"),
)


def build(asked: Asked) -> Report:
    first, end = asked.bounds
    rows = readings.readings_of(asked.jackpots).filter(read_at__gte=first, read_at__lt=end)
    staff = asked.caller.is_person
    lines = []
    for placed in readings.placed(rows):
        reading, compared = placed.reading, placed.compared
        jackpot = reading.level.jackpot
        lines.append(
            line(
                jackpot.currency, jackpot.code, jackpot.currency_code, reading.level.code, reading.read_at,
                compared.shown, compared.value, compared.variance, compared.percent_ppm, compared.tolerance,
                "yes" if compared.within else "no", placed.exact, placed.seq, placed.since, placed.next_seq,
                placed.until, reading.entered_at, reading.entered_by.get_username() if staff else None,
                reading.note if staff else None, placed.signed, *_signers(placed, staff),
                placed.signatures[-1].signed_at if len(placed.signatures) == SIGNATURES else None,
            )
        )  # fmt: skip
    return asked.report(NAME, COLUMNS, lines)


def _signers(placed: readings.Placed, staff: bool) -> list[str | None]:
    """Who signed first and second, for staff; None where nobody has."""
    names: list[str | None] = [one.signed_by.get_username() for one in placed.signatures] if staff else []
    return [*names, None, None][:SIGNATURES]
