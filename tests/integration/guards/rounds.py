# ruff: noqa: S608 — the SQL is a test's own words
"""The guards of `tables/migrations/sql/rounds.sql` and the named constraints of the tables' models."""

from itertools import permutations

from tables.domain.round_state import BEFORE, MOVES, OPEN, Move, Phase
from tests.integration.guards.cases import Case, add, append_only, case, copy

FAILS = {phase for phase, moves in MOVES.items() if Move.FAIL in moves and phase is not Phase.VOID}


def _moves() -> set[tuple[Phase, Phase]]:
    """Every pair of phases that a move leads through, as `MOVES` says."""
    pairs = set()
    for phase, moves in MOVES.items():
        for step, after in moves.items():
            if after is not BEFORE:
                pairs.add((phase, after))
            elif step is Move.RESUME:
                back = FAILS if phase is Phase.FAILED else OPEN - {Phase.SUSPENDED}
                pairs |= {(phase, before) for before in back}
    return pairs


FACTS = {
    "id": "gen_random_uuid()",
    "locked_at": "now()", "completed_at": "now()", "flop": "'2c3c4c'", "turn": "'2c'", "river": "'2c'",
    "dealer": "'2c3c'", "player_cards": "'2c3c'", "integrator_id": "0", "external_id": "'other'", "content": "''",
    "table_id": "0", "site_id": "0", "game_number": "'other'", "live": "NOT live", "started_at": "now()",
    "rule_set_id": "0", "policy_id": "0", "lane_id": "0",
}  # fmt: skip
"""Everything of a round that stands once it is complete, each with another value."""
SETTLED = {
    "version": "0", "void_reason": "'other'", "void_note": "'other'", "gaming_day": "gaming_day - 1",
    "late": "NOT late", "settled_at": "now()", "problem": "'{}'", "deadline": "now()", "resumes_to": "'flop'",
    "phase": "'void'",
}  # fmt: skip
"""What stands from its settlement on: everything."""
UNSETTLED = {
    "a phase alone": "phase = 'settled'",
    "a version alone": "version = 1",
    "a time alone": "settled_at = now()",
    "no version": "phase = 'settled', settled_at = now()",
    "no time": "phase = 'settled', version = 1",
    "no day": "phase = 'settled', version = 1, settled_at = now(), gaming_day = NULL",
    "a version left out": "phase = 'settled', version = 2, settled_at = now()",
    "void without a reason": "phase = 'void'",
    "settled without a reason, as void": "phase = 'void', version = 1, settled_at = now()",
    "void, as settled": "phase = 'settled', version = 1, settled_at = now(), void_reason = 'other'",
}
PUT_IN_FORCE = "UPDATE tables_round SET phase = 'settled', version = 1, settled_at = now() WHERE id = %(complete)s"
DEALT = {
    "cards": "'2c3c'", "action": "'fold'", "street": "'flop'", "multiplier": "9", "automatic": "NOT automatic",
    "checked": "'river'",
}  # fmt: skip
BET = {
    "box": "box + 50",
    "player": "'other'",
    "ante": "ante + 1",
    "trips": "trips + 1",
    "progressive": "progressive + 1",
}
VOIDED = {"void_reason": "'other'", "void_note": "'other'"}


def change_round(which: str, column: str, value: str) -> str:
    return f"UPDATE tables_round SET {column} = {value} WHERE id = %({which})s"


def change_box(which: str, column: str, value: str) -> str:
    return f"UPDATE tables_box SET {column} = {value} WHERE round_id = %({which})s AND box = 1"


def beginning(**changes: str | int | None) -> str:
    return copy("tables_round", "found.id = %(complete)s", id="%(new)s", game_number="'other'", external_id=None,
                **changes)  # fmt: skip


def box(which: str, **values: str | int) -> str:
    columns: dict[str, str | int] = {
        "round_id": f"%({which})s", "box": 77, "player": "'P-77'", "ante": 5, "trips": 0, "progressive": 0,
        "cards": "''", "action": "''", "street": "''", "multiplier": 0, "automatic": "false", "checked": "''",
        "void_reason": "''", "void_note": "''",
    }  # fmt: skip
    return add("tables_box", **columns | values)


