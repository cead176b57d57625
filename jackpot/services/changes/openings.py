"""Opening a jackpot: asked for by one person, approved by another; the house funds the base of each level then.

The lane of its home site seals the decision: its own begins with the first funding. Source: accounting.md, section 2.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from jackpot.domain.callers import Caller
from jackpot.domain.change_requests import ChangeKind, Decision
from jackpot.domain.errors import Violation, refuse
from jackpot.domain.policy import InvalidPolicy, Policy
from jackpot.domain.postings import Entry, EntryKind
from jackpot.models.change_requests import ChangeDecision, ChangeRequest
from jackpot.models.jackpots import Jackpot, PolicyVersion
from jackpot.models.lanes import Lane
from jackpot.models.sites import Site
from jackpot.money import UnknownCurrency, currency, show
from jackpot.services import books
from jackpot.services.changes import change_requests
from jackpot.services.changes.change_requests import CarriedOut
from jackpot.services.changes.policies import CheckHands
from jackpot.services.constraints import refined
from jackpot.services.levels import Loaded

_TAKEN = {
    "jackpot_jackpot_code_key": Violation(
        "illegal_move", "a jackpot of this code was opened meanwhile: ask for another"
    ),
}
"""Two sites have a lane each: it is the database that decides between them."""


def ask_for_jackpot(
    *,
    caller: Caller,
    site: Site,
    code: str,
    name: str,
    currency_code: str,
    policy: dict[str, Any],
    check_hands: CheckHands,
    reason: str,
    note: str = "",
    now: datetime,
) -> ChangeRequest:
    """Ask for a new jackpot at home in a site, under a complete policy document.

    Raises Refused: `invalid_value` for a code that is taken or none, a currency that is not served, a policy that can't
    be, or a reason that is not on the list; `person_required`; `forbidden`. Nothing is written then.
    """
    books.check_code(code)
    if not name.strip():
        raise refuse("invalid_value", "a jackpot has a name", "/name")
    try:
        currency(currency_code)
    except UnknownCurrency as error:
        raise refuse("invalid_value", str(error), "/currency") from None
    check_hands(_read(policy, currency_code))
    _check_free(code)
    return change_requests.ask(
        caller=caller, kind=ChangeKind.OPENING, site=site, jackpot=None, subject=code, reason=reason, note=note,
        document={"jackpot": code, "name": name.strip(), "currency": currency_code, "site": site.code,
                  "policy": policy},
        before={}, now=now,
    )  # fmt: skip


def approve_opening(*, caller: Caller, request_id: UUID, note: str = "", now: datetime) -> Jackpot:
    """Open the jackpot that was asked for, as somebody else than who asked: its policy is in force, and its levels are
    funded, from `now` on. Raises Refused as `change_requests.approve` does; `illegal_move` where the code was taken
    meanwhile. Nothing is written then.
    """
    with refined(_TAKEN), transaction.atomic():
        decision, _ = change_requests.approve(
            caller=caller, request_id=request_id, kind=ChangeKind.OPENING, note=note, now=now, carry_out=_carry_out
        )
        asked = decision.request.document
        return books.open_jackpot(
            code=asked["jackpot"], name=asked["name"], currency_code=asked["currency"],
            home_site=decision.request.site, document=asked["policy"], in_force_at=decision.at, change=decision,
            now=decision.at,
        )  # fmt: skip


def foresee(request: ChangeRequest, now: datetime) -> tuple[dict[str, Any], dict[str, Any]]:
    """What would be opened if it were approved now; nothing is locked. Raises Refused as `approve_opening` does."""
    lane = Lane.objects.get(site=request.site_id)
    work = _carry_out(request, lane, change_requests.entry_of(request, EntryKind.OPENING, actor="", at=now))
    return dict(work.before), dict(work.after)


def replay(loaded: Loaded | None, decided: ChangeDecision, entry: Entry) -> list[Entry]:
    """Replay an approval: nothing is posted in the lane of its site. Raises ValueError where no such jackpot came."""
    asked = decided.request.document
    opened = PolicyVersion.objects.filter(change=decided, version=1).select_related("jackpot__home_site").first()
    if opened is None:
        raise ValueError(f"no jackpot came of {decided.request}")
    made = opened.jackpot
    stands = {"jackpot": made.code, "name": made.name, "currency": made.currency_code, "site": made.home_site.code}
    if (stands | {"policy": opened.document}, opened.in_force_at) != (asked, decided.at):
        raise ValueError(f"jackpot {made} is not what {decided.request} asked for")
    return [entry]


def not_opened() -> Iterator[ChangeRequest]:
    """Openings that were approved and of which no jackpot came."""
    approved = ChangeDecision.objects.filter(request__kind=ChangeKind.OPENING, decision=Decision.APPROVED)
    for decision in approved.filter(policy_version=None).select_related("request"):
        yield decision.request


def by_command() -> list[str]:
    """The codes of jackpots that a command opened, and no two people."""
    first = PolicyVersion.objects.filter(version=1, change=None)
    return list(first.order_by("jackpot__code").values_list("jackpot__code", flat=True))


def _check_free(code: str) -> None:
    if Jackpot.objects.filter(code=code).exists():
        raise refuse("invalid_value", f"there is a jackpot {code} already", "/code")


def _read(policy: dict[str, Any], currency_code: str) -> Policy:
    try:
        return Policy.from_document(policy, currency=currency(currency_code))
    except InvalidPolicy as error:
        raise refuse("invalid_value", str(error), "/policy") from None


def _carry_out(request: ChangeRequest, lane: Lane, entry: Entry) -> CarriedOut:
    asked = request.document
    if Jackpot.objects.filter(code=asked["jackpot"]).exists():
        raise refuse("illegal_move", f"a jackpot {asked['jackpot']} was opened meanwhile")
    counted = currency(asked["currency"])
    bases = {f"base:{level.code}": show(level.base, counted) for level in _read(asked["policy"], counted.code).levels}
    return CarriedOut([entry], before={}, after={"version": 1, **bases})
