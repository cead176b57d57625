"""Reading awards."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, QuerySet, Sum

from jackpot.domain import accounts
from jackpot.domain.callers import Caller
from jackpot.models.awards import Award
from jackpot.models.jackpots import Jackpot
from jackpot.models.ledger import Leg
from jackpot.selectors import corrections, places
from jackpot.selectors.corrections import Owed


@dataclass(frozen=True, slots=True)
class Filters:
    """Which awards are wanted; None where it does not matter. `since` is inside the time, `until` is not."""

    jackpot: str | None = None
    source_ref: UUID | None = None
    table: str | None = None
    site: str | None = None
    kind: str | None = None
    state: str | None = None
    player: str | None = None
    hand: str | None = None
    day: date | None = None
    since: datetime | None = None
    until: datetime | None = None


def all_awards() -> QuerySet[Award]:
    """Awards with what they are shown with; the facts they were frozen with are left where they are."""
    awards = Award.objects.select_related("jackpot", "level", "policy__jackpot", "hit", "entry")
    return awards.defer("facts", "hit__facts", "policy__document")


def of_rounds(versions: Mapping[UUID, int]) -> dict[UUID, list[Owed]]:
    """The awards that the versions in force of some rounds owe, in order; one query, since most rounds owe none, one
    more where there are any, and two where any was corrected.
    """
    first = [ref for ref, version in versions.items() if version < 2]
    later = {f"round:{ref}:v{version}": ref for ref, version in versions.items() if version > 1}
    found: dict[UUID, list[Owed]] = {}
    # Found before they are read: to plan and to make the query with all that an award is shown with takes longer than
    # all else that a round is shown with.
    ids = list(Award.objects.filter(source_ref__in=first).values_list("pk", flat=True)) if first else []
    for award in all_awards().filter(pk__in=ids).order_by("entry_id", "position") if ids else ():
        from_box = award.hit.box if award.hit else None
        owed = Owed(award, award.position, award.amount, award.hand, from_box, award.seq)
        found.setdefault(award.source_ref, []).append(owed)
    if later:
        found |= {later[source]: owed for source, owed in corrections.owed_by(later).items()}
    return found


def frozen(award: Award) -> dict[str, Any] | None:
    """The facts that were kept when a hit was settled, an opaque document; of an Envy those of its hit."""
    hit = award.hit or award
    kept = Award.objects.filter(entry_id=hit.entry_id, facts__isnull=False)
    found: dict[str, Any] | None = kept.order_by("position").values_list("facts", flat=True).first()
    return found


def seen_by(caller: Caller) -> QuerySet[Award]:
    """The awards of a caller's own rounds at the tables of its sites; for staff all."""
    awards = all_awards()
    if caller.integrator_id is not None:
        awards = awards.filter(entry__integrator_id=caller.integrator_id)
    if caller.site_ids is not None:
        awards = awards.filter(places.at_sites("table_ref", caller.site_ids))
    return awards


def unpaid(jackpot: Jackpot) -> int:
    """How many awards of a jackpot, Envy among them, are owed and not paid, rejected or withdrawn."""
    over = (Award.State.PAID, Award.State.REJECTED, Award.State.WITHDRAWN)
    return Award.objects.filter(jackpot=jackpot).exclude(state__in=over).count()


def hits_since(instant: datetime) -> list[Award]:
    """The hits from an instant on, oldest first, each with its jackpot and its home site; without differences."""
    hits = Award.objects.filter(kind=Award.Kind.HIT, hit_at__gte=instant, difference_of=None)
    return list(hits.select_related("jackpot__home_site").defer("facts").order_by("hit_at", "id"))


def filtered(awards: QuerySet[Award], wanted: Filters) -> QuerySet[Award]:
    """Those of some awards that are wanted. The day is the jackpot's: that of its home site."""
    fields: dict[str, Any] = {
        "jackpot__code": wanted.jackpot,
        "source_ref": wanted.source_ref,
        "table_ref": wanted.table,
        "kind": wanted.kind,
        "state": wanted.state,
        "player": wanted.player,
        "hand": wanted.hand,
        "hit_at__gte": wanted.since,
        "hit_at__lt": wanted.until,
    }
    awards = awards.filter(**{name: value for name, value in fields.items() if value is not None})
    if wanted.site is not None:
        awards = awards.filter(places.at_site("table_ref", wanted.site))
    return awards if wanted.day is None else awards.filter(_owed_on(wanted.day))


def _owed_on(day: date) -> Exists:
    owed = Leg.objects.filter(entry_id=OuterRef("entry_id"), gaming_day=day)
    return Exists(owed.filter(account__code__startswith=accounts.awards_of("")))


class Counted(NamedTuple):
    """The awards of one kind that a jackpot owed to one integrator's rounds at one table in a day: how many, and how
    much in ledger units.
    """

    jackpot_id: int
    integrator_id: int
    table_ref: str
    kind: str
    number: int
    amount: int


def counted_by_tables(jackpots: Collection[Jackpot], day: date) -> list[Counted]:
    """The day's awards of some jackpots by integrator, table and kind. The day is the jackpot's."""
    rows = Award.objects.filter(_owed_on(day), jackpot__in=jackpots)
    group = ("jackpot_id", "entry__integrator_id", "table_ref", "kind")
    counted = rows.values_list(*group).annotate(Count("id"), Sum("amount"))
    return [Counted(jackpot_id, who, ref, kind, n, int(amount)) for jackpot_id, who, ref, kind, n, amount in counted]


def envy_at(source_refs: Any) -> dict[str, int]:
    """The Envy of the first settlements of some rounds (references, or a query of them) by table, in ledger units."""
    rows = Award.objects.filter(kind=Award.Kind.ENVY, source_ref__in=source_refs, entry__source_ref__endswith=":v1")
    return {table: int(amount) for table, amount in rows.values_list("table_ref").annotate(Sum("amount"))}


def envy_changed(changed: Sequence[tuple[str, str]]) -> dict[str, int]:
    """By table, how much more Envy corrections owe than what they replaced, given as their settlements' references."""
    owed = corrections.owed_by({ref for pair in changed for ref in pair}) if changed else {}
    found: dict[str, int] = {}
    for was, becomes in changed:
        for ref, sign in ((was, -1), (becomes, 1)):
            for one in owed[ref]:
                if one.award.kind == Award.Kind.ENVY:
                    found[one.award.table_ref] = found.get(one.award.table_ref, 0) + sign * one.amount
    return found
