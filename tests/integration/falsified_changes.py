# ruff: noqa: S608 — the SQL is a test's own words
"""Falsifications of a corrected round, a retired jackpot and a hit paid at once: named by `verify`, as those of
`falsified`.
"""

from tests.integration.falsified import Case, case

_REPLACED = r"round T-01-\S+, entry \d+ \(settlement round:\S+:v{}\): replaced version"
_OLD = "(SELECT id FROM jackpot_jackpot WHERE code = 'OLD')"
_LAST_CHANGE = f"(SELECT max(id) FROM jackpot_jackpotstatechange WHERE jackpot_id = {_OLD})"

CHANGES: dict[str, Case] = {
    "when a version was replaced": case(
        _REPLACED.format(2) + " replaced_at", "UPDATE tables_superseded SET replaced_at = replaced_at + interval '1 s'"
    ),
    "the day under which a version was replaced": case(
        _REPLACED.format(2) + " replaced_day", "UPDATE tables_superseded SET replaced_day = replaced_day - 1"
    ),
    "when a replaced version came into force": case(
        _REPLACED.format(1) + " settled_at", "UPDATE tables_superseded SET settled_at = settled_at - interval '1 s'"
    ),
    "a retired jackpot that comes back": case(
        "jackpot OLD: state should be retired, stored is suspended",
        f"DELETE FROM jackpot_jackpotstatechange WHERE id = {_LAST_CHANGE}",
        f"UPDATE jackpot_jackpot SET state = 'suspended' WHERE id = {_OLD}",
    ),
    "a retired jackpot that was resumed": case(
        "jackpot OLD: state should be retired, stored is active",
        f"UPDATE jackpot_jackpotstatechange SET after = 'active', request_id = NULL WHERE id = {_LAST_CHANGE}",
        f"UPDATE jackpot_jackpot SET state = 'active' WHERE id = {_OLD}",
    ),
    "a jackpot that nobody retired": case(
        "jackpot HOUSE: state should be active, stored is retired",
        "UPDATE jackpot_jackpot SET state = 'retired' WHERE code = 'HOUSE'",
        "INSERT INTO jackpot_jackpotstatechange (jackpot_id, before, after, at, by_id, note)"
        " SELECT (SELECT id FROM jackpot_jackpot WHERE code = 'HOUSE'), 'active', 'retired', at, by_id, ''"
        f" FROM jackpot_jackpotstatechange WHERE id = {_LAST_CHANGE}",
    ),
    "a hit too large to be paid at once": case(
        r"award_paid award:\S+\): invented entry",
        'UPDATE jackpot_policyversion SET document = document || \'{"verify_from": "10.00"}\'',
    ),
    "a late hit paid at once": case(r"award_paid award:\S+\): invented entry", "UPDATE jackpot_award SET late = true"),
}
