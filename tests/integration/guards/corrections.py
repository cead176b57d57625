"""The guards of `corrections.sql`, of both apps: what is settled changes by an approved correction, else never."""

from tests.integration.guards.awards import APPROVE, move, record, refused, stands
from tests.integration.guards.cases import Case, add, append_only, case, copy
from tests.integration.guards.chain import ADVANCED, award, link
from tests.integration.guards.changes import BY_OTHER, REF, decision
from tests.integration.guards.ledger import NEW, entry

SETTLED = "'round:' || %(settled)s::text"
SECOND = NEW + 1


def asked(version: int = 1, subject: str = SETTLED, before: str = "'{}'") -> str:
    return add(
        "jackpot_changerequest", id="%(new)s", kind="'correction'", jackpot_id="%(jackpot)s", site_id="%(site)s",
        subject=subject, reason="'other'", note="'n'", document=f"jsonb_build_object('version', {version})",
        before=before, asked_by_id="%(user)s", asked_at="now()",
    )  # fmt: skip


def mirror(ref: str = REF, *, pk: int = NEW, reverses: str = "%(entry)s") -> str:
    return entry(0, pk=pk, kind="'correction'", source_ref=ref, reverses_id=reverses, actor=BY_OTHER)


def version(ref: str = f"{SETTLED} || ':v2'", *, pk: int = SECOND, kind: str = "settlement") -> str:
    return entry(0, pk=pk, kind=f"'{kind}'", source_ref=ref)


BY_USER = entry(0, pk=SECOND, source_ref=f"{SETTLED} || ':v2'", actor="'user:' || %(user)s")
CARRIED_OVER = add(
    "jackpot_carriedaward", award_id="%(award)s", entry_id=SECOND, position=1, amount=1, hand="'royal_flush'"
)
APPROVED = (asked(), mirror(), version(), decision("approved"))
SEALED = (*APPROVED, link(), ADVANCED)
KEPT = (
    "INSERT INTO tables_superseded (round_id, version, document, settled_at, replaced_at, replaced_day, change_id)"
    " SELECT id, version, '{}', settled_at, clock_timestamp(), gaming_day, %(new)s FROM tables_round"
    " WHERE id = %(settled)s"
)
IN_FORCE = (
    "UPDATE tables_round SET version = 2, flop = '2c3c4c', settled_at = (SELECT replaced_at FROM tables_superseded"
    " WHERE round_id = %(settled)s) WHERE id = %(settled)s"
)
RESULTS = copy("tables_boxresult", "found.round_id = %(settled)s", version=2)
CORRECTED = (*SEALED, KEPT, "UPDATE tables_box SET player = 'other' WHERE round_id = %(settled)s AND box = 1",
             IN_FORCE, RESULTS)  # fmt: skip
"""What the books take, beside which the cases below differ by one thing each."""


def unapproved(label: str, *statements: str) -> Case:
    return case("jackpot_link", "correction_approved", label, *statements)


def kept(label: str, *statements: str) -> Case:
    return case("tables_superseded", "superseded_as_asked", label, *statements)


def carried(label: str, *before: str, **values: str | int) -> Case:
    columns: dict[str, str | int] = {
        "award_id": "%(award)s", "entry_id": SECOND, "position": 1, "amount": 1, "hand": "'royal_flush'",
    }  # fmt: skip
    made = add("jackpot_carriedaward", **columns | values)
    return case("jackpot_carriedaward", "award_carried", label, *before, made)


def frozen(label: str, change: str, name: str = "round_facts_frozen") -> Case:
    sql = IN_FORCE.replace("version = 2,", f"version = 2, {change},")
    return case("tables_round", "round_kept", f"a correction of {label}", *SEALED, KEPT, sql, name=name)


