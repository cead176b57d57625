"""What the page of a round shows: its table, and under it everything that leads from it to the books and back."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from jackpot.admin.base import exact
from jackpot.money import Currency, show_exact, show_stored
from jackpot.selectors.corrections import Owed
from jackpot.selectors.evidence import Books
from jackpot.services import Award, ChangeRequest
from tables.admin import drawn
from tables.admin.correction_facts import compared
from tables.admin.drawn import Drawn, Envied
from tables.admin.felt import felt_of
from tables.domain.results import WagerKind
from tables.models.rounds import BoxResult, Round
from tables.selectors import on_show, superseded
from tables.selectors.on_show import MOST_BOXES, OnShow
from tables.selectors.timelines import timeline
from tables.services import versions
from tables.services.reperforming import books_of

Context = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure of one version; `changed` where the next or present one says otherwise."""

    text: str
    changed: bool


def page_of(rnd: Round, version: int | None = None) -> Context:
    """Everything the template shows; the round is read with its table, site and versions. The table is drawn as it
    stood in `version`, where that is one that was replaced.
    """
    books, currency = books_of(rnd), rnd.table.currency
    earlier = versions.as_it_stood(rnd, version) if version else None
    shown = earlier or on_show.on_show([rnd])[0]
    envy = envied(shown.awards, currency)
    table = _drawn(shown, envy)
    return {
        "round": rnd,
        "earlier": version if earlier else None,
        "drawn": table,
        "felt": felt_of(table.seats, envy),
        "wide": MOST_BOXES if shown.wide else None,
        "totals": _totals(table, currency),
        "envy": envy,
        "awards": list(_awards(books, currency)),
        "versions": _versions(rnd, currency),
        "changes": [_change(change) for change in books.changes],
        "timeline": [(one, _said(one.data, currency)) for one in timeline(rnd, books)],
        "pots": list(_pots(books, currency)),
        "entries": list(_entries(books, currency)),
        "seals": list(_seals(books)),
        "asked": any(getattr(change, "decided", None) is None for change in books.changes),
        "facts": list(_facts(rnd)),
        "void_said": drawn.words(rnd.void_reason) + (f", {rnd.void_note}" if rnd.void_note else ""),
    }


def _drawn(shown: OnShow, envy: Sequence[Envied]) -> Drawn:
    """The round drawn; of one with very many boxes the first of them, and the totals of all."""
    rnd = shown.round
    if not shown.wide:
        return drawn.draw(rnd, shown.boxes, dict(shown.results), envy)
    boxes = list(on_show.boxes_of(rnd).order_by("box")[:MOST_BOXES])
    table = drawn.draw(rnd, boxes, on_show.results_of(rnd, boxes), envy)
    table.totals.staked, table.totals.returned = shown.staked, shown.returned + table.totals.envy
    return table


def envied(owed: Any, currency: Currency) -> list[Envied]:
    """The Envy of a version: from whose box, to which, for which hand."""
    found: list[Owed] = [one for one in owed if one.award.kind == Award.Kind.ENVY]
    found.sort(key=lambda one: (one.from_box or 0, one.award.box))
    return [
        Envied(one.from_box or 0, one.award.box, drawn.words(one.hand), one.amount, show_stored(one.amount, currency))
        for one in found
    ]


def _totals(table: Drawn, currency: Currency) -> list[tuple[str, str]]:
    totals = table.totals
    figures = (
        ("Staked", totals.staked),
        ("Returned", totals.returned),
        ("Of which Envy", totals.envy),
        ("The house keeps", totals.staked - totals.returned),
    )
    return [(name, f"{show_stored(units, currency)} {currency.code}") for name, units in figures]


def _facts(rnd: Round) -> Iterator[tuple[str, object]]:
    """When and where it was played, and by which versions."""
    yield "Game number", rnd.game_number
    yield "External id", rnd.external_id or "–"
    yield "Round id", rnd.id
    yield "Site", rnd.site
    yield "Table", _link("admin:tables_table_change", rnd.table_id, rnd.table)
    yield "Sent by", f"{rnd.integrator.name}, {'step by step' if rnd.live else 'as a whole'}"
    for name in ("started_at", "locked_at", "completed_at", "settled_at"):
        at = getattr(rnd, name)
        yield drawn.words(name).capitalize(), f"{at:%Y-%m-%d %H:%M:%S} UTC" if at else "–"
    yield "Gaming day", f"{rnd.gaming_day:%Y-%m-%d}" if rnd.gaming_day else "–"
    if rnd.rule_set:
        yield "Rule set", _link("admin:tables_rulesetversion_change", rnd.rule_set_id, rnd.rule_set)
    if rnd.policy:
        yield "Jackpot policy", _link("admin:jackpot_policyversion_change", rnd.policy_id, rnd.policy)


def _link(name: str, pk: object, text: object) -> SafeString:
    return format_html('<a href="{}">{}</a>', reverse(name, args=[pk]), text)


