"""The catalogue holds every code of the contract, and every code the source uses."""

import ast
from collections.abc import Iterator
from pathlib import Path

from jackpot.http.catalogue import CATALOGUE, error_class

ROOT = Path(__file__).resolve().parents[2]
CONTRACT = {
    400: "malformed unknown_field repeated_field missing_field invalid_money invalid_time invalid_card invalid_value",
    422: "wrong_card_count duplicate_card unknown_table unknown_box wrong_multiple wrong_street blind_mismatch"
    " bet_limit too_many_boxes box_taken ante_required player_required no_progressive wrong_progressive_stake"
    " time_order amount_too_large",
    409: "round_open wrong_phase time_expired already_settled step_conflict idempotency_conflict in_progress"
    " illegal_move table_suspended",
    403: "scope_required person_required second_person_required",
}


def test_every_code_of_the_contract_has_its_status() -> None:
    for status, codes in CONTRACT.items():
        assert {code: error_class(code).status for code in codes.split()} == dict.fromkeys(codes.split(), status)


def test_every_status_of_the_contract_has_a_code() -> None:
    statuses = {kind.status for kind in CATALOGUE.values()}
    assert statuses == {400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 429, 500, 503}


def test_every_kind_says_what_to_do() -> None:
    for kind in CATALOGUE.values():
        assert kind.title
        assert kind.remedy.endswith(".")
        assert kind.type == f"/errors/{kind.code}"


def test_every_code_the_source_uses_is_listed() -> None:
    used = {code for app in ("jackpot", "tables") for file in (ROOT / app).rglob("*.py") for code in _codes(file)}
    assert "invalid_money" in used
    assert used <= CATALOGUE.keys()


def _codes(file: Path) -> Iterator[str]:
    """The literal first arguments of `refuse(...)`, `Violation(...)` and `.fault(...)`."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in ("refuse", "Violation", "fault"):
                yield str(node.args[0].value)
