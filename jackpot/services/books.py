"""Opening books: sites, jackpots with their first funding, and the accounts of tables."""

import re
from datetime import datetime, time
from typing import Any
from zoneinfo import available_timezones

from django.db import transaction

from jackpot.domain import accounts
from jackpot.domain.accounts import Bet, Pot
from jackpot.domain.callers import Caller
from jackpot.domain.errors import Violation, refuse
from jackpot.domain.policy import InvalidPolicy, Policy
from jackpot.models.change_requests import ChangeDecision
from jackpot.models.jackpots import Jackpot, Level, PolicyVersion
from jackpot.models.lanes import Lane
from jackpot.models.ledger import Account
from jackpot.models.sites import Site
from jackpot.money import currency
from jackpot.services import posting
from jackpot.services.constraints import refined
from jackpot.services.staff import person_who_may

_CODE = re.compile(r"[A-Za-z0-9_-]{1,32}", re.ASCII)


def open_site(*, code: str, name: str, timezone: str = "UTC", sandbox: bool = False, **settings: Any) -> Site:
    """A new site with its lane and its cage."""
    with transaction.atomic():
        site = Site.objects.create(code=code, name=name, timezone=timezone, sandbox=sandbox, **settings)
        Lane.objects.create(site=site)
        _open_accounts(site, [accounts.cage_of(code)])
    return site


TIME_ZONES = available_timezones() - {"Factory", "localtime"}
"""The clocks a site may go by: not that of whatever machine this runs on."""


def open_site_as(
    *, caller: Caller, code: str, name: str, timezone: str, day_starts_at: time, sandbox: bool = False
) -> Site:
    """A new site, opened by a person: no money moves by it.

    Raises Refused: `person_required`, `forbidden` without the permission, `invalid_value` for a code that is taken or
    none, or an unknown time zone.
    """
    person_who_may(caller, "jackpot.add_site")
    check_code(code)
    if timezone not in TIME_ZONES:
        raise refuse("invalid_value", f"{timezone} is no time zone", "/timezone")
    taken = Violation("invalid_value", f"there is a site {code} already", "/code")
    with refined({"jackpot_site_code_key": taken}):
        return open_site(code=code, name=name, timezone=timezone, day_starts_at=day_starts_at, sandbox=sandbox)


def check_code(code: str) -> None:
    """Raises Refused (`invalid_value`) for what is no code of a site, table or jackpot."""
    if not _CODE.fullmatch(code):
        raise refuse("invalid_value", "a code is 1 to 32 letters, digits, - and _", "/code")


def open_jackpot(
    *,
    code: str,
    name: str,
    currency_code: str,
    home_site: Site,
    document: dict[str, Any],
    in_force_at: datetime,
    change: ChangeDecision | None = None,
    now: datetime,
) -> Jackpot:
    """A new jackpot under the first version of its policy, every level funded to its base by the house.

    `in_force_at` is from when rounds may be played under it; it is funded `now`. `change` is the approval of what was
    asked for (`jackpot.services.changes.openings`); a command that sets a house up has none.

    Raises InvalidPolicy, naming the key of the document that can't be served.
    """
    policy = Policy.from_document(document, currency=currency(currency_code))
    with transaction.atomic():
        jackpot = Jackpot.objects.create(
            code=code, name=name, currency_code=currency_code, home_site=home_site, opened_at=now
        )
        version = PolicyVersion.objects.create(
            jackpot=jackpot, version=1, document=document, terms=policy.figures, in_force_at=in_force_at,
            change=change,
        )  # fmt: skip
        for position, terms in enumerate(policy.levels):
            Level.objects.create(
                jackpot=jackpot, code=terms.code, position=position, policy=version, base=terms.base,
                limit=terms.limit, increment_ppm=terms.increment_ppm, reserve_ppm=terms.reserve_ppm,
            )  # fmt: skip
        pots = [accounts.pot_of(code, terms.code, pot) for terms in policy.levels for pot in Pot]
        _open_accounts(home_site, [accounts.awards_of(code), accounts.house_of(code), *pots])
        lane = Lane.objects.create(jackpot=jackpot)
        posting.fund(lane=lane, at=now)
    return jackpot


def open_table_books(*, table_ref: str, site: Site) -> None:
    """The accounts of a new table: its float, and the house's result of each bet."""
    _open_accounts(site, [accounts.float_of(table_ref), *(accounts.win_of(table_ref, bet) for bet in Bet)])


def lane_of(*, site: Site, jackpot: Jackpot | None, currency_code: str) -> Lane:
    """The lane of a table: its jackpot's, else its site's.

    Raises Refused where the link is not allowed: another currency, a sandbox site and a live jackpot, or a retired one.
    """
    if jackpot is None:
        return Lane.objects.get(site=site)
    if jackpot.currency_code != currency_code:
        raise refuse("invalid_value", f"jackpot {jackpot.code} is kept in {jackpot.currency_code}", "/jackpot")
    if jackpot.home_site.sandbox != site.sandbox:
        raise refuse("invalid_value", "tables of a sandbox site link to jackpots of sandbox sites only", "/jackpot")
    if jackpot.state == Jackpot.State.RETIRED:
        raise refuse("invalid_value", f"jackpot {jackpot.code} is retired", "/jackpot")
    return Lane.objects.get(jackpot=jackpot)


def _open_accounts(site: Site, codes: list[str]) -> None:
    Account.objects.bulk_create([Account(code=code, side=accounts.side_of(code), site=site) for code in codes])


__all__ = ["InvalidPolicy", "check_code", "lane_of", "open_jackpot", "open_site", "open_site_as", "open_table_books"]
