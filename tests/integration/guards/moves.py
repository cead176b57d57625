# ruff: noqa: S608 — the SQL is a test's own words
"""The guards of `jackpot/migrations/sql/moves.sql`: pots change by what two people decided, and where they did."""

from tests.integration.guards.cases import Case, add, append_only, case
from tests.integration.guards.chain import ADVANCED, link
from tests.integration.guards.changes import BY_OTHER, REF, asked, decision
from tests.integration.guards.ledger import NEW, account, entry, last_row, legs, row_of

METER = account("meter")
STATE = "jackpot_jackpotstatechange"


def posted(kind: str, row: str, amount: int = 5, *, ref: str = REF, pk: int = NEW) -> tuple[str, ...]:
    """An entry of a kind with one row of the meter."""
    return (
        entry(2, pk=pk, kind=f"'{kind}'", source_ref=ref, actor=BY_OTHER),
        row_of("meter", amount),
        legs((1, amount), (2, -amount), of=pk, second=METER),
        last_row(entry_id=pk, kind=f"'{row}'", amount=amount, after=f"found.after + {amount}"),
    )


def approved(kind: str, row: str, amount: int = 5) -> tuple[str, ...]:
    """The same as a request asked for it and another person approved it, sealed."""
    return asked(kind), *posted(kind, row, amount), decision("approved"), link(), ADVANCED


ADJUSTED = approved("adjustment", "adjustment")
"""What the books take, beside which the cases below differ by one thing each."""

RETIRED = (
    # As its owner, past the guards: the jackpot as its retirement left it.
    "SET LOCAL session_replication_role = replica",
    "UPDATE jackpot_jackpot SET state = 'retired', state_since = now() - interval '1 hour' WHERE id = %(jackpot)s",
    "SET LOCAL session_replication_role = origin",
)


def state_change(before: str, after: str, **values: str | int) -> str:
    columns: dict[str, str | int] = {
        "jackpot_id": "%(jackpot)s", "before": f"'{before}'", "after": f"'{after}'", "at": "now()",
        "by_id": "%(user)s", "note": "''",
    }  # fmt: skip
    return add(STATE, **columns | values)


def stands(state: str) -> str:
    return f"UPDATE jackpot_jackpot SET state = '{state}', state_since = now() WHERE id = %(jackpot)s"


SUSPENDED = (state_change("active", "suspended"), stands("suspended"))
"""A suspension as the books take it."""


def row(label: str, *statements: str, name: str = "row_of_change") -> Case:
    return case("jackpot_statementrow", "row_of_change", label, *statements, name=name)


def in_lane(label: str, *statements: str, name: str = "change_in_lane") -> Case:
    return case("jackpot_link", "change_in_lane", label, *statements, name=name)


def state(label: str, *statements: str, name: str = "jackpot_state_follows") -> Case:
    return case(STATE, "jackpot_state_follows", label, *statements, name=name)


ROWS: list[Case] = [
    *(row(f"{kind} by a settlement", *posted("settlement", kind), name="row_of_change")
      for kind in ("adjustment", "transfer_in", "transfer_out")),
    row("an adjustment by a transfer", *posted("transfer", "adjustment")),
    row("a transfer by an adjustment", *posted("adjustment", "transfer_in")),
    row("in that goes out", *posted("transfer", "transfer_in", -5)),
    row("out that comes in", *posted("retirement", "transfer_out")),
    *(row(f"{kind} into a retired jackpot", *RETIRED, *posted(entry_kind, kind), name="jackpot_retired")
      for entry_kind, kind in (("lockout", "contribution"), ("adjustment", "adjustment"), ("transfer", "transfer_in"))),
]  # fmt: skip

ENTRIES: list[Case] = [
    in_lane("a contribution by an adjustment", asked(), *posted("adjustment", "void"), decision("approved"), link()),
    in_lane("more beside an adjustment", *ADJUSTED,
            *posted("adjustment", "adjustment", ref=f"{REF} || ':in'", pk=NEW + 1), link()),
    in_lane("a second part in the same lane", asked("transfer"), *posted("transfer", "transfer_out", -5),
            decision("approved"), link(), ADVANCED,
            *posted("transfer", "transfer_in", ref=f"{REF} || ':in'", pk=NEW + 1), link()),
    in_lane("a third part", asked("transfer"), entry(0, kind="'transfer'", source_ref=REF, actor=BY_OTHER),
            decision("approved"), entry(0, pk=NEW + 1, kind="'transfer'", source_ref=f"{REF} || ':out'"), link()),
    in_lane("in another lane than it was asked of", asked(),
            entry(0, kind="'adjustment'", source_ref=REF, actor=BY_OTHER, lane_id="%(site_lane)s",
                  link_seq="(SELECT sealed + 1 FROM jackpot_lane WHERE id = %(site_lane)s)"),
            decision("approved"),
            link(lane_id="%(site_lane)s", seq="(SELECT sealed + 1 FROM jackpot_lane WHERE id = %(site_lane)s)",
                 previous="(SELECT head FROM jackpot_lane WHERE id = %(site_lane)s)")),
    in_lane("bets locked out at a retired jackpot", *RETIRED, entry(2, kind="'lockout'"), legs((1, 5), (2, -5)), link(),
            name="jackpot_retired"),
    case("jackpot_changedecision", "transfer_whole", "half of it", *approved("transfer", "transfer_out", -5)),
    case("jackpot_changedecision", "transfer_whole", "out of nothing", *approved("retirement", "transfer_in")),
]  # fmt: skip

STATES: list[Case] = [
    *append_only(STATE, "note = 'other'"),
    state("from where it is not", state_change("suspended", "active")),
    state("to where it is", state_change("active", "active")),
    state("straight to retired", state_change("active", "retired")),
    state("retired by one person", *SUSPENDED, state_change("suspended", "retired"), name="jackpot_retired_by_two"),
    state("retired by a request that nobody approved", *SUSPENDED, asked("retirement"),
          state_change("suspended", "retired", request_id="%(new)s"), name="jackpot_retired_by_two"),
    state("retired by an adjustment", *SUSPENDED, *ADJUSTED,
          state_change("suspended", "retired", request_id="%(new)s", by_id="%(other)s"), name="jackpot_retired_by_two"),
    state("suspended by a request", asked(), state_change("active", "suspended", request_id="%(new)s"),
          name="jackpot_retired_by_two"),
    case(STATE, "jackpot_state_as_changed", "and the jackpot not", state_change("active", "suspended")),
    case("jackpot_jackpot", "jackpot_state_kept", "without a word", stands("suspended"),
         name="jackpot_state_as_changed"),
    case("jackpot_jackpot", "jackpot_state_kept", "a new one that begins suspended",
         "INSERT INTO jackpot_jackpot SELECT made.* FROM jackpot_jackpot AS found, jsonb_populate_record(found,"
         """ '{"id": 0, "code": "X", "state": "suspended"}') AS made WHERE found.id = %(jackpot)s""",
         name="jackpot_state_as_changed"),
    *(case("jackpot_jackpot", "jackpot_retired", f"{after} again", *RETIRED, stands(after))
      for after in ("active", "suspended", "retired")),
]  # fmt: skip

MOVES = [*ROWS, *ENTRIES, *STATES]
