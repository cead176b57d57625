# ruff: noqa: S608 — the SQL is a test's own words
"""Falsifications of closed days, and of terms that came with a reset: named by `verify`, as those of `falsified`."""

from tests.integration.falsified import case

_CLOSED = r"day_closed day:HOME:\d{4}-\d\d-\d\d\): facts"
_RESET = r"reset round:\S+:v1:hit1\): facts"
_METER = "level_id = (SELECT id FROM jackpot_level LIMIT 1) AND pot = 'meter'"

DAYS = {
    "a day that is opened again": case(
        r"day HOME \d{4}-\d\d-\d\d: closed at", "UPDATE jackpot_gamingday SET closed_at = NULL WHERE site_id = {site}"
    ),
    "when a day was closed": case(_CLOSED, "UPDATE jackpot_closing SET closed_at = closed_at + interval '1 hour'"),
    "who closed a day": case(
        _CLOSED, "UPDATE jackpot_closing SET closed_by_id = (SELECT id FROM auth_user ORDER BY id LIMIT 1)"
    ),
    "a pot's closing": case(
        r"day HOME \S+, meter:HOUSE:main: (invented )?closing pot",
        f"UPDATE jackpot_potclosing SET closing = closing + 1, opening = opening + 1 WHERE {_METER}",
    ),
    "a pot's sum of a kind": case(
        r"meter:HOUSE:main: closing pot contribution",
        f"UPDATE jackpot_potclosing SET contribution = contribution + 1, award = award - 1 WHERE {_METER}",
    ),
    "an account's debits": case(
        r"closing account debits",
        "UPDATE jackpot_accountclosing SET debits = debits + 1, credits = credits + 1"
        " WHERE account_id = (SELECT min(account_id) FROM jackpot_accountclosing)",
    ),
    "an account that is left out": case(
        r"missing closing account",
        "DELETE FROM jackpot_accountclosing WHERE account_id = (SELECT min(account_id) FROM jackpot_accountclosing)",
    ),
    "an award that was unpaid": case(_CLOSED, "UPDATE jackpot_unpaidaward SET amount = amount + 1"),
    "a round that was open": case(_CLOSED, """UPDATE jackpot_closing SET rounds = '[{"ref": "none"}]'"""),
    "a day that is closed without a closing": case(
        "day HOME 2027-01-01: closed at",
        "INSERT INTO jackpot_gamingday (site_id, day, opened_at, closed_at)"
        " VALUES ({site}, '2027-01-01', '2027-01-01', '2027-01-02')",
    ),
    "a closing that is gone": case(
        r"day_closed day:HOME",
        *(f"DELETE FROM jackpot_{table}" for table in ("potclosing", "accountclosing", "unpaidaward", "closing")),
    ),
}

TERMS = {
    "a level's base": case(r"level HOUSE:main: level terms", "UPDATE jackpot_level SET base = base + 1000000"),
    "a level run by an older version": case(
        r"level HOUSE:main: level policy",
        "UPDATE jackpot_level SET policy_id = first.id, base = (first.terms -> 'main' ->> 'base')::bigint"
        " FROM jackpot_policyversion AS first WHERE first.version = 1 AND first.jackpot_id = jackpot_level.jackpot_id",
    ),
    "an older version's terms": case(
        r"level HOUSE:main: level terms",
        "UPDATE jackpot_level SET base = (first.terms -> 'main' ->> 'base')::bigint"
        " FROM jackpot_policyversion AS first WHERE first.version = 1 AND first.jackpot_id = jackpot_level.jackpot_id",
    ),
    "the terms that a reset brought": case(
        _RESET,
        """UPDATE jackpot_policyversion SET terms = jsonb_set(terms, '{main,base}', '1') WHERE version = 2""",
    ),
    "which version a reset brought": case(
        _RESET, "UPDATE jackpot_termschange SET policy_id = (SELECT min(id) FROM jackpot_policyversion)"
    ),
    "terms that no reset brought": case(_RESET, "DELETE FROM jackpot_termschange"),
}
