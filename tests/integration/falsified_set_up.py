# ruff: noqa: S608 — the SQL is a test's own words
"""Falsifications of what two people set up: a jackpot, a table, a version of a rule set. Named by `verify`."""

from tests.integration.falsified import Case, case

_TABLE = "(SELECT id FROM tables_table WHERE code = 'T-10')"
_OF = f"table_id = {_TABLE}"
_NEW = "(SELECT id FROM jackpot_jackpot WHERE code = 'NEW')"
_SETUP = r"table T-10, setup 2: setup"
_RULES = r"rule set casino-progressive@2: rule set"

SET_UP: dict[str, Case] = {
    "a table linked by hand": case(
        "table T-10: setup should be",
        f"UPDATE tables_table SET jackpot_id = NULL, lane_id = (SELECT lane.id FROM jackpot_lane AS lane"
        f" WHERE lane.site_id = tables_table.site_id) WHERE id = {_TABLE}",
    ),
    "since when a table is linked": case(
        "table T-10: setup", f"UPDATE tables_table SET set_up_at = set_up_at - interval '1 s' WHERE id = {_TABLE}"
    ),
    "a table and its setup": case(
        _SETUP + " approval",
        "UPDATE tables_table SET rule_set_id = (SELECT id FROM tables_ruleset WHERE code = 'practice')"
        f" WHERE id = {_TABLE}",
        "UPDATE tables_tablesetup SET rule_set_id = (SELECT id FROM tables_ruleset WHERE code = 'practice')"
        f" WHERE number = 2 AND {_OF}",
    ),
    "from when a setup is in force": case(
        _SETUP + " approval",
        f"UPDATE tables_tablesetup SET in_force_at = in_force_at - interval '1 s' WHERE number = 2 AND {_OF}",
        f"UPDATE tables_table SET set_up_at = set_up_at - interval '1 s' WHERE id = {_TABLE}",
    ),
    "the lane of a setup": case(
        "table T-10, setup 1: setup lane",
        f"UPDATE tables_tablesetup SET lane_id = (SELECT max(id) FROM jackpot_lane) WHERE number = 1 AND {_OF}",
    ),
    "a setup that nobody approved": case(
        _SETUP + " approval", f"UPDATE tables_tablesetup SET change_id = NULL WHERE number = 2 AND {_OF}"
    ),
    "an approved setup that was removed": case(
        "table T-10: missing change", f"DELETE FROM tables_tablesetup WHERE number = 2 AND {_OF}"
    ),
    "the first setup, removed": case(
        "table T-10, setup 2: setup number", f"DELETE FROM tables_tablesetup WHERE number = 1 AND {_OF}"
    ),
    "a table opened by nobody": case(
        "table T-10: missing change", f"UPDATE tables_tablesetup SET change_id = NULL WHERE number = 1 AND {_OF}"
    ),
    "what was asked of a table": case(
        r"entry \d+ \(table change:\S+\): facts",
        'UPDATE jackpot_changerequest SET document = document || \'{"rule_set": "practice"}\''
        " WHERE subject = 'T-10' AND before = '{}'",
    ),
    "a version's document": case(
        _RULES + " approval",
        'UPDATE tables_rulesetversion SET document = document || \'{"odds_rounding": "down"}\' WHERE version = 2',
    ),
    "from when a version is in force": case(
        _RULES + " approval",
        "UPDATE tables_rulesetversion SET in_force_at = in_force_at - interval '1 s' WHERE version = 2",
    ),
    "a version that nobody approved": case(
        _RULES + " approval", "UPDATE tables_rulesetversion SET change_id = NULL WHERE version = 2"
    ),
    "an approved version that was removed": case(
        "rule_set casino-progressive: missing change", "DELETE FROM tables_rulesetversion WHERE version = 2"
    ),
    "a version's number": case(
        r"rule set casino-progressive@3: rule set version",
        "UPDATE tables_rulesetversion SET version = 3 WHERE version = 2",
    ),
    "the policy a jackpot was opened under": case(
        "policy NEW@1: policy document",
        f"UPDATE jackpot_policyversion SET document = document || '{{\"approvals\": 1}}' WHERE jackpot_id = {_NEW}",
    ),
    "a jackpot opened by nobody": case(
        "opening NEW: missing change", f"UPDATE jackpot_policyversion SET change_id = NULL WHERE jackpot_id = {_NEW}"
    ),
    "a jackpot opened by another change": case(
        "policy NEW@1: policy approval",
        "UPDATE jackpot_policyversion SET change_id = (SELECT change_id FROM tables_tablesetup WHERE number = 2)"
        f" WHERE jackpot_id = {_NEW}",
    ),
}
