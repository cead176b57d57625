"""What the console shows of an award: in the queue, before a step, and on its page."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any

from django.db.models import F
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from jackpot.admin.base import age, amount, exact, grouped, when, words
from jackpot.admin.steps import AGE, Fact
from jackpot.domain.awards import DECISIONS, Move
from jackpot.models.awards import Award
from jackpot.models.ledger import StatementRow
from jackpot.models.sites import Site
from jackpot.money import Currency
from jackpot.selectors import award_moves, award_trail, places
from jackpot.selectors.award_queue import Queue, Waiting
from jackpot.selectors.award_trail import Trail
from jackpot.selectors.evidence import Posted
from jackpot.services.award_moves import given_back

Part = dict[str, Any]
_COLUMNS = ("Amount", "Age", "Hand", "Player", "Table, box", "Jackpot", "Goes along", "Decided", "You")


def parts(queue: Queue, *, may_decide: Collection[str], now: datetime) -> list[Part]:
    """The queue's three lists as tables. `may_decide`: the states in which this person's role decides at all."""
    named = (
        ("To be approved", queue.pending), ("Disputed: to be upheld or rejected", queue.disputed),
        ("Approved: to be paid", queue.unpaid),
    )  # fmt: skip
    return [_part(caption, waiting, may_decide, now) for caption, waiting in named]


def _part(caption: str, waiting: Sequence[Waiting], may_decide: Collection[str], now: datetime) -> Part:
    totals: dict[Currency, int] = {}
    for one in waiting:
        currency = one.award.jackpot.currency
        along = 0 if one.award.state == Award.State.APPROVED else one.envy
        totals[currency] = totals.get(currency, 0) + one.award.amount + along
    total = ", ".join(amount(units, currency) for currency, units in totals.items())
    told = f"{caption} · {len(waiting)}" + (f" · {total}" if total else "")
    return {
        "caption": told,
        "columns": _COLUMNS,
        "numbers": (0, 1),
        "rows": [_row(one, may_decide, now) for one in waiting],
    }


def _row(one: Waiting, may_decide: Collection[str], now: datetime) -> list[object]:
    award = one.award
    why = one.barred if award.state in may_decide else "not your role"
    currency, decided = award.jackpot.currency, award.state != Award.State.APPROVED
    along = f"{one.envies} Envy, {amount(one.envy, currency)}" if one.envies and decided else "–"
    mine = (f"may not: {why}" if why else "may decide") if decided else "–"
    return [
        link(amount(award.amount, currency), "jackpot_award_change", award.pk), age(award.hit_at, now),
        f"{words(award.hand)} ({award.kind})", award.player,
        f"{award.table_ref}, box {award.box}", award.jackpot.code, along,
        f"{one.approvals} of {one.needed}" if decided else "–", mine,
    ]  # fmt: skip


def before(award: Award, move: Move, *, now: datetime) -> list[Fact]:
    """What must be seen before a step is taken."""
    currency, site = award.jackpot.currency, _site(award)
    facts = _what(award, site)
    facts += [("State", award.state), (AGE, age(award.hit_at, now))]
    if move in DECISIONS:
        facts += _decided(award)
    envies = [envy for envy in award_moves.envy_under(award) if envy.state == award.state]
    if envies and move is not Move.PAY:
        names = ", ".join(f"{envy.player} (box {envy.box}) {amount(envy.amount, currency)}" for envy in envies)
        facts.append((f"Envy that goes along ({len(envies)})", names))
    elif envies:
        facts.append(("Envy", "is paid on its own, to each player"))
    if move is Move.PAY:
        facts.append(("Paid from", f"the cage of {site.code}"))
    if move is Move.REJECT and award.state == Award.State.DISPUTED and award.kind == Award.Kind.HIT:
        facts += _goes_back(award, currency, now)
    return facts


def _what(award: Award, site: Site) -> list[Fact]:
    level = f", level {award.level.code}" if award.level else ""
    return [
        ("Hand", words(award.hand)), ("Player", award.player), ("Table and box", f"{award.table_ref}, box {award.box}"),
        ("Hit at", when(award.hit_at, site.timezone)), ("Jackpot", f"{award.jackpot.code}{level}"),
    ]  # fmt: skip


def _decided(award: Award) -> list[Fact]:
    """Who has decided since the award came to its state, and how many must."""
    stage = award.moves.exclude(before=F("state")).count()
    since = award.moves.filter(stage=stage, move__in=sorted(DECISIONS)).select_related("user").order_by("number")
    names = [f"{move.user.get_username() if move.user else '–'}: {move.move}" for move in since]
    needed = award.policy.document.get("approvals", 2)
    return [("Decided so far", ", ".join(names) or "nobody"), ("People needed", needed)]


def _goes_back(award: Award, currency: Currency, now: datetime) -> list[Fact]:
    """A credit is what an account gets; what was owed is no more."""
    legs = given_back(award, now=now)
    return [
        (f"{'Goes back to' if units < 0 else 'Taken from'} {account}", exact(abs(units), currency))
        for account, units in sorted(legs.items())
    ]  # fmt: skip


def page(award: Award) -> dict[str, Any]:
    """All that the page of an award shows, beside how it is drawn."""
    currency, site, trail = award.jackpot.currency, _site(award), award_trail.trail_of(award)
    return {
        "owed": grouped(award.amount, currency),
        "what": [("State", award.state), *_what(award, site), *_money(award, trail, currency)],
        "proof": _proof(award, trail),
        "timeline": _timeline(award, trail, site),
        "envy": _envy(award, currency),
        "statement": _statement(trail.rows, currency),
        "entries": _entries(trail.posted, currency),
    }


def _money(award: Award, trail: Trail, currency: Currency) -> Iterable[Fact]:
    if award.meter_before is not None:
        yield "Meter before", amount(award.meter_before, currency)
        yield "Meter after its share", amount(award.meter_after, currency)
    if award.reset_to is not None:
        yield "Reset to", amount(award.reset_to, currency)
    funded = trail.funded
    named = (("reserve", funded.reserve), ("overflow", funded.overflow), ("house", funded.house))
    if any(units for _, units in named):
        yield "Put in then", ", ".join(f"{exact(units, currency)} from {name}" for name, units in named if units)
    if award.late:
        yield "Late", "the share was taken of the meter as it stood later"
    if award.difference_of_id:
        yield "Adds to", link("a paid award", "jackpot_award_change", award.difference_of_id)


def _proof(award: Award, trail: Trail) -> list[Fact]:
    facts: list[Fact] = [
        ("Round", link("Open the round", "tables_round_change", award.source_ref)),
        ("Policy", link(str(award.policy), "jackpot_policyversion_change", award.policy_id)),
        ("Jackpot", link(award.jackpot.code, "jackpot_jackpot_change", award.jackpot_id)),
    ]
    if award.hit_id:
        facts.append(("Its hit", link("Open the hit", "jackpot_award_change", award.hit_id)))
    packs = ((kind.upper(), reverse(f"console:evidence_{kind}", args=[award.pk])) for kind in ("pdf", "json"))
    facts += [(f"Evidence pack ({kind})", format_html('<a href="{}">Download</a>', at)) for kind, at in packs]
    if trail.rows and award.seq is not None:
        facts.append(("Row of the meter's statement", award.seq))
    return facts


def _timeline(award: Award, trail: Trail, site: Site) -> Part:
    rows: list[Sequence[object]] = [(_at(award.hit_at, site.timezone), "hit", "–", "pending", "", "")]
    if not trail.moves and award.state != Award.State.PENDING:
        rows[0] = (*rows[0][:3], award.state, "by the policy, without approval", "")
    for move in trail.moves:
        by = f"key {move.key.prefix}" if move.key else move.user.get_username() if move.user else "–"
        count = f" ({move.approvals})" if move.approvals else ""
        rows.append((_at(move.at, site.timezone), f"{move.move}{count}", by, move.state, move.note, move.entry_id))
    return _table("What happened", ("When", "What", "Who", "State then", "Note or reference", "Entry"), rows)


def _envy(award: Award, currency: Currency) -> Part | None:
    if award.kind != Award.Kind.HIT:
        return None
    rows = [
        (link(envy.player, "jackpot_award_change", envy.pk), envy.box, amount(envy.amount, currency), envy.state)
        for envy in award_moves.envy_under(award)
    ]
    total = amount(sum(envy.amount for envy in award_moves.envy_under(award)), currency)
    return _table(f"Envy of this hit · {len(rows)} · {total}", ("Player", "Box", "Amount", "State"), rows, 1, 2)


def _statement(rows: Iterable[StatementRow], currency: Currency) -> Part:
    shown = [
        (row.level.code, row.pot, row.seq, words(row.kind), *(exact(units, currency) for units in
         (row.before, row.amount, row.after)), row.entry_id)
        for row in rows
    ]  # fmt: skip
    columns = ("Level", "Pot", "Row", "Kind", "Before", "Amount", "After", "Entry")
    return _table("Rows of statements", columns, shown, 2, 4, 5, 6, 7)


def _entries(posted: Iterable[Posted], currency: Currency) -> Part:
    """A row a leg; an entry without legs only records."""
    rows: list[Sequence[object]] = []
    for one in posted:
        head = (one.entry.pk, words(one.entry.kind), _at(one.entry.posted_at))
        if not one.legs:
            rows.append((*head, "records only", "", ""))
        for leg in one.legs:
            debit, credit = (leg.amount, None) if leg.amount > 0 else (None, -leg.amount)
            rows.append((*head, leg.account.code, *("" if u is None else exact(u, currency) for u in (debit, credit))))
    columns = ("Entry", "Kind", "Posted", "Account", "Debit", "Credit")
    return _table("Journal entries", columns, rows, 0, 4, 5)


def _at(at: datetime, zone: str = "UTC") -> SafeString:
    """An instant in a table's cell, on one line."""
    return format_html('<span class="console-at">{}</span>', when(at, zone))


def _table(caption: str, columns: Sequence[str], rows: Sequence[Sequence[object]], *numbers: int) -> Part:
    return {"caption": caption, "columns": columns, "rows": rows, "numbers": numbers}


def link(text: str, name: str, *args: object) -> SafeString:
    """A link to a page of the console, by its name in Django's admin."""
    return format_html('<a href="{}">{}</a>', reverse(f"admin:{name}", args=args), text)


def _site(award: Award) -> Site:
    """Where the table stands, whose clock people there read."""
    return places.sites_of([award.table_ref])[award.table_ref]
