"""The guards of `jackpot/migrations/sql/change_requests.sql`: nothing that needs two people is done by one."""

from tests.integration.guards.cases import Case, add, append_only, case
from tests.integration.guards.chain import ADVANCED, link
from tests.integration.guards.ledger import NEW, entry

REF = "'change:' || %(new)s::text"
BY_OTHER = "'user:' || %(other)s"
BY_USER = "'user:' || %(user)s"


def asked(kind: str = "adjustment", document: str = "'{}'") -> str:
    return add(
        "jackpot_changerequest", id="%(new)s", kind=f"'{kind}'", jackpot_id="%(jackpot)s", site_id="%(site)s",
        subject="'s'", reason="'other'", note="'n'", document=document, before="'{}'", asked_by_id="%(user)s",
        asked_at="now()",
    )  # fmt: skip


def decision(name: str, by: str = "%(other)s", **changes: str | int) -> str:
    columns: dict[str, str | int] = {
        "request_id": "%(new)s", "decision": f"'{name}'", "by_id": by, "at": "now()", "note": "''", "entry_id": NEW,
    }  # fmt: skip
    return add("jackpot_changedecision", **columns | changes)


def record(kind: str = "declined", ref: str = REF, actor: str = BY_OTHER, legs: int = 0) -> str:
    return entry(legs, kind=f"'{kind}'", source_ref=ref, actor=actor)


DECLINED = (asked(), record(), decision("refused"), link(), ADVANCED)
"""What the books take, beside which the cases below differ by one thing each."""


def person(label: str, *statements: str) -> Case:
    return case("jackpot_changedecision", "change_decided", label, *statements, name="change_second_person")


def sealed(label: str, *statements: str) -> Case:
    return case("jackpot_changedecision", "change_decided", label, *statements, name="change_of_entry")


def unasked(label: str, *statements: str) -> Case:
    return case("jackpot_link", "change_approved", label, *statements)


CHANGES: list[Case] = [
    *append_only("jackpot_changerequest", "note = 'other'"),
    *append_only("jackpot_changedecision", "note = 'other'"),
    person("approved by who asked", asked(), record("adjustment", actor=BY_USER), decision("approved", "%(user)s")),
    person("refused by who asked", asked(), record(actor=BY_USER), decision("refused", "%(user)s")),
    person("withdrawn by another", asked(), record(), decision("withdrawn")),
    sealed("approved with an entry that only records", asked(), record(), decision("approved")),
    sealed("refused with an entry that carries out", asked(), record("adjustment"), decision("refused")),
    sealed("approved with an entry of another kind", asked(), record("transfer"), decision("approved")),
    sealed("with an entry of another reference", asked(), record(ref="'change:x'"), decision("refused")),
    sealed("with an entry of another person", asked(), record(actor="'user:0'"), decision("refused")),
    sealed("refused with legs", asked(), record(legs=2), decision("refused")),
    sealed("with an entry that is sealed", asked(), record("award_move"), link(), decision("refused")),
    *(unasked(f"{kind} without a request", record(kind), link()) for kind in
      ("policy", "adjustment", "transfer", "retirement", "correction", "opening", "table", "rule_set", "declined")),
    unasked("asked and not decided", asked(), record("adjustment"), link()),
    unasked("more than was approved", asked(), record(), decision("refused"),
            entry(0, pk=NEW + 1, kind="'adjustment'", source_ref=f"{REF} || ':2'"), link()),
]  # fmt: skip