CORRECTIONS: list[Case] = [
    *append_only("jackpot_carriedaward", "amount = 0"),
    *append_only("tables_superseded", "document = '{}'"),
    unapproved("a reversal by itself", entry(0, kind="'adjusted'", reverses_id="%(entry)s"), link()),
    unapproved("a second version by itself", version(), link()),
    unapproved("a second reset by itself", version(f"{SETTLED} || ':v2:hit1'", kind="reset"), link()),
    unapproved("of another version", asked(2), mirror(), version(), decision("approved"), link()),
    unapproved("of another round", asked(subject="'round:' || %(void)s::text"), mirror(), version(),
               decision("approved"), link()),
    unapproved("without a reversal", asked(), mirror(reverses="NULL"), version(), decision("approved"), link()),
    unapproved("without a next version", asked(), mirror(), decision("approved"), link()),
    unapproved("with two versions", *APPROVED, version(f"{SETTLED} || ':v3'", pk=NEW + 2), link()),
    unapproved("with something else", *APPROVED, version("'award:x:1'", pk=NEW + 2, kind="award_move"), link()),
    unapproved("with the reversal of another round", *APPROVED,
               mirror(f"{REF} || ':2'", pk=NEW + 2, reverses="(SELECT max(id) FROM jackpot_entry WHERE kind = 'void')"),
               link()),
    carried("in its own entry", entry_id="%(entry)s"),
    carried("in an entry of another round", version("'round:' || %(void)s::text || ':v2'")),
    carried("in one that is no settlement", version(kind="reset")),
    carried("for more than it is worth", version(), amount="(SELECT amount + 1 FROM jackpot_award"
            " WHERE id = %(award)s)"),
    case("jackpot_carriedaward", "award_carried_once", "twice", version(), *[
        add("jackpot_carriedaward", award_id="%(award)s", entry_id=SECOND, position=1, amount=1, hand="''")] * 2),
    refused("award_move_follows", "decided by who asked for a version that it carried over into",
            BY_USER, CARRIED_OVER, record(), APPROVE, name="award_approvals"),
    case("jackpot_award", "award_difference", "to what is not paid", version(pk=NEW),
         award(difference_of_id="%(award)s")),
    refused("award_move_follows", "withdrawn by no correction", entry(0, kind="'award_move'", source_ref="'x'"),
            move("withdraw", "pending", "withdrawn", user_id="%(user)s"), name="award_move_of_entry"),
    refused("award_move_follows", "withdrawn by the correction of another round",
            asked(subject="'round:' || %(void)s::text"), mirror(),
            move("withdraw", "pending", "withdrawn", user_id="%(user)s"), name="award_move_of_entry"),
    case("jackpot_link", "link_seals", "an award withdrawn and still owed", *APPROVED,
         move("withdraw", "pending", "withdrawn", user_id="%(user)s"), stands("withdrawn"), link(),
         name="awards_as_owed"),
    kept("before it is approved", asked(), KEPT),
    kept("other facts than were asked about", asked(before="jsonb_build_object('a', 1)"), mirror(), version(),
         decision("approved"), link(), ADVANCED, KEPT),
    kept("another version", *SEALED, KEPT.replace("SELECT id, version", "SELECT id, 2")),
    kept("by nobody's request", KEPT),
    case("tables_superseded", "superseded_once", "twice", "SET LOCAL session_replication_role = replica", KEPT,
         KEPT.replace("%(new)s", "gen_random_uuid()")),
    case("jackpot_changedecision", "correction_carried_out", "approved and not carried out", *SEALED),
    case("jackpot_changedecision", "correction_carried_out", "kept and not carried out", *SEALED, KEPT),
    case("tables_round", "round_kept", "a second version without a correction",
         "UPDATE tables_round SET version = 2 WHERE id = %(settled)s", name="round_facts_frozen"),
    case("tables_round", "round_kept", "a third version at once", *SEALED, KEPT,
         IN_FORCE.replace("version = 2", "version = 3"), name="round_facts_frozen"),
    frozen("its day", "gaming_day = gaming_day - 1"),
    frozen("its start", "started_at = now()"),
    frozen("its lock-out", "locked_at = now()"),
    frozen("its policy", "policy_id = NULL"),
    frozen("its phase", "phase = 'void'", "round_settled"),
    case("tables_box", "box_frozen", "after a correction", *CORRECTED,
         "UPDATE tables_box SET player = 'third' WHERE round_id = %(settled)s"),
    case("tables_box", "box_frozen", "to another round by a correction", *SEALED,
         "UPDATE tables_box SET box = box + 50 WHERE round_id = %(settled)s"),
    case("tables_round", "round_results", "a correction without results", *SEALED, KEPT, IN_FORCE),
    case("tables_boxresult", "result_of_box", "a version without all its results", *SEALED, KEPT, IN_FORCE,
         f"{RESULTS} AND found.box = 1", name="results_once"),
]  # fmt: skip
