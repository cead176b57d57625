"""Awards and Envy of a day, and those that are not paid at its end (liabilities).

An integrator's key sees the awards of its own rounds at the tables of its sites. The day is the jackpot's.
"""

from datetime import date
from typing import Any

from jackpot.domain.reports import Line, Report, days, line, money, numbers, text, times
from jackpot.models.awards import Award
from jackpot.reports.asking import Asked
from jackpot.selectors import awards, liabilities

AWARDS = "awards"
LIABILITIES = "liabilities"

AWARD_COLUMNS = (
    *text("jackpot", "currency", "level", "kind", "hand", "table"),
    *numbers("box"),
    *text("player"),
    *money("amount"),
    *money("meter_before", "meter_after", "reset_to", summed=False),
    *numbers("seq", "from_box"),
    *times("hit_at"),
    *text("late", "state", "policy", "round", "award"),
)
LIABILITY_COLUMNS = (
    *text("jackpot", "currency", "kind", "hand", "table"),
    *numbers("box"),
    *text("player"),
    *money("amount"),
    *times("hit_at"),
    *days("owed_since"),
    *numbers("age_days"),
    *text("state", "round", "award"),
)


def build_awards(asked: Asked) -> Report:
    """The hits of the day, each with its Envy, in the order in which they were made."""
    wanted = awards.Filters(**_place(asked), day=asked.day)
    found = awards.filtered(awards.seen_by(asked.caller), wanted).order_by("entry_id", "position")
    return asked.report(AWARDS, AWARD_COLUMNS, [_award(award) for award in found])


def build_liabilities(asked: Asked) -> Report:
    """What was owed and unpaid at the end of the day. All of a jackpot is compared with its account in the ledger."""
    seen = awards.filtered(awards.seen_by(asked.caller), awards.Filters(**_place(asked)))
    unpaid = list(liabilities.unpaid_at(seen, asked.day))
    lines = [_liability(award, asked.day) for award in unpaid]
    checks = {}
    if asked.jackpot is not None and asked.caller.is_person:
        owed = liabilities.owed_at([asked.jackpot], asked.day)
        checks = {"ledger": owed, "difference": sum(award.amount for award in unpaid) - owed}
    return asked.report(LIABILITIES, LIABILITY_COLUMNS, lines, checks=checks)


def _place(asked: Asked) -> dict[str, Any]:
    return {
        "site": asked.site.code if asked.site else None,
        "jackpot": asked.jackpot.code if asked.jackpot else None,
    }


def _award(award: Award) -> Line:
    return line(
        award.jackpot.currency, award.jackpot.code, award.jackpot.currency_code,
        award.level.code if award.level else None, award.kind, award.hand, award.table_ref, award.box, award.player,
        award.amount, award.meter_before, award.meter_after, award.reset_to, award.seq,
        award.hit.box if award.hit else None, award.hit_at, "yes" if award.late else "no", award.state,
        str(award.policy), str(award.source_ref), str(award.pk),
    )  # fmt: skip


def _liability(award: Award, day: date) -> Line:
    owed_day: date = vars(award)["owed_day"]
    return line(
        award.jackpot.currency, award.jackpot.code, award.jackpot.currency_code, award.kind, award.hand,
        award.table_ref, award.box, award.player, award.amount, award.hit_at, owed_day, (day - owed_day).days,
        award.state, str(award.source_ref), str(award.pk),
    )  # fmt: skip
