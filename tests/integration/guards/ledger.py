# ruff: noqa: S608 — the SQL is a test's own words
"""The guards of `jackpot/migrations/sql/` but for the chain's, and the named constraints of the jackpot's models."""

from itertools import permutations

from tests.integration.guards.cases import Case, add, append_only, case, copy

NEW = 900_000_001
"""The id of an entry that is not there yet."""

AWARD_MOVES = {
    ("pending", "approved"), ("approved", "paid"), ("pending", "disputed"), ("approved", "disputed"),
    ("disputed", "approved"), ("disputed", "rejected"), ("pending", "withdrawn"), ("approved", "withdrawn"),
    ("disputed", "withdrawn"),
}  # fmt: skip
"""accounting.md §4: pending → approved → paid; pending|approved → disputed → approved|rejected;
pending|approved|disputed → withdrawn."""
AWARD_STATES = ("pending", "approved", "disputed", "rejected", "paid", "withdrawn")


LANE = "id = %(lane)s"
NEXT = f"(SELECT sealed + 1 FROM jackpot_lane WHERE {LANE})"
"""The seq of the link that the lane seals next."""
OPEN_DAY = "(SELECT max(day) FROM jackpot_gamingday WHERE site_id = %(site)s AND closed_at IS NULL)"


def account(kind: str) -> str:
    """The jackpot's account of a kind; the world has one jackpot."""
    return f"(SELECT id FROM jackpot_account WHERE starts_with(code, '{kind}:'))"


def entry(legs: int, *, pk: int = NEW, kind: str = "'settlement'", **values: str | int) -> str:
    columns: dict[str, str | int] = {
        "id": pk, "lane_id": "%(lane)s", "link_seq": NEXT, "kind": kind, "source_ref": "'invented'", "table_ref": "''",
        "leg_count": legs, "event_at": "now()", "posted_at": "now()", "actor": "''", "reason": "''",
    }  # fmt: skip
    return add("jackpot_entry", **columns | values)


def leg(position: int, amount: int, *, of: int | str = NEW) -> str:
    return legs((position, amount), of=of)


def legs(*parts: tuple[int, int], of: int | str = NEW, second: str = "%(account)s", day: str = OPEN_DAY) -> str:
    """Legs of one statement as (position, amount); `second` is the account of those after the first."""
    rows = ", ".join(
        f"({of}, {position}, {'%(account)s' if n == 0 else second}, {amount}, {day})"
        for n, (position, amount) in enumerate(parts)
    )
    return f"INSERT INTO jackpot_leg (entry_id, position, account_id, amount, gaming_day) VALUES {rows}"


def row_of(pot: str, amount: int) -> str:
    """SQL that lets the level stand as after one more row of this pot."""
    return f"UPDATE jackpot_level SET {pot} = {pot} + {amount}, {pot}_seq = {pot}_seq + 1 WHERE id = %(level)s"


def last_row(**changes: str | int) -> str:
    """SQL that adds the row after the last one of the meter, with 1 more in it, and `changes`."""
    follows: dict[str, str | int | None] = {
        "seq": "found.seq + 1", "amount": 1, "before": "found.after", "after": "found.after + 1"
    }  # fmt: skip
    where = "found.level_id = %(level)s AND found.pot = 'meter' ORDER BY found.seq DESC LIMIT 1"
    return copy("jackpot_statementrow", where, **follows | changes)


POSTED: list[Case] = [
    *append_only("jackpot_entry", "reason = 'other'"),
    *append_only("jackpot_leg", "amount = 2 * amount"),
    *append_only("jackpot_statementrow", "kind = 'void'"),
    *append_only("jackpot_link", "digest = ''"),
    *append_only("jackpot_account", "code = 'cage:other'"),
    *append_only("jackpot_policyversion", "document = '{}'"),
    *append_only("jackpot_award", guard="award_append_only"),
    *append_only("jackpot_level", guard="level_kept", name="level_kept"),
]

