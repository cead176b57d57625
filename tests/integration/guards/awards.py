# ruff: noqa: S608 — the SQL is a test's own words
"""The guards of `jackpot/migrations/sql/award_moves.sql`: no award moves unseen, unsealed or by one person alone."""

from tests.integration.guards.cases import Case, add, append_only, case
from tests.integration.guards.chain import ADVANCED, link
from tests.integration.guards.ledger import NEW, entry, legs

HIT, ENVY = "%(award)s", "%(envy)s"
PAST_GUARDS = "SET LOCAL session_replication_role = replica"
GUARDED = "SET LOCAL session_replication_role = origin"


def record(kind: str = "award_move", source: str = "'award:' || %(award)s::text || ':1'") -> str:
    return entry(0, kind=f"'{kind}'", source_ref=source)


def move(name: str, before: str, state: str, *, award: str = HIT, **changes: str | int) -> str:
    """SQL that adds a move of an award; the first one, by a machine, unless changed."""
    columns: dict[str, str | int] = {
        "award_id": award, "number": 1, "move": f"'{name}'", "before": f"'{before}'", "state": f"'{state}'",
        "stage": 0, "approvals": 0, "key_id": "%(key)s", "note": "''", "at": "now()", "entry_id": NEW,
    }  # fmt: skip
    if "user_id" in changes:
        columns |= {"key_id": "NULL"}
    return add("jackpot_awardmove", **columns | changes)


def stands(state: str, award: str = HIT) -> str:
    return f"UPDATE jackpot_award SET state = '{state}' WHERE id = {award}"


DISPUTE = move("dispute", "pending", "disputed")
APPROVE = move("approve", "pending", "pending", user_id="%(user)s", approvals=1)
DISPUTED = (record(), DISPUTE, stands("disputed"), link(), ADVANCED)
APPROVED_ONCE = (record(), APPROVE, link(), ADVANCED)
COMPLETE_MOVES = [DISPUTED, APPROVED_ONCE]
"""What the books take, beside which the cases below differ by one thing each."""


def refused(guard: str, label: str, *statements: str, name: str = "") -> Case:
    return case("jackpot_awardmove", guard, label, *statements, name=name)


def follows(label: str, name: str, *statements: str) -> Case:
    return refused("award_move_follows", label, *statements, name=name)


ORDER: list[Case] = [
    follows("from another state", "award_move_follows", record(), move("uphold", "disputed", "approved")),
    follows("another number", "award_move_follows", record(), move("dispute", "pending", "disputed", number=2)),
    follows("another stage", "award_move_follows", record(), move("dispute", "pending", "disputed", stage=1)),
    follows("of no award", "award_move_follows", record(), move("dispute", "pending", "disputed", award="%(new)s")),
    follows("decided by one", "award_approvals", record(),
            move("approve", "pending", "approved", user_id="%(user)s", approvals=1)),
    follows("decided by one who says two", "award_approvals", record(),
            move("approve", "pending", "approved", user_id="%(user)s", approvals=2)),
    follows("a second approval that is called the first", "award_approvals", record(), APPROVE,
            move("approve", "pending", "pending", number=2, user_id="%(other)s", approvals=1)),
    follows("a second approval that leaves the state", "award_approvals", record(), APPROVE,
            move("approve", "pending", "pending", number=2, user_id="%(other)s", approvals=2)),
    follows("a dispute that changes nothing", "award_approvals", record(), move("dispute", "pending", "pending")),
    follows("decided by who entered the round", "award_approvals", PAST_GUARDS,
            "UPDATE jackpot_entry SET actor = 'user:' || %(user)s WHERE id = %(entry)s", GUARDED, record(), APPROVE),
    follows("an Envy by itself", "envy_with_its_hit", record(), move("dispute", "pending", "disputed", award=ENVY)),
    follows("with an entry of another kind", "award_move_of_entry", record("adjustment"), DISPUTE),
    follows("with no entry", "award_move_of_entry", DISPUTE),
    follows("with a sealed entry", "award_move_of_entry", record(), link(), DISPUTE),
    follows("a payment that only records", "award_move_of_entry", PAST_GUARDS, stands("approved"), GUARDED, record(),
            move("pay", "approved", "paid")),
    follows("a payment of another award", "award_move_of_entry", PAST_GUARDS, stands("approved"), GUARDED,
            record("award_paid", "'award:' || %(envy)s::text"), move("pay", "approved", "paid")),
    follows("a rejection that only records", "award_move_of_entry", PAST_GUARDS, stands("disputed"),
            APPROVE.replace("approve", "reject").replace("pending", "disputed"), GUARDED, record(),
            move("reject", "disputed", "rejected", number=2, user_id="%(other)s", approvals=2)),
]  # fmt: skip

STATES: list[Case] = [
    refused("award_as_moved", "a move without its state", record(), DISPUTE, link(), ADVANCED),
    refused("award_as_moved", "a move with another state", record(), DISPUTE, stands("approved"), link(), ADVANCED),
    case("jackpot_award", "award_moved", "a state without its move", stands("approved"), name="award_as_moved"),
    case("jackpot_award", "award_moved", "back without a move", *DISPUTED, stands("approved"), name="award_as_moved"),
    case("jackpot_link", "link_seals", "a return of what is not rejected",
         entry(2, kind="'award_returned'", source_ref="'award:' || %(award)s::text"),
         legs((1, -5), (2, 5), second="(SELECT id FROM jackpot_account WHERE starts_with(code, 'awards:'))"), link(),
         name="awards_as_owed"),
]  # fmt: skip

PEOPLE: list[Case] = [
    refused("award_move_once", "twice", PAST_GUARDS, record(), DISPUTE, DISPUTE),
    refused("award_decided_once", "one person twice", PAST_GUARDS, record(), APPROVE,
            move("approve", "pending", "approved", number=2, user_id="%(user)s", approvals=2)),
    refused("award_moved_by_one", "by nobody", record(), move("dispute", "pending", "disputed", key_id="NULL")),
    refused("award_moved_by_one", "by a person and a machine", record(),
            move("dispute", "pending", "disputed", user_id="%(user)s", key_id="%(key)s")),
    refused("award_decided_by_a_person", "by a machine", record(), move("approve", "pending", "pending", approvals=1)),
]  # fmt: skip


def answered(**changes: str | int) -> str:
    columns: dict[str, str | int] = {"key": "'k'", "digest": "''", "answer": "'{}'", "at": "now()"}
    return add("jackpot_answeredrequest", **columns | changes)


REQUESTS: list[Case] = [
    *append_only("jackpot_awardmove", "note = 'other'"),
    *append_only("jackpot_answeredrequest", "answer = '{}'"),
    case("jackpot_answeredrequest", "request_of_integrator_once", "twice",
         *[answered(integrator_id="%(integrator)s")] * 2),
    case("jackpot_answeredrequest", "request_of_person_once", "twice", *[answered(user_id="%(user)s")] * 2),
    case("jackpot_answeredrequest", "request_of_one", "of nobody", answered()),
    case("jackpot_answeredrequest", "request_of_one", "of both",
         answered(user_id="%(user)s", integrator_id="%(integrator)s")),
]  # fmt: skip

AWARD_MOVES = [*ORDER, *STATES, *PEOPLE, *REQUESTS]
