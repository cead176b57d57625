"""Bring the product's JSON and the reference's into one shape, and name every difference by its path."""

from typing import Any

from tests.reference.amounts import exact_cents, exact_text

Json = dict[str, Any]

ROW_KEYS = ("level", "pot", "seq", "kind", "amount", "before", "after")
AWARD_KEYS = ("kind", "box", "hand", "level", "amount", "meter_before", "meter_after", "reset_to", "seq", "state")
ENVY_KEYS = ("box", "from_box", "hand", "amount")


def settlement_core(settlement: Json) -> Json:
    """A settlement without what differs from run to run (settled_at, award ids) and without the rule set's name.

    Boxes are put in ascending order; awards keep theirs, which is the order of the hits.
    """
    core = {key: value for key, value in settlement.items() if key not in ("settled_at", "rule_set")}
    core["boxes"] = sorted(core["boxes"], key=lambda box: box["box"])
    core["awards"] = [award_core(award) for award in core["awards"]]
    return core


def award_core(award: Json) -> Json:
    """The part of a hit that a replay can know."""
    return {key: award.get(key) for key in AWARD_KEYS}


def envy_core(row: Json) -> Json:
    """The part of an Envy row that a replay can know."""
    return {key: row.get(key) for key in ENVY_KEYS}


def statement_core(rows: list[Json]) -> list[Json]:
    """Statement rows in (level, pot, seq) order, with exact amounts, without source, reason, times and day."""
    cores = [{key: row[key] for key in ROW_KEYS} for row in rows]
    for core in cores:
        for key in ("amount", "before", "after"):
            core[key] = exact_text(exact_cents(core[key]))
    return sorted(cores, key=lambda row: (row["level"], row["pot"], row["seq"]))


def chain_breaks(rows: list[Json]) -> list[str]:
    """Where a statement is not a gap-free chain: seq 1, 2, 3 … per level and pot, after = before + amount."""
    breaks = []
    ends: dict[tuple[str, str], tuple[int, Any]] = {}
    for row in statement_core(rows):
        key = (row["level"], row["pot"])
        seq, balance = ends.get(key, (0, exact_cents("0")))
        where = f"{key[0]} {key[1]} {row['seq']}"
        if row["seq"] != seq + 1:
            breaks.append(f"{where}: follows seq {seq}")
        if exact_cents(row["before"]) != balance:
            breaks.append(f"{where}: before is {row['before']}, the last after was {exact_text(balance)}")
        if exact_cents(row["before"]) + exact_cents(row["amount"]) != exact_cents(row["after"]):
            breaks.append(f"{where}: after is not before + amount")
        ends[key] = row["seq"], exact_cents(row["after"])
    return breaks


def differences(expected: Any, actual: Any, path: str = "") -> list[str]:
    """Every place where two JSON values differ, as "/boxes/0/net: expected '1.00', got '2.00'"."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        found = []
        for key in sorted(expected.keys() | actual.keys()):
            if key not in actual:
                found.append(f"{path}/{key}: missing, expected {expected[key]!r}")
            elif key not in expected:
                found.append(f"{path}/{key}: not expected, got {actual[key]!r}")
            else:
                found += differences(expected[key], actual[key], f"{path}/{key}")
        return found
    if isinstance(expected, list) and isinstance(actual, list):
        if len(expected) != len(actual):
            return [f"{path}: expected {len(expected)} items, got {len(actual)}"]
        pairs = enumerate(zip(expected, actual, strict=True))
        return [line for place, (one, other) in pairs for line in differences(one, other, f"{path}/{place}")]
    same = expected == actual and type(expected) is type(actual)
    return [] if same else [f"{path or '/'}: expected {expected!r}, got {actual!r}"]
