"""Setting up tables by two people: opening one, linking it to a jackpot or to none, giving it another rule set; and by
one person suspending and resuming it, which moves no money and changes no round.

A table is set up otherwise while it stands still. What was locked out before keeps its lane, policy and rules, also
where it comes in later (`tables.selectors.versions.Setups`). Source: docs/decisions/0024-set-up-by-two.md.
"""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from jackpot import services as jackpot
from jackpot.domain.errors import Violation, refuse
from jackpot.money import UnknownCurrency, currency
from jackpot.selectors import jackpots
from tables.domain.documents import InvalidRuleSet
from tables.models.rounds import UNSETTLED, Round
from tables.models.rulesets import RuleSet
from tables.models.tables import Table, TableSetup
from tables.services import houses

KIND = jackpot.ChangeKind.TABLE
_OPENED = Violation("illegal_move", "a table of this code was opened meanwhile: ask for another")
_TAKEN = dict.fromkeys(("jackpot_account_code_key", "tables_table_code_key"), _OPENED)
"""Two sites have a lane each: it is the database that decides between them."""


def ask_to_open(
    *,
    caller: jackpot.Caller,
    site: jackpot.Site,
    code: str,
    name: str,
    currency_code: str,
    rule_set: RuleSet,
    jackpot_of: jackpot.Jackpot | None,
    reason: str,
    note: str = "",
    now: datetime,
) -> jackpot.ChangeRequest:
    """Ask for a new table; another person approves it (`approve_table`).

    Raises Refused: `invalid_value` for a code that is taken or none, a currency that is not served or not the
    jackpot's, a rule set that does not fit it, a reason that is not on the list; `person_required`, `forbidden`.
    """
    jackpot.check_code(code)
    if Table.objects.filter(code=code).exists():
        raise refuse("invalid_value", f"there is a table {code} already", "/code")
    try:
        currency(currency_code)
    except UnknownCurrency as error:
        raise refuse("invalid_value", str(error), "/currency") from None
    _lane(site, currency_code, rule_set, jackpot_of)
    document = {
        "table": code, "name": name.strip() or code, "site": site.code, "currency": currency_code,
        "rule_set": rule_set.code, "jackpot": jackpot_of.code if jackpot_of else None,
    }  # fmt: skip
    return _ask(caller, site, document, {}, reason, note, now)


def ask_to_change(
    *,
    caller: jackpot.Caller,
    table: Table,
    rule_set: RuleSet,
    jackpot_of: jackpot.Jackpot | None,
    reason: str,
    note: str = "",
    now: datetime,
) -> jackpot.ChangeRequest:
    """Ask that a table plays another rule set, or is linked to another jackpot or none. Raises Refused as `ask_to_open`
    does; `invalid_value` where it stands so already.
    """
    stands = _document(table)
    document = stands | {"rule_set": rule_set.code, "jackpot": jackpot_of.code if jackpot_of else None}
    if document == stands:
        raise refuse("invalid_value", f"table {table} is set up so already")
    _lane(table.site, table.currency_code, rule_set, jackpot_of)
    return _ask(caller, table.site, document, stands, reason, note, now)


def approve_table(*, caller: jackpot.Caller, request_id: UUID, note: str = "", now: datetime) -> Table:
    """Open or change a table as another person asked.

    Raises Refused as `jackpot.services.changes.change_requests.approve` does; `illegal_move` where the table was opened
    or changed meanwhile, or a round of it is not settled; and what was refused to who asked, as things stand now.
    Nothing is written then.
    """
    with jackpot.refined(_TAKEN), transaction.atomic():
        decision = jackpot.approve_of_tables(
            caller=caller, request_id=request_id, kind=KIND, note=note, now=now, changes=_changes
        )
        return _carry_out(decision)


def foresee(request: jackpot.ChangeRequest) -> tuple[dict[str, Any], dict[str, Any]]:
    """What would change if it were approved now; nothing is locked. Raises Refused as `approve_table` does."""
    asked = request.document
    linked = jackpots.by_code(asked["jackpot"]) if asked["jackpot"] else None
    _lane(request.site, asked["currency"], RuleSet.objects.get(code=asked["rule_set"]), linked)
    return _compare(request, Table.objects.filter(code=asked["table"]))


def suspend_table(*, caller: jackpot.Caller, table_id: int, now: datetime) -> Table:
    """Let no new live round begin. Raises Refused: `person_required`, `forbidden`, `illegal_move`."""
    return _move(caller, table_id, Table.State.OPEN, Table.State.SUSPENDED)


