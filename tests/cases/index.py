"""Which test stands for which known failure: those of this folder by their names, slower ones by their node ids."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]

TABLES = {
    "hands": (2, 3, 6, 7, 10, 11, 12, 13, 14, 15, 16),
    "payouts": (19, 21, 22, 23, 24, 25, 26, 28, 29, 30),
    "jackpot": (32, 33, 36, 37, 38, 40, 41),
    "ledger": (45, 47, 50, 51, 52, 53, 55, 56, 57, 58, 59, 60, *range(94, 108)),
    "operation": (63, 64, 66, 67, 68, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82),
    "incidents": (86, 87, 88, 89, 92, 93),
    "changes": (42, 43, 90, 91),
}
"""The numbers that are to be closed, by their subject."""

_POLICIES = "tests/integration/test_policies.py::"
_METER = "tests/unit/test_meter.py::"
_CLOSING = "tests/concurrency/test_closing_days.py::"
_ONCE = "tests/concurrency/test_closing_once.py::"
_JOB = "tests/integration/test_close_day_command.py::"
_SAME = "tests/concurrency/test_same_round.py::"
_ONE_LANE = "tests/concurrency/test_one_lane.py::"
_LANES = "tests/concurrency/test_many_lanes.py::test_rounds_come_in_and_are_settled_at_once_by_many"
_KILLED = "tests/faults/test_killed_workers.py::"
_LOST = "tests/faults/test_lost_messages.py::"
_CUT = _LOST + "test_a_batch_whose_connection_is_cut_is_settled_later_and_no_round_is_blamed"
_BAD = "tests/faults/test_bad_rounds.py::"
_BATCHES = "tests/integration/test_batches.py::test_batches_and_workers_and_kills_change_nothing"

ELSEWHERE: dict[int, tuple[str, ...]] = {
    28: ("tests/api/test_live_mends.py::test_a_box_decides_once",),
    32: (_METER + "test_a_thousand_small_contributions_add_up_exactly",),
    41: (_METER + "test_ten_thousand_contributions_of_seven_cents_are_seven_hundred",),
    47: (_JOB + "test_a_job_that_runs_every_ten_minutes_over_a_clock_change",),
    50: (
        _SAME + "test_twenty_equal_calls_at_once_make_one_round",
        "tests/api/test_repeated_rounds.py::test_many_at_once_make_one_round",
    ),
    52: (_ONE_LANE + "test_with_it_the_hit_waits_its_turn",),
    53: (
        "tests/integration/test_guards.py::test_the_database_refuses",
        _CLOSING + "test_a_batch_that_waited_for_the_close_is_late_and_under_an_open_day",
        _ONCE + "test_rounds_go_on_while_a_day_is_closed",
    ),
    56: (
        _SAME + "test_batches_with_the_same_ids_in_opposite_order_do_not_deadlock", _LANES,
        _BAD + "test_the_databases_trouble_is_raised_and_no_round_is_blamed",
    ),
    60: (_ONE_LANE + "test_with_it_many_workers_settle_each_round_once",),
    67: (_KILLED + "test_the_message_of_a_killed_pool_process_is_given_out_again",),
    68: (_LOST + "test_rounds_whose_wake_up_was_never_sent_are_swept_up",),
    71: (
        _KILLED + "test_a_worker_killed_in_the_middle_of_its_batch_loses_and_doubles_nothing",
        _KILLED + "test_a_worker_killed_between_its_commit_and_its_acknowledgement_posts_once",
    ),
    74: (
        _JOB + "test_a_job_that_runs_every_ten_minutes_over_a_clock_change",
        _ONCE + "test_many_at_once_close_a_day_once",
    ),
    72: ("tests/unit/test_report_files.py::test_text_that_begins_a_formula_is_neutralised_and_amounts_stay_numbers",),
    81: (_BATCHES,),
    82: (_CUT,),
    88: ("tests/api/test_reports.py::test_duplicates",),
    90: (_POLICIES + "test_a_limit_that_the_meter_has_passed_meanwhile_is_refused_at_the_approval",),
    91: (
        "tests/api/test_award_moves.py::test_an_illegal_move_names_the_state_and_what_is_allowed",
        "tests/api/test_award_moves.py::test_who_entered_the_round_does_not_decide",
    ),
    92: ("tests/api/test_live_clocks.py::test_a_clients_clock_decides_nothing",),
    96: ("tests/integration/test_settlement_failures.py::test_a_round_that_is_queued_twice_settles_once",),
    97: (
        _BAD + "test_the_bad_round_stands_alone",
        _BAD + "test_a_failed_round_is_settled_when_it_is_tried_again_and_its_lock_out_only_once", _BATCHES,
    ),
    98: (_SAME + "test_one_external_id_at_two_tables_at_once_is_one_round_and_one_conflict",),
    101: (
        "tests/integration/test_audit.py::test_what_was_changed_is_named",
        "tests/integration/test_verify.py::TestFalsifications::test_what_was_changed_by_hand_is_named",
    ),
    103: (_CUT,),
    105: ("tests/unit/test_chain.py::test_lengths_count_characters_and_composed_differs_from_decomposed",),
    107: (_LANES,),
}  # fmt: skip
"""Tests of other folders that stand for a failure, alone or beside those here."""

_NUMBERED = re.compile(r"test_(\d{2,3}(?:_\d{2,3})*)_[a-z]")


def names_in(path: Path) -> Iterator[str]:
    """The names of a module's tests, those of classes as `Class::name`."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef):
            yield from (f"{node.name}::{part.name}" for part in node.body if isinstance(part, ast.FunctionDef))
        elif isinstance(node, ast.FunctionDef):
            yield node.name


def index() -> dict[int, list[str]]:
    """Every number with the node ids of its tests."""
    found: dict[int, list[str]] = {number: list(nodes) for number, nodes in ELSEWHERE.items()}
    for path in sorted(HERE.glob("test_*.py")):
        for name in names_in(path):
            if numbered := _NUMBERED.match(name.rpartition("::")[2]):
                for number in map(int, numbered[1].split("_")):
                    found.setdefault(number, []).append(f"{path.relative_to(ROOT)}::{name}")
    return found