ENTRIES: list[Case] = [
    case("jackpot_leg", "legs_balance", "added to a posted entry", legs((98, 5), (99, -5), of="%(entry)s")),
    case("jackpot_leg", "legs_balance", "unbalanced", entry(2), legs((1, 5), (2, -4))),
    case("jackpot_leg", "legs_balance", "fewer than announced", entry(3), legs((1, 5), (2, -5))),
    case("jackpot_leg", "legs_balance", "more than announced", entry(2), legs((1, 5), (2, -4), (3, -1))),
    case("jackpot_leg", "legs_balance", "one after the other", entry(2), leg(1, 5), leg(2, -5)),
    case("jackpot_leg", "legs_balance", "numbered with a gap", entry(2), legs((1, 5), (3, -5))),
    case("jackpot_leg", "legs_balance", "numbered from 0", entry(2), legs((0, 5), (1, -5))),
    case("jackpot_leg", "legs_balance", "of no entry", legs((1, 5), (2, -5))),
    case(
        "jackpot_leg", "legs_balance", "of no account", entry(2),
        legs((1, 5), (2, -5), second="0"), name="leg_account_exists",
    ),
    case("jackpot_leg", "leg_not_zero", "zero", entry(1), leg(1, 0)),
    case("jackpot_entry", "entry_once", "posted twice", copy("jackpot_entry", "found.id = %(entry)s", id=NEW)),
    case(
        "jackpot_entry", "entry_reversed_once", "reversed twice", entry(0, reverses_id="%(entry)s"),
        entry(0, pk=NEW + 1, kind="'correction'", reverses_id="%(entry)s"),
    ),
    case(
        "jackpot_entry", "reversal_reversed", "a reversal reversed", entry(0, reverses_id="%(entry)s"),
        entry(0, pk=NEW + 1, kind="'correction'", reverses_id=str(NEW)),
    ),
]  # fmt: skip

STATEMENTS: list[Case] = [
    case("jackpot_statementrow", "statement_chain", "a gap", last_row(seq="found.seq + 2")),
    case("jackpot_statementrow", "statement_chain", "a break",
         last_row(before="found.after + 1", after="found.after + 2")),
    case("jackpot_statementrow", "statement_chain", "a day that goes back", last_row(gaming_day="'2026-11-28'::date")),
    case("jackpot_statementrow", "statement_chain", "a row 0", last_row(seq=0, before=0, after=1)),
    case(
        "jackpot_statementrow", "statement_chain", "a gap inside the statement",
        "INSERT INTO jackpot_statementrow (level_id, pot, seq, kind, amount, before, after, entry_id, gaming_day)"
        " SELECT level_id, pot, seq + n, kind, n / 2 + 1, after, after + n / 2 + 1, entry_id, gaming_day"
        " FROM jackpot_statementrow, (VALUES (1), (3)) AS rows (n) WHERE level_id = %(level)s AND pot = 'meter'"
        " AND seq = (SELECT max(seq) FROM jackpot_statementrow WHERE level_id = %(level)s AND pot = 'meter')",
    ),
    case("jackpot_statementrow", "statement_chain", "another pot",
         last_row(pot="'chips'", seq=1, before=0, after=1), name="statement_of_entry"),
    case("jackpot_statementrow", "statement_chain", "no level",
         last_row(level_id=0, seq=1, before=0, after=1), name="statement_of_entry"),
    case("jackpot_statementrow", "statement_chain", "no entry", last_row(entry_id=NEW), name="statement_of_entry"),
    case("jackpot_statementrow", "statement_chain", "a row that the level knows nothing of",
         entry(0), last_row(entry_id=NEW),
         name="statement_equals_level"),
    case("jackpot_statementrow", "statement_adds_up", "a wrong sum", last_row(after="found.after + 2")),
    case("jackpot_statementrow", "statement_never_negative", "below zero",
         last_row(amount="-found.after - 1", after=-1)),
    case("jackpot_level", "level_equals_statement", "a balance without its row",
         "UPDATE jackpot_level SET meter = meter + 1 WHERE id = %(level)s"),
    case("jackpot_level", "level_equals_statement", "a number without its row",
         "UPDATE jackpot_level SET reserve_seq = reserve_seq + 1 WHERE id = %(level)s"),
    case("jackpot_level", "level_equals_statement", "a new level that begins with money",
         copy("jackpot_level", "found.id = %(level)s", id=0, code="'other'")),
    *(case("jackpot_level", "level_not_moved", column,
           f"UPDATE jackpot_level SET {column} = {value} WHERE id = %(level)s", name="level_kept")
      for column, value in (("id", 0), ("jackpot_id", 0), ("code", "'other'"))),
    *(case("jackpot_level", f"{pot}_never_negative", "below zero",
           f"UPDATE jackpot_level SET {pot} = -1 WHERE id = %(level)s") for pot in ("meter", "reserve", "overflow")),
    case("jackpot_level", "meter_within_limit", "above it",
         copy("jackpot_level", "found.id = %(level)s", id=0, code="'other'", limit="found.meter - 1")),
    case("jackpot_level", "level_code_once", "twice", copy("jackpot_level", "found.id = %(level)s", id=0)),
]  # fmt: skip

