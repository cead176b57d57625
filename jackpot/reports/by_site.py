"""By site: what the tables of each site gave to a jackpot in a day, and what was won at them.

What corrections did to the pots stands by itself (`corrected`). The day is the jackpot's. A key reads its own rounds by
the names of their sites, and those of all others as one row.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from jackpot.domain.meter import Kind
from jackpot.domain.reports import Line, Report, counts, exact, line, money, text
from jackpot.models.awards import Award
from jackpot.models.jackpots import Jackpot
from jackpot.models.sites import Site
from jackpot.reports.asking import Asked
from jackpot.selectors import awards, jackpots, places, rolls

NAME = "by-site"
OTHERS = "all others"
COLUMNS = (
    *text("jackpot", "currency", "site"),
    *exact("contributed", "voided", "corrected"),
    *counts("hits"),
    *exact("awarded", "returned"),
    *counts("envies"),
    *money("envy"),
)


@dataclass(slots=True)
class _Sums:
    by_kind: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    hits: int = 0
    envies: int = 0
    envy: int = 0


def build(asked: Asked) -> Report:
    seen = _jackpots(asked)
    fed = rolls.fed_by_tables(seen, asked.day)
    won = awards.counted_by_tables(seen, asked.day)
    sites = places.sites_of({row.table_ref for row in fed} | {group.table_ref for group in won})
    sums: dict[tuple[int, str], _Sums] = defaultdict(_Sums)
    for row in fed:
        if (name := _name(asked, sites.get(row.table_ref), row.integrator_id)) is not None:
            sums[row.jackpot_id, name].by_kind[row.kind] += row.amount
    for group in won:
        if (name := _name(asked, sites.get(group.table_ref), group.integrator_id)) is not None:
            here = sums[group.jackpot_id, name]
            if group.kind == Award.Kind.HIT:
                here.hits += group.number
            else:
                here.envies, here.envy = here.envies + group.number, here.envy + group.amount
    return asked.report(NAME, COLUMNS, _lines(seen, sums))


def _jackpots(asked: Asked) -> list[Jackpot]:
    """The jackpot asked for; of a site all that may have tables there."""
    if asked.jackpot is not None:
        return [asked.jackpot]
    return list(jackpots.seen_by(asked.caller, linked=asked.linked))


def _name(asked: Asked, site: Site | None, integrator_id: int) -> str | None:
    """Where something happened as the caller reads it; None where that is not asked for."""
    if site is None or (asked.site is not None and site.pk != asked.site.pk):
        return None
    caller = asked.caller
    at_own = caller.site_ids is None or site.pk in caller.site_ids
    if at_own and caller.integrator_id in (None, integrator_id):
        return site.code
    return OTHERS if asked.site is None else None


def _lines(seen: list[Jackpot], sums: Mapping[tuple[int, str], _Sums]) -> list[Line]:
    """By jackpot and site; the others, a name that no site has, come last."""
    by_id = {jackpot.pk: jackpot for jackpot in seen}
    order = sorted(sums, key=lambda key: (by_id[key[0]].code, key[1] == OTHERS, key[1]))
    return [_line(by_id[pk], name, sums[pk, name]) for pk, name in order]


def _line(jackpot: Jackpot, site: str, sums: _Sums) -> Line:
    kinds = sums.by_kind
    return line(
        jackpot.currency, jackpot.code, jackpot.currency_code, site, kinds[Kind.CONTRIBUTION], kinds[Kind.VOID],
        kinds[Kind.CORRECTION],
        sums.hits, -kinds[Kind.AWARD], kinds[Kind.AWARD_RETURNED], sums.envies, sums.envy,
    )  # fmt: skip
