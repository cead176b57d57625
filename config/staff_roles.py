"""What each role of staff may do: data that `migrate` makes groups of, as often as it runs.

One person has one role. Who asks for a change does not decide on one; who pays does neither; who gives out roles moves
no money; who audits changes nothing. The services check the same permissions, and refuse the same person twice whatever
he may do. `docs/people.md` shows this table, and a test compares the two.
"""

from collections.abc import Iterable

from jackpot.domain.people import Role

OPERATOR, SUPERVISOR, CASHIER, AUDITOR, ADMINISTRATOR = Role

MAY: dict[str, tuple[Role, ...]] = {
    "jackpot.approve_award": (SUPERVISOR,),
    "jackpot.dispute_award": (OPERATOR, SUPERVISOR, CASHIER),
    "jackpot.uphold_award": (SUPERVISOR,),
    "jackpot.reject_award": (SUPERVISOR,),
    "jackpot.pay_award": (CASHIER,),
    "jackpot.ask_policy": (OPERATOR,),
    "jackpot.decide_policy": (SUPERVISOR,),
    "jackpot.ask_adjustment": (OPERATOR,),
    "jackpot.decide_adjustment": (SUPERVISOR,),
    "jackpot.ask_transfer": (OPERATOR,),
    "jackpot.decide_transfer": (SUPERVISOR,),
    "jackpot.ask_retirement": (OPERATOR,),
    "jackpot.decide_retirement": (SUPERVISOR,),
    "jackpot.ask_correction": (OPERATOR,),
    "jackpot.decide_correction": (SUPERVISOR,),
    "jackpot.suspend_jackpot": (OPERATOR, SUPERVISOR),
    "jackpot.enter_reading": (OPERATOR, SUPERVISOR),
    "jackpot.sign_reading": (OPERATOR, SUPERVISOR),
    "jackpot.close_day": (SUPERVISOR,),
    "tables.decide_void": (SUPERVISOR,),
    "tables.change_round": (OPERATOR, SUPERVISOR),
    "auth.add_user": (ADMINISTRATOR,),
    "auth.change_user": (ADMINISTRATOR,),
}
"""Each permission to do something, and the roles that hold it."""

_APPS = ("jackpot", "tables")
_SECRET = {"secret"}
_KEYS = {"answeredrequest", "apikey", "delivery", "endpoint", "event", "eventcounter", "integrator"}
_PEOPLE = {"auth.view_group", "auth.view_user", "admin.view_logentry", "axes.view_accessattempt", "axes.view_accesslog"}
_LOOKS_AFTER_ALL = (AUDITOR, ADMINISTRATOR)


def permissions_of(role: Role, known: Iterable[str]) -> set[str]:
    """What a role may do, of the permissions that are there (written as `app.codename`).

    Each role looks at floor, jackpots and books; keys, webhooks, people and the log are for those who look after them.
    """
    may = {permission for permission, roles in MAY.items() if role in roles}
    if role in _LOOKS_AFTER_ALL:
        may |= _PEOPLE
    return {name for name in known if name in may or _is_look(name, keys=role in _LOOKS_AFTER_ALL)}


def _is_look(name: str, *, keys: bool) -> bool:
    app, _, code = name.partition(".")
    verb, _, model = code.partition("_")
    return app in _APPS and verb == "view" and model not in _SECRET and (keys or model not in _KEYS)