def resume_table(*, caller: jackpot.Caller, table_id: int, now: datetime) -> Table:
    """Let rounds begin again. Raises Refused: `person_required`, `forbidden`, `illegal_move`."""
    return _move(caller, table_id, Table.State.SUSPENDED, Table.State.OPEN)


def unsettled(table: Table) -> list[str]:
    """The game numbers of a table's rounds that are open, wait for a worker or stand aside, oldest first."""
    rounds = Round.objects.filter(UNSETTLED, table=table, site_id=table.site_id)
    return list(rounds.order_by("id").values_list("game_number", flat=True)[:_NAMED])


_NAMED = 5


def _document(table: Table) -> dict[str, Any]:
    return {
        "table": table.code, "name": table.name, "site": table.site.code, "currency": table.currency_code,
        "rule_set": table.rule_set.code, "jackpot": table.jackpot.code if table.jackpot else None,
    }  # fmt: skip


def _lane(
    site: jackpot.Site, currency_code: str, rule_set: RuleSet, jackpot_of: jackpot.Jackpot | None
) -> jackpot.Lane:  # fmt: skip
    try:
        return houses.lane_of(site=site, currency_code=currency_code, rule_set=rule_set, jackpot_of=jackpot_of)
    except InvalidRuleSet as error:
        detail = f"{rule_set} does not go with {currency_code}: {error}"
        raise refuse("invalid_value", detail, "/rule_set") from None


def _ask(
    caller: jackpot.Caller, site: jackpot.Site, document: dict[str, Any], before: dict[str, Any], reason: str,
    note: str, now: datetime,
) -> jackpot.ChangeRequest:  # fmt: skip
    return jackpot.ask_of_tables(
        caller=caller, kind=KIND, site=site, subject=document["table"], reason=reason, note=note,
        document=document, before=before, now=now,
    )  # fmt: skip


def _changes(request: jackpot.ChangeRequest) -> tuple[dict[str, Any], dict[str, Any]]:
    """What is changed; the table is held from here on, for who takes rounds in holds it too."""
    tables = Table.objects.filter(code=request.document["table"])
    tables.select_for_update(no_key=True, of=("self",)).first()
    return _compare(request, tables)


def _compare(request: jackpot.ChangeRequest, tables: QuerySet[Table]) -> tuple[dict[str, Any], dict[str, Any]]:
    asked, before = request.document, request.before
    table = tables.select_related("site", "rule_set", "jackpot").first()
    if (_document(table) if table else {}) != before:
        raise refuse("illegal_move", f"table {asked['table']} was opened or changed meanwhile: ask again")
    if table is not None and (rounds := unsettled(table)):
        raise refuse("illegal_move", f"rounds of table {table} are not settled: {', '.join(rounds)}")
    changed = [key for key in asked if asked[key] != before.get(key)]
    return {key: before[key] for key in changed if before}, {key: asked[key] for key in changed}


def _carry_out(decision: jackpot.ChangeDecision) -> Table:
    request = decision.request
    asked, site = request.document, request.site
    rule_set = RuleSet.objects.get(code=asked["rule_set"])
    linked = jackpots.by_code(asked["jackpot"]) if asked["jackpot"] else None
    lane = _lane(site, asked["currency"], rule_set, linked)
    if not request.before:  # whatever another site opened under this code meanwhile
        return houses.open_table(
            code=asked["table"], name=asked["name"], site=site, currency_code=asked["currency"], rule_set=rule_set,
            jackpot_of=linked, change=decision,
        )  # fmt: skip
    table = Table.objects.get(code=asked["table"])
    last = table.setups.latest("number")
    made = TableSetup.objects.create(
        table=table, number=last.number + 1, rule_set=rule_set, jackpot=linked, lane=lane,
        in_force_at=max(decision.at, last.in_force_at), change=decision,
    )  # fmt: skip
    table.rule_set, table.jackpot, table.lane, table.set_up_at = rule_set, linked, lane, made.in_force_at
    table.save(update_fields=["rule_set", "jackpot", "lane", "set_up_at"])
    return table


def _move(caller: jackpot.Caller, table_id: int, before: str, after: str) -> Table:
    jackpot.person_who_may(caller, "tables.suspend_table")
    with transaction.atomic():
        table = Table.objects.select_for_update(no_key=True, of=("self",)).get(pk=table_id)
        if table.state != before:
            raise refuse("illegal_move", f"table {table} is {table.state}, not {before}")
        table.state = after
        table.save(update_fields=["state"])
    return table
