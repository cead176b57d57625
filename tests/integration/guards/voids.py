"""The guards of `tables/migrations/sql/waiting_voids.sql`: a void that cancels a prize takes two."""

from tests.integration.guards.cases import Case, add, append_only, case

WAITS = "(SELECT id FROM tables_waitingvoid WHERE round_id = %(waiting)s)"


def decision(by: str = "%(user)s", decided: str = "confirmed", waiting: str = WAITS) -> str:
    return add("tables_voiddecision", waiting_id=waiting, decision=f"'{decided}'", by_id=by, at="now()", note="''")


def asked(by: str, which: str = "waiting", box: str = "NULL") -> str:
    return add(
        "tables_waitingvoid", round_id=f"%({which})s", box=box, asked_by=by, asked_at="now()", before="'complete'"
    )


ASKED = "(SELECT max(id) FROM tables_waitingvoid)"
BACK = (
    "UPDATE tables_round SET phase = 'complete', void_reason = '', void_note = '', problem = NULL"
    " WHERE id = %(waiting)s"
)

WAITING_VOIDS: list[Case] = [
    *append_only("tables_waitingvoid", "asked_by = 'other'"),
    *append_only("tables_voiddecision", "note = 'other'"),
    case("tables_voiddecision", "void_second_person", "by who asked", asked("'user:' || %(user)s"),
         decision(waiting=ASKED)),
    case("tables_voiddecision", "void_second_person", "of what nobody is known to have asked", asked("''"),
         decision(waiting=ASKED)),
    case("tables_voiddecision", "void_second_person", "where nothing waits", asked("'key:1'", "complete"),
         decision(waiting=ASKED)),
    case("tables_round", "void_decided", "undecided",
         "UPDATE tables_round SET phase = 'void' WHERE id = %(waiting)s"),
    case("tables_round", "void_decided", "one of two decided", asked("'key:1'"),
         decision(waiting=ASKED, decided="declined"), BACK),
    case("tables_round", "round_kept", "a confirmed void taken off", decision(), BACK, name="round_facts_frozen"),
    case("tables_round", "round_kept", "a confirmed void taken off beside a box's that was declined", decision(),
         asked("'key:1'", box="1"), decision(waiting=ASKED, decided="declined"), BACK, name="round_facts_frozen"),
    case("tables_round", "round_kept", "a void declined once and confirmed when asked for again",
         decision(decided="declined"), asked("'key:1'"), decision(waiting=ASKED), BACK, name="round_facts_frozen"),
    case("tables_round", "round_kept", "other cards with a declined void", decision(decided="declined"),
         BACK.replace("problem", "flop = '2c3c4c', problem"), name="round_facts_frozen"),
    case("tables_box", "box_frozen", "a void beside the round's that was declined", decision(decided="declined"),
         "UPDATE tables_box SET void_reason = '' WHERE round_id = %(waiting)s AND box = 2"),
    case("tables_box", "box_frozen", "a void that nobody declined",
         "UPDATE tables_box SET void_reason = '' WHERE round_id = %(locked)s AND void_reason <> ''"),
]  # fmt: skip
