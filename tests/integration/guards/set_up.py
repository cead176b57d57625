# ruff: noqa: S608 — the SQL is a test's own words
"""The guards of `openings.sql` and `set_up.sql`: what is set up is what two people stand for."""

from tests.integration.guards.cases import Case, add, append_only, case, copy
from tests.integration.guards.changes import BY_OTHER, REF, decision
from tests.integration.guards.ledger import NEW, entry, legs
from tests.integration.guards.policies import TERMS

LANE = "%(site_lane)s"
CHANGE = "(SELECT id FROM jackpot_changedecision WHERE request_id = %(new)s)"
POLICY = "(SELECT document FROM jackpot_policyversion WHERE jackpot_id = %(jackpot)s)"
SITE = "(SELECT code FROM jackpot_site WHERE id = %(site)s)"
JACKPOT = (
    f"""jsonb_build_object('jackpot', 'NEW', 'name', 'New', 'currency', 'USD', 'site', {SITE}, 'policy', {POLICY})"""
)
TABLE = f"""(SELECT jsonb_build_object('table', code, 'name', name, 'site', {SITE}, 'currency', 'USD',
    'rule_set', 'casino-progressive', 'jackpot', NULL) FROM tables_table WHERE id = %(table)s)"""
RULE_SET = "(SELECT rule_set_id FROM tables_table WHERE id = %(table)s)"
OLD = f"(SELECT document FROM tables_rulesetversion WHERE rule_set_id = {RULE_SET})"
RULES = f"{OLD} || '{{\"betting_seconds\": 9}}'"
VERSION = f"""jsonb_build_object('rule_set', 'casino-progressive', 'version', 2, 'in_force_at', NULL,
    'rules', {RULES})"""


def asked(kind: str, document: str) -> str:
    return add(
        "jackpot_changerequest", id="%(new)s", kind=f"'{kind}'", jackpot_id="NULL", site_id="%(site)s",
        subject="'s'", reason="'other'", note="'n'", document=document, before="'{}'", asked_by_id="%(user)s",
        asked_at="now()",
    )  # fmt: skip


def record(kind: str, lane: str = LANE, legs: int = 0) -> str:
    seq = f"(SELECT sealed + 1 FROM jackpot_lane WHERE id = {lane})"
    return entry(legs, kind=f"'{kind}'", source_ref=REF, actor=BY_OTHER, lane_id=lane, link_seq=seq)


def link(lane: str = LANE) -> str:
    of_lane = f"FROM jackpot_lane WHERE id = {lane}"
    return add("jackpot_link", lane_id=lane, seq=f"(SELECT sealed + 1 {of_lane})", previous=f"(SELECT head {of_lane})",
               posted_at="now()")  # fmt: skip


ADVANCED = (
    "UPDATE jackpot_lane SET sealed = last.seq, head = last.digest FROM jackpot_link AS last"
    f" WHERE last.lane_id = jackpot_lane.id AND last.seq = sealed + 1 AND jackpot_lane.id = {LANE}"
)


def agreed(kind: str, document: str) -> tuple[str, ...]:
    return asked(kind, document), record(kind), decision("approved"), link(), ADVANCED


NAMED = add("jackpot_jackpot", id=NEW, code="'NEW'", name="'New'", currency_code="'USD'", home_site_id="%(site)s",
            opened_at="now()", state="'active'", reading_tolerance=0)  # fmt: skip


def first(**changes: str | int) -> str:
    columns: dict[str, str | int] = {
        "id": NEW, "jackpot_id": NEW, "version": 1, "document": POLICY, "terms": TERMS, "in_force_at": "now()",
        "change_id": CHANGE,
    }  # fmt: skip
    return add("jackpot_policyversion", **columns | changes)


def setup(**changes: str | int) -> str:
    columns: dict[str, str | int] = {
        "table_id": "%(table)s", "number": 2, "rule_set_id": RULE_SET, "jackpot_id": "NULL", "lane_id": LANE,
        "in_force_at": "now()", "change_id": CHANGE,
    }  # fmt: skip
    return add("tables_tablesetup", **columns | changes)


def version(**changes: str | int) -> str:
    columns: dict[str, str | int] = {
        "rule_set_id": RULE_SET, "version": 2, "document": RULES, "in_force_at": "now()", "change_id": CHANGE,
    }  # fmt: skip
    return add("tables_rulesetversion", **columns | changes)


AS_ASKED = f"UPDATE tables_table SET jackpot_id = NULL, lane_id = {LANE}, set_up_at = now() WHERE id = %(table)s"
OPENING, SETTING, RULING = agreed("opening", JACKPOT), agreed("table", TABLE), agreed("rule_set", VERSION)
OPENED = (*OPENING, NAMED, first())
SET_UP_SO = (*SETTING, setup(), AS_ASKED)
REPLACED = (*RULING, version())
"""What the books take, beside which the cases below differ by one thing each."""


