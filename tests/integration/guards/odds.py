"""The guards of `tables/migrations/sql/odds.sql`."""

from tests.integration.guards.cases import Case, add, append_only, case

STORED = add("tables_rulesetodds", rule_set_id="%(rule_set)s", method=1, document="'{}'", stored_at="now()")

ODDS: list[Case] = [
    *append_only("tables_rulesetodds", "document = '{}'"),
    case("tables_rulesetodds", "rule_set_odds_once", "twice", STORED, STORED),
]