def _awards(books: Books, currency: Currency) -> Iterator[Context]:
    """Every award of the round in all its versions, with the links to its page and evidence."""
    for award in books.awards:
        yield {
            "award": award,
            "hand": drawn.words(award.hand),
            "amount": f"{show_stored(award.amount, currency)} {currency.code}",
            "from_box": award.hit.box if award.hit else None,
            "meter": None if award.meter_before is None else exact(award.meter_before, currency),
            "address": reverse("admin:jackpot_award_change", args=[award.pk]),
            "evidence": [(kind, reverse(f"console:evidence_{kind}", args=[award.pk])) for kind in ("pdf", "json")],
        }


def _change(change: Any) -> Context:
    decided = getattr(change, "decided", None)
    facts = compared(change.before, change.document)
    has_page = admin.site.is_registered(ChangeRequest)
    address = reverse("admin:jackpot_changerequest_change", args=[change.pk]) if has_page else ""
    reason = drawn.words(change.reason)
    return {"change": change, "decided": decided, "facts": facts, "reason": reason, "address": address}


def _versions(rnd: Round, currency: Currency) -> Context | None:
    """The results of every version of a corrected round, side by side; None where there is only one."""
    if rnd.version < 2:
        return None
    rows = BoxResult.objects.filter(round=rnd, version__lte=rnd.version).order_by("box", "version")
    figures: dict[tuple[int, str], dict[int, str]] = {}
    for row in rows[: MOST_BOXES * rnd.version]:
        for name, text in _figures(row, currency):
            figures.setdefault((row.box, name), {})[row.version] = text
    numbers = list(range(1, rnd.version + 1))
    lines = [
        (box, name, [Cell(found.get(n, "–"), found.get(n) != found.get(rnd.version)) for n in numbers])
        for (box, name), found in figures.items()
    ]
    kept = superseded.versions_of([rnd.id]).get(rnd.id, [])
    return {"numbers": numbers, "lines": lines, "replaced": kept}


def _figures(row: BoxResult, currency: Currency) -> Iterator[tuple[str, str]]:
    for name in ("hand", "progressive_hand"):
        if text := getattr(row, name):
            yield drawn.words(name), drawn.words(text)
    for n, kind in enumerate(WagerKind):
        if row.outcomes[n : n + 1] != "-":
            yield f"{kind} returned", show_stored(getattr(row, kind), currency)


def _pots(books: Books, currency: Currency) -> Iterator[Context]:
    """The statement rows of the round with those around them, pot by pot."""
    for around in books.statement:
        rows = [
            (row, row.seq in around.own, *(show_exact(int(n), currency) for n in (row.amount, row.before, row.after)))
            for row in around.rows
        ]
        yield {"name": f"{around.level}, {around.pot.value}", "rows": rows, "own": len(around.own)}


def _seals(books: Books) -> Iterator[Context]:
    lanes = {lane.pk: str(lane) for lane in books.lanes}
    for seal in books.seals:
        link = seal.link
        yield {
            "lane_id": link.lane_id, "lane": lanes[link.lane_id], "seq": link.seq, "entries": seal.entries,
            "digest": bytes(link.digest).hex(), "previous": bytes(link.previous).hex(), "holds": seal.holds,
        }  # fmt: skip


def _entries(books: Books, currency: Currency) -> Iterator[Context]:
    """The journal entries: legs by side, and totals that balance."""
    for posted in books.posted:
        legs = [
            (leg, *(show_exact(abs(leg.amount), currency) if sign * leg.amount > 0 else "" for sign in (1, -1)))
            for leg in posted.legs
        ]
        sums = [sum(max(sign * leg.amount, 0) for leg in posted.legs) for sign in (1, -1)]
        totals = [show_exact(total, currency) for total in sums]
        kind = drawn.words(posted.entry.kind)
        yield {"entry": posted.entry, "kind": kind, "legs": legs, "totals": totals, "balanced": sums[0] == sums[1]}


def _said(data: Mapping[str, Any], currency: Currency) -> str:
    """What an event says, in words; bets with their amounts."""
    parts = []
    for name, value in data.items():
        if value in (None, "", [], {}):
            continue
        if name == "boxes" and isinstance(value, list):
            bets = (f"box {box}: {_bets(rest, currency)}" for box, _, *rest in value)
            parts.append("; ".join(bets))
        elif name == "decisions":
            parts.append("; ".join(f"box {box}: {act}{f' {times}×' if times else ''}" for box, act, times in value))
        elif isinstance(value, list):
            parts.append(f"{drawn.words(name)}: {', '.join(map(str, value))}")
        else:
            parts.append(f"{drawn.words(name)}: {drawn.words(value) if name == 'reason' else value}")
    return "; ".join(parts)


def _bets(amounts: list[int], currency: Currency) -> str:
    named = zip(("ante", "trips", "progressive"), amounts, strict=False)
    return ", ".join(f"{name} {show_stored(units, currency)}" for name, units in named if units)
