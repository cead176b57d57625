"""Where something happened: a table is known here by its reference and its float, whose account names the site."""

from collections.abc import Collection, Iterable

from django.db.models import Exists, OuterRef, QuerySet, Value
from django.db.models.functions import Concat

from jackpot.domain import accounts
from jackpot.models.ledger import Account
from jackpot.models.sites import Site


def at_sites(table_ref: str, site_ids: Collection[int]) -> Exists:
    """Whether the table that the field `table_ref` names stands at one of these sites."""
    return Exists(_float_of(table_ref).filter(site_id__in=list(site_ids)))


def at_site(table_ref: str, code: str) -> Exists:
    """Whether the table that the field `table_ref` names stands at the site of this code."""
    return Exists(_float_of(table_ref).filter(site__code=code))


def site_of(table_ref: str) -> str:
    """The code of the site at which a table stands."""
    return Account.objects.select_related("site").get(code=accounts.float_of(table_ref)).site.code


def sites_of(table_refs: Iterable[str]) -> dict[str, Site]:
    """The sites at which tables stand, by their references."""
    codes = {accounts.float_of(ref): ref for ref in table_refs}
    floats = Account.objects.filter(code__in=list(codes)).select_related("site")
    return {codes[account.code]: account.site for account in floats}


def _float_of(table_ref: str) -> QuerySet[Account]:
    return Account.objects.filter(code=Concat(Value(accounts.float_of("")), OuterRef(table_ref)))
