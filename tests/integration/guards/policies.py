"""The guards of `jackpot/migrations/sql/policies.sql`: versions of a policy, and the terms a reset brings."""

from tests.integration.guards.cases import Case, add, append_only, case
from tests.integration.guards.chain import ADVANCED, METER, link
from tests.integration.guards.changes import asked, decision, record
from tests.integration.guards.ledger import NEW, entry, last_row, legs

VERSION = NEW
RESET = NEW + 1
DOCUMENT = '(SELECT document || \'{"stake": "2.00"}\' FROM jackpot_policyversion WHERE jackpot_id = %(jackpot)s)'
TERMS = "(SELECT jsonb_set(terms, '{main,base}', '7') FROM jackpot_policyversion WHERE jackpot_id = %(jackpot)s)"
CHANGE = "(SELECT id FROM jackpot_changedecision WHERE request_id = %(new)s)"
AGREED = (asked("policy", DOCUMENT), record("policy"), decision("approved"))


def version(**changes: str | int) -> str:
    columns: dict[str, str | int] = {
        "id": VERSION, "jackpot_id": "%(jackpot)s", "version": 2, "document": DOCUMENT, "terms": TERMS,
        "in_force_at": "now()", "change_id": CHANGE,
    }  # fmt: skip
    return add("jackpot_policyversion", **columns | changes)


def level(**changes: str | int) -> str:
    """The level stands as after a reset that put 5 in and brought the terms of version 2."""
    columns: dict[str, str | int] = {
        "meter": "meter + 5", "meter_seq": "meter_seq + 1", "reset_seq": "meter_seq + 1", "policy_id": VERSION,
        "base": 7,
    }  # fmt: skip
    return f"UPDATE jackpot_level SET {', '.join(f'{k} = {v}' for k, v in (columns | changes).items())}"  # noqa: S608


def terms(entry_id: int | str = RESET) -> str:
    return add("jackpot_termschange", level_id="%(level)s", policy_id=VERSION, entry_id=entry_id)


APPROVED = (*AGREED, version(), link(), ADVANCED)
POSTED = (
    entry(2, pk=RESET, kind="'reset'", source_ref="'another'"),
    legs((1, 5), (2, -5), of=RESET, second=METER),
    level(),
    last_row(entry_id=RESET, amount=5, kind="'reset'", after="found.after + 5"),
)
BROUGHT = (*APPROVED, *POSTED, terms(), link(), ADVANCED)
"""What the books take, beside which the cases below differ by one thing each."""


def follows(label: str, *statements: str) -> Case:
    return case("jackpot_policyversion", "policy_follows", label, *statements)


def approved(label: str, *statements: str) -> Case:
    return case("jackpot_policyversion", "policy_follows", label, *statements, name="policy_approved")


def stands(label: str, **changes: str | int) -> Case:
    return case("jackpot_level", "level_terms", label, *APPROVED, level(**changes))


def reset_by(label: str, *statements: str) -> Case:
    return case("jackpot_termschange", "terms_of_reset", label, *statements)


POLICIES: list[Case] = [
    *append_only("jackpot_termschange", "policy_id = 0"),
    follows("with a gap", *AGREED, version(version=3)),
    follows("once more", *AGREED, version(version=1)),
    follows("in force before the last one", *AGREED, version(in_force_at="'2019-01-01Z'::timestamptz")),
    follows("without levels", *AGREED, version(terms="'{}'")),
    follows("with another level", *AGREED, version(terms="jsonb_build_object('other', '{}'::jsonb)")),
    approved("by nobody", version(change_id="NULL")),
    approved("refused", asked("policy", DOCUMENT), record(), decision("refused"), version()),
    approved("of another kind", asked("adjustment", DOCUMENT), record("adjustment"), decision("approved"), version()),
    approved("another document", *AGREED, version(document="'{}'")),
    approved("in force before the approval", *AGREED, version(in_force_at="now() - interval '1 second'")),
    approved("in force after the approval", *AGREED, version(in_force_at="now() + interval '1 second'")),
    approved("the first one, changed",
             *AGREED, "SET LOCAL session_replication_role = replica", "DELETE FROM jackpot_policyversion",
             "SET LOCAL session_replication_role = origin",
             version(version=1, document="'{}'", terms="'{}'")),
    case("jackpot_changedecision", "policy_carried_out", "approved and not there", *AGREED, link(), ADVANCED),
    stands("without a reset", meter="meter", meter_seq="meter_seq", reset_seq="reset_seq"),
    stands("without a reset, with a hit", meter="meter", meter_seq="meter_seq", reset_seq="reset_seq", hits="hits + 1"),
    stands("another base than approved", base=8),
    stands("another rate than approved", increment_ppm=1),
    stands("another reserve rate than approved", reserve_ppm=1),
    stands("another limit than approved", **{'"limit"': "NULL"}),
    stands("the version alone", base="base"),
    stands("of no version", policy_id=0),
    case("jackpot_level", "level_terms", "back to the version before", *BROUGHT,
         level(policy_id="(SELECT min(id) FROM jackpot_policyversion)", base="base")),
    case("jackpot_level", "terms_recorded", "and nobody knows by which reset", *APPROVED, *POSTED, link(), ADVANCED),
    reset_by("an entry of another kind", *APPROVED, entry(0, pk=RESET, kind="'restore'"), level(), terms()),
    reset_by("an entry that is sealed", *APPROVED, level(), terms("%(entry)s")),
    reset_by("a level that is not run by them", *APPROVED, entry(0, pk=RESET, kind="'reset'"), terms()),
    case("jackpot_termschange", "terms_change_once", "twice", *APPROVED, *POSTED, terms(),
         entry(0, pk=RESET + 1, kind="'reset'", source_ref="'twice'"), terms(RESET + 1)),
]  # fmt: skip