def opened(label: str, *statements: str) -> Case:
    return case("jackpot_policyversion", "policy_follows", f"opened {label}", *statements, name="policy_approved")


def follows(label: str, *statements: str) -> Case:
    return case("tables_tablesetup", "table_setup_follows", label, *statements)


def approved(label: str, *statements: str) -> Case:
    return case("tables_tablesetup", "table_setup_follows", label, *statements, name="table_approved")


def ruled(label: str, *statements: str) -> Case:
    return case("tables_rulesetversion", "rule_set_follows", label, *statements, name="rule_set_approved")


SOON = "now() + interval '1 second'"
IN_JACKPOTS_LANE = (asked("table", TABLE), record("table", "%(lane)s"), decision("approved"), link("%(lane)s"))

SET_UP: list[Case] = [
    case("jackpot_link", "change_of_site", "in a jackpot's lane", *IN_JACKPOTS_LANE),
    case("jackpot_link", "change_of_site", "with legs", asked("table", TABLE), record("table", legs=2),
         legs((1, 5), (2, -5)), decision("approved"), link()),
    opened("of another kind", *agreed("table", JACKPOT), NAMED, first()),
    opened("under another policy", *OPENING, NAMED, first(document="'{}'")),
    opened("by another name", *OPENING, NAMED.replace("'New'", "'Other'"), first()),
    opened("in force later", *OPENING, NAMED, first(in_force_at=SOON)),
    opened("funded later", *OPENING, NAMED.replace("now()", SOON), first()),
    case("jackpot_changedecision", "opening_carried_out", "approved and not there", *OPENING),
    *append_only("tables_tablesetup", "number = 7"),
    follows("with a gap", *SETTING, setup(number=3)),
    follows("once more", *SETTING, setup(number=1)),
    follows("in force before the last one", *SETTING, setup(in_force_at="'2019-01-01Z'::timestamptz")),
    follows("in a jackpot's lane", *SETTING, setup(lane_id="%(lane)s")),
    follows("linked, in its site's lane", *SETTING, setup(jackpot_id="%(jackpot)s")),
    case("tables_tablesetup", "table_setup_once", "beside another one", *SETTING,
         "SET LOCAL session_replication_role = replica", setup(number=1)),
    approved("by nobody", setup(change_id="NULL")),
    approved("of another kind", *agreed("rule_set", TABLE), setup()),
    approved("refused", asked("table", TABLE), record("declined"), decision("refused"), setup()),
    approved("other rules", *SETTING,
             setup(rule_set_id="(SELECT id FROM tables_ruleset WHERE code = 'practice')")),
    approved("another link", *SETTING, setup(jackpot_id="%(jackpot)s", lane_id="%(lane)s")),
    approved("in force later", *SETTING, setup(in_force_at=SOON)),
    approved("of another table", *SETTING,
             setup(table_id="(SELECT max(id) FROM tables_table WHERE id <> %(table)s)")),
    case("tables_tablesetup", "setup_of_table", "and the table is not so", *SETTING, setup(), name="table_as_set_up"),
    case("tables_table", "table_as_set_up", "otherwise than set up", AS_ASKED),
    case("tables_table", "table_as_set_up", "set up never",
         copy("tables_table", "found.id = %(table)s", id=-7, code="'T-77'")),
    case("jackpot_changedecision", "set_up_carried_out", "a table, approved and not there", *SETTING),
    case("jackpot_changedecision", "set_up_carried_out", "a rule set, approved and not there", *RULING),
    case("tables_rulesetversion", "rule_set_follows", "with a gap", *RULING, version(version=3)),
    case("tables_rulesetversion", "rule_set_follows", "in force before the last one", *RULING,
         version(in_force_at="'2019-01-01Z'::timestamptz")),
    ruled("by nobody", version(change_id="NULL")),
    ruled("of another kind", *agreed("table", VERSION), version()),
    ruled("refused", asked("rule_set", VERSION), record("declined"), decision("refused"), version()),
    ruled("another document", *RULING, version(document="'{}'")),
    ruled("of another rule set", *RULING,
          version(rule_set_id="(SELECT id FROM tables_ruleset WHERE code = 'practice')")),
    ruled("in force before the approval", *RULING, version(in_force_at="now() - interval '1 second'")),
    ruled("in force later", *RULING, version(in_force_at=SOON)),
    ruled("the first one, changed", *RULING,
          "INSERT INTO tables_ruleset (id, code, name) VALUES (-7, 'other', 'other')",
          version(rule_set_id=-7, version=1)),
]  # fmt: skip
