"""Finding tables."""

from collections.abc import Collection, Iterable
from uuid import UUID

from django.db.models import Prefetch, QuerySet

from jackpot.money import Currency, currency
from jackpot.services import Caller, Site
from tables.domain.round_state import OPEN
from tables.models.rounds import Round
from tables.models.rulesets import RuleSet, RuleSetVersion
from tables.models.tables import Table, TableSetup


def seen_by(caller: Caller) -> QuerySet[Table]:
    """The tables a caller may drive or look at: those of its sites, for staff all."""
    tables = Table.objects.select_related("site", "jackpot", "rule_set")
    return tables if caller.site_ids is None else tables.filter(site_id__in=caller.site_ids)


def currencies_of(caller: Caller, codes: Iterable[str]) -> dict[str, Currency]:
    """The currencies of those of these tables that the caller may drive, by their codes."""
    rows = seen_by(caller).select_related(None).filter(code__in=set(codes))
    return {code: currency(currency_code) for code, currency_code in rows.values_list("code", "currency_code")}


def open_rounds(caller: Caller, table_ids: Iterable[int]) -> dict[int, UUID]:
    """The rounds of the caller that are open at these tables, by table."""
    rounds = Round.objects.filter(table_id__in=list(table_ids), live=True, phase__in=OPEN)
    if caller.integrator_id is not None:
        rounds = rounds.filter(integrator_id=caller.integrator_id)
    return dict(rounds.values_list("table_id", "id"))


def jackpots_linked(site_ids: Collection[int]) -> set[int]:
    """The jackpots to which tables of these sites are linked, or were: rounds and awards of then are theirs."""
    linked = TableSetup.objects.filter(table__site_id__in=site_ids, jackpot__isnull=False)
    return set(linked.values_list("jackpot_id", flat=True))


def sites_linked(jackpot_ids: Collection[int]) -> dict[int, set[int]]:
    """For each of these jackpots the sites at which tables are linked to it, or were."""
    found: dict[int, set[int]] = {}
    setups = TableSetup.objects.filter(jackpot_id__in=jackpot_ids)
    linked = setups.values_list("jackpot_id", "table__site_id").distinct()
    for jackpot_id, site_id in linked:
        found.setdefault(jackpot_id or 0, set()).add(site_id)
    return found


def rule_sets() -> QuerySet[RuleSet]:
    """All rule sets with their versions, newest first."""
    return RuleSet.objects.prefetch_related(Prefetch("versions", RuleSetVersion.objects.order_by("-version")))


def sites_of(codes: Collection[str]) -> dict[str, Site]:
    """The sites of these tables, by the tables' codes."""
    found = Table.objects.filter(code__in=codes).select_related("site")
    return {table.code: table.site for table in found}