FROZEN_AWARD = {
    "amount": "amount + 1", "meter_before": "0", "meter_after": "0", "reset_to": "1", "seq": "seq + 1",
    "hand": "'pair'", "box": "box + 1", "player": "'other'", "level_id": "NULL",
    "policy_id": "0", "late": "NOT late", "facts": "'{}'",
    "hit_at": "now()", "source_ref": "gen_random_uuid()", "table_ref": "'other'", "kind": "'envy'", "entry_id": "0",
    "jackpot_id": "0", "position": "99", "hit_id": "id", "id": "gen_random_uuid()",
}  # fmt: skip

AWARDS: list[Case] = [
    *(case("jackpot_award", "award_frozen", column, f"UPDATE jackpot_award SET {column} = {value} WHERE id = %(award)s")
      for column, value in FROZEN_AWARD.items()),
    *(
        case(
            "jackpot_award", "award_frozen", f"{before} to {after}",
            # As its owner, past the guards: an award that came to this state.
            "SET LOCAL session_replication_role = replica",
            f"UPDATE jackpot_award SET state = '{before}' WHERE id = %(award)s",
            "SET LOCAL session_replication_role = origin",
            f"UPDATE jackpot_award SET state = '{after}' WHERE id = %(award)s",
            name="award_moves",
        )
        for before, after in permutations(AWARD_STATES, 2)
        if (before, after) not in AWARD_MOVES
    ),
    case("jackpot_award", "award_once", "twice", copy("jackpot_award", "found.id = %(award)s", id="%(new)s")),
    case("jackpot_award", "award_not_negative", "below zero",
         copy("jackpot_award", "found.id = %(award)s", id="%(new)s", position=99, amount=-1)),
    case("jackpot_award", "award_hit_or_envy", "a hit without level",
         copy("jackpot_award", "found.id = %(award)s", id="%(new)s", position=99, level_id=None)),
    case("jackpot_award", "award_hit_or_envy", "an Envy without hit",
         copy("jackpot_award", "found.id = %(envy)s", id="%(new)s", position=99, hit_id=None)),
    case("jackpot_award", "award_hit_or_envy", "neither",
         copy("jackpot_award", "found.id = %(envy)s", id="%(new)s", position=99, kind="'gift'")),
]  # fmt: skip

OTHERS: list[Case] = [
    case("jackpot_lane", "lane_of_jackpot_or_site", "of nothing", add("jackpot_lane", sealed=0, head="''")),
    case("jackpot_lane", "lane_of_jackpot_or_site", "of both",
         add("jackpot_lane", sealed=0, head="''", jackpot_id="%(jackpot)s", site_id="%(site)s")),
    case("jackpot_queued", "queued_once", "twice",
         *[add("jackpot_queued", lane_id="%(lane)s", kind="'lockout'", source_ref="%(settled)s")] * 2),
    case("jackpot_policyversion", "policy_version_once", "twice",
         # As its owner, past the guards: two approvals at once, neither of which sees the other's version.
         "SET LOCAL session_replication_role = replica",
         copy("jackpot_policyversion", "found.jackpot_id = %(jackpot)s", id=0)),
    case("jackpot_apikey", "api_key_expires_after_creation", "at once",
         "UPDATE jackpot_apikey SET expires_at = created_at"),
    case("jackpot_apikey", "api_key_scopes_known", "none", "UPDATE jackpot_apikey SET scopes = '{}'"),
    case("jackpot_apikey", "api_key_scopes_known", "another", "UPDATE jackpot_apikey SET scopes = '{steal}'"),
]  # fmt: skip

READINGS: list[Case] = [
    *append_only("jackpot_reading", "shown = shown + 1"),
    case("jackpot_reading", "reading_not_negative", "shown",
         copy("jackpot_reading", "found.id = %(reading)s", id=0, shown=-1)),
    case("jackpot_reading", "reading_not_negative", "tolerance",
         copy("jackpot_reading", "found.id = %(reading)s", id=0, tolerance=-1)),
    case("jackpot_reading", "reading_before_entry", "of the future",
         copy("jackpot_reading", "found.id = %(reading)s", id=0, entered_at="found.read_at - interval '1 second'")),
    case("jackpot_jackpot", "reading_tolerance_not_negative", "below zero",
         "UPDATE jackpot_jackpot SET reading_tolerance = -1"),
]  # fmt: skip

LEDGER = [*POSTED, *ENTRIES, *STATEMENTS, *AWARDS, *OTHERS, *READINGS]