def result(which: str, **values: str | int) -> str:
    columns: dict[str, str | int] = {
        "round_id": f"%({which})s", "version": 1, "box": 1, "hand": "''", "progressive_hand": "''",
        "outcomes": "'-----'", "capped": "''", "ante": 0, "blind": 0, "play": 0, "trips": 0, "progressive": 0,
        "basis": "''",
    }  # fmt: skip
    return add("tables_boxresult", **columns | values)


ROUNDS: list[Case] = [
    *append_only("tables_boxresult", "ante = 0"),
    *append_only("tables_roundevent", "kind = 'other'"),
    *append_only("tables_rulesetversion", "document = '{}'"),
    *append_only("tables_round"),
    case("tables_box", "append_only", "truncate", "TRUNCATE tables_box CASCADE", name="tables_box_append_only"),
    *(case("tables_round", "round_kept", f"{which} {column}", change_round(which, column, value),
           name="round_facts_frozen") for which in ("settled", "complete") for column, value in FACTS.items()),
    *(case("tables_round", "round_kept", f"settled {column}", change_round("settled", column, value),
           name="round_facts_frozen") for column, value in SETTLED.items()),
    *(case("tables_round", "round_kept", f"posted void {column}", change_round("void", column, value),
           name="round_facts_frozen") for column, value in SETTLED.items() if column != "phase"),
    *(case("tables_round", "round_kept", f"posted void to {phase}", change_round("void", "phase", f"'{phase}'"),
           name="round_facts_frozen") for phase in Phase if phase is not Phase.VOID),
    *(case("tables_round", "round_kept", f"waiting void {column} = {value}", change_round("voided", column, value),
           name="round_facts_frozen")
      for column, value in (("void_reason", "''"), ("void_reason", "'other'"), ("void_note", "'other'"))),
    *(case("tables_round", "round_kept", label, f"UPDATE tables_round SET {change} WHERE id = %(complete)s",
           name="round_settled") for label, change in UNSETTLED.items()),
    case("tables_round", "round_kept", "two versions further", change_round("settled", "version", "3"),
         name="round_facts_frozen"),
    case("tables_round", "round_results", "none", PUT_IN_FORCE),
    case("tables_round", "round_begins", "settled", beginning(phase="'settled'", version=1)),
    case("tables_round", "round_begins", "complete, with a version", beginning(version=1)),
    case("tables_round", "round_begins", "with a time of settlement", beginning(settled_at="now()")),
    case("tables_round", "round_begins", "live and complete", beginning(live="true")),
    case("tables_round", "round_begins", "whole and open", beginning(phase="'betting'")),
    case("tables_round", "round_begins", "whole and dealt", beginning(phase="'flop'")),
    case("tables_round", "round_begins", "void without a reason", beginning(phase="'void'")),
    *(case("tables_round", "round_kept", f"locked {column}", change_round("locked", column, value),
           name="round_facts_frozen") for column, value in FACTS.items() if column.endswith("_id") or "lock" in column),
    *(
        case(
            "tables_round", "round_kept", f"{before} to {after}",
            # As its owner, past the guards: a round that came to this phase.
            "SET LOCAL session_replication_role = replica", change_round("complete", "phase", f"'{before}'"),
            "SET LOCAL session_replication_role = origin", change_round("complete", "phase", f"'{after}'"),
            name="round_phase_moves",
        )
        for before, after in permutations(Phase, 2)
        if (before, after) not in _moves()
    ),
    case("tables_round", "round_external_id_once", "twice",
         copy("tables_round", "found.id = %(complete)s", id="%(new)s", game_number="'other'")),
    case("tables_round", "round_game_number_once", "twice",
         copy("tables_round", "found.id = %(complete)s", id="%(new)s", external_id="'other'")),
    case("tables_round", "round_one_open_a_table", "two",
         copy("tables_round", "found.id = %(betting)s", id="%(new)s", game_number="'other'")),
    case("tables_rulesetversion", "rule_set_version_once", "twice",
         # As its owner, past the guards: two approvals at once, neither of which sees the other's version.
         "SET LOCAL session_replication_role = replica",
         copy("tables_rulesetversion", "found.id = %(rule_set)s", id=0)),
]  # fmt: skip

