"""What a correction would change, worked out before anybody asks for it: the money of every box, bet by bet.

It is reckoned as the correction will be: the new facts under the versions the round pinned, shares on the pots as they
stood before the first settlement. Awards that were paid stay paid then; what is shown is what the version owes.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from jackpot import services as jackpot
from jackpot.selectors import corrections
from tables.domain.results import WagerKind
from tables.services import audit
from tables.services.corrections import Wanted
from tables.services.reckoning import reckon, terms_of

Figures = dict[tuple[str, str], int | str]
"""Amounts in ledger units, or words, by where ("box 1") and what ("ante returned")."""


@dataclass(frozen=True, slots=True)
class Changed:
    """One figure that would change; None where it is not there. An `int` is an amount in ledger units."""

    where: str
    what: str
    before: int | str | None
    after: int | str | None


def preview(wanted: Wanted) -> list[Changed]:
    """Every figure of the round's results that would change, box by box, and the total at the end."""
    before, after = _standing(wanted), _becoming(wanted)
    return [
        Changed(*place, before.get(place), after.get(place))
        for place in sorted(before | after, key=lambda place: (_number(place[0]), *place))
        if before.get(place) != after.get(place)
    ]


def _standing(wanted: Wanted) -> Figures:
    """As results and awards say it now."""
    rnd = wanted.work.round
    results = audit.stored_results([rnd.id]).get((rnd.id, rnd.version), {})
    source = f"round:{rnd.id}:v{rnd.version}"
    envy: Counter[tuple[int, int]] = Counter()
    for one in corrections.owed_by([source])[source]:
        if one.award.kind == jackpot.Award.Kind.ENVY:
            envy[one.award.box, one.from_box or 0] += one.amount
    return _figures(results, envy)


def _becoming(wanted: Wanted) -> Figures:
    work = wanted.work
    made = reckon(work.at(work.version + 1, wanted.corrected), terms_of(work))
    return _figures(made.results, made.envy)


def _figures(results: audit.Fields, envy: Counter[tuple[int, int]]) -> Figures:
    figures = dict(_of_boxes(results))
    figures |= {(f"box {box}", f"Envy from box {source}"): amount for (box, source), amount in envy.items()}
    returned = sum(amount for (_, what), amount in figures.items() if isinstance(amount, int))
    return figures | {("all boxes", "returned, Envy inside"): returned}


def _of_boxes(results: audit.Fields) -> Iterator[tuple[tuple[str, str], int | str]]:
    for place, row in results.items():
        for name in ("hand", "progressive_hand"):
            if row[name]:
                yield (place, name.replace("_", " ")), row[name].replace("_", " ")
        for n, kind in enumerate(WagerKind):
            if row["outcomes"][n : n + 1] != "-":
                yield (place, f"{kind} returned"), row[kind]


def _number(where: str) -> int:
    """Boxes by number, the total after them."""
    number = where.rpartition(" ")[2]
    return int(number) if number.isdecimal() else 1_000_000