BOXES: list[Case] = [
    *(case("tables_box", "box_frozen", f"{which} {column}", change_box(which, column, value))
      for which in ("settled", "complete") for column, value in (BET | DEALT).items()),
    *(case("tables_box", "box_frozen", f"settled {column}", change_box("settled", column, value))
      for column, value in VOIDED.items()),
    *(case("tables_box", "box_frozen", f"locked {column}", change_box("locked", column, value))
      for column, value in (BET | {"cards": "'2c3c'"} | VOIDED).items()),
    *(case("tables_box", "box_frozen", f"{which} removed", f"DELETE FROM tables_box WHERE round_id = %({which})s")
      for which in ("settled", "complete", "locked")),
    *(case("tables_box", "box_in_time", which, box(which)) for which in ("settled", "complete", "locked", "new")),
    *(case("tables_box", "stakes", column, box("betting", **{column: value}))
      for column, value in (("ante", 0), ("ante", -1), ("trips", -1), ("progressive", -1))),
    case("tables_boxresult", "result_of_box", "of no box", result("complete", box=78)),
    case("tables_boxresult", "result_of_box", "of no round", result("new")),
    case("tables_boxresult", "result_of_box", "not of every box", PUT_IN_FORCE, result("complete"),
         name="results_once"),
    case("tables_boxresult", "result_of_box", "of a version to come",
         copy("tables_boxresult", "found.round_id = %(settled)s", version=3), name="results_once"),
    case("tables_boxresult", "result_of_box", "before their round is settled",
         result("complete"), name="results_once"),
    case("tables_boxresult", "result_of_box", "of no version",
         copy("tables_boxresult", "found.round_id = %(settled)s", round_id="%(complete)s", version=0),
         name="results_once"),
]  # fmt: skip

PLACES: list[Case] = [
    *(case("jackpot_queued", "place_kept", f"of a {which} round",
           f"DELETE FROM jackpot_queued WHERE source_ref = %({which})s") for which in ("complete", "voided")),
    case("tables_round", "round_waits", "none", beginning()),
    case("tables_round", "round_waits", "left while it was set aside",
         change_round("complete", "phase", "'failed'"),
         "DELETE FROM jackpot_queued WHERE source_ref = %(complete)s", change_round("complete", "phase", "'complete'")),
    case("tables_round", "round_waits", "for its lock-out alone", beginning(),
         add("jackpot_queued", lane_id="%(lane)s", kind="'lockout'", source_ref="%(new)s")),
    case("jackpot_queued", "place_not_changed", "of another round",
         "UPDATE jackpot_queued SET source_ref = %(settled)s WHERE source_ref = %(complete)s", name="place_kept"),
    case("jackpot_queued", "place_not_changed", "all of them", "TRUNCATE jackpot_queued", name="place_kept"),
    *(case("tables_table", "table_kept", column, f"UPDATE tables_table SET {column} = {value} WHERE code = 'T-01'")
      for column, value in (("id", "0"), ("code", "'other'"), ("currency_code", "'EUR'"), ("site_id", "0"))),
    case("tables_table", "sandbox_apart", "a table of a sandbox at a live jackpot",
         copy("jackpot_site", "found.id = %(site)s", id=-7, code="'SAND'", sandbox="true"),
         copy("tables_table", "found.id = %(table)s", id=-7, code="'SAND-01'", site_id=-7)),
    case("tables_table", "sandbox_apart", "linked later",
         copy("jackpot_site", "found.id = %(site)s", id=-7, code="'SAND'", sandbox="true"),
         copy("tables_table", "found.id = %(table)s", id=-7, code="'SAND-01'", site_id=-7, jackpot_id=None),
         "UPDATE tables_table SET jackpot_id = %(jackpot)s WHERE id = -7"),
    case("jackpot_site", "sandbox_kept", "a live site made a sandbox",
         "UPDATE jackpot_site SET sandbox = true WHERE id = %(site)s"),
]  # fmt: skip

TABLES = [*ROUNDS, *BOXES, *PLACES]
