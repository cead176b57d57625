# ruff: noqa: S608 — the SQL is a test's own words
"""The guards of `jackpot/migrations/sql/closings.sql` and of `reading_signatures.sql`.

Their world has a site with a jackpot, whose day `%(day)s` is closed as the first, `%(next)s` open, over, and to be
closed; and a reading that is off.
"""

from collections.abc import Iterator

from tests.integration.guards.cases import Case, add, append_only, case, copy

ENTRY, CLOSING = 900_000_001, 900_000_002
LANE = "(SELECT id FROM jackpot_lane WHERE site_id = %(site)s)"
BEFORE = "(SELECT id FROM jackpot_gamingday WHERE site_id = %(site)s AND day = %(day)s)"
TODAY = "(SELECT id FROM jackpot_gamingday WHERE site_id = %(site)s AND day = %(next)s)"
LAST = "(SELECT id FROM jackpot_closing WHERE gaming_day_id = " + BEFORE + ")"


def entry(**values: str | int) -> str:
    columns: dict[str, str | int] = {
        "id": ENTRY, "lane_id": LANE, "link_seq": f"(SELECT sealed + 1 FROM jackpot_lane WHERE id = {LANE})",
        "kind": "'day_closed'", "source_ref": "'day:CLOSED:' || to_char(%(next)s::date, 'YYYY-MM-DD')",
        "table_ref": "''", "leg_count": 0, "event_at": "now()", "posted_at": "now()", "actor": "''", "reason": "''",
    }  # fmt: skip
    return add("jackpot_entry", **columns | values)


LINK = (
    "INSERT INTO jackpot_link (lane_id, seq, previous, posted_at) SELECT id, sealed + 1, head, now() FROM jackpot_lane"
    f" WHERE id = {LANE}"
)
HEAD = (
    "UPDATE jackpot_lane AS lane SET sealed = link.seq, head = link.digest FROM jackpot_link AS link"
    f" WHERE link.lane_id = lane.id AND link.seq = lane.sealed + 1 AND lane.id = {LANE}"
)
SEAL = (LINK, HEAD)


def closing(**values: str | int) -> str:
    columns: dict[str, str | int] = {
        "id": CLOSING, "gaming_day_id": TODAY, "previous_id": LAST, "entry_id": ENTRY, "closed_at": "now()",
        "pots": "(SELECT pots FROM lines)", "accounts": "(SELECT accounts FROM lines)",
        "unpaid": "(SELECT unpaid FROM lines)", "rounds": "'[]'",
    }  # fmt: skip
    counted = (
        "WITH lines AS (SELECT pots, accounts, unpaid FROM jackpot_closing WHERE id = (SELECT max(id) FROM"
        f" jackpot_closing WHERE gaming_day_id = {BEFORE})) "
    )
    return counted + add("jackpot_closing", **columns | values)


def lines(table: str, **changes: str | int) -> str:
    """The lines of the closing before, as they stand when nothing moved since; with changes."""
    still: dict[str, str | int | None] = {"id": f"nextval('{table}_id_seq')", "closing_of_id": CLOSING}
    where = f"found.closing_of_id = {LAST}"
    return copy(table, where, **still | changes)


KINDS: dict[str, str | int] = dict.fromkeys(
    ("contribution", "award", "award_returned", "reset", "restore", "overflow_in", "void", "adjustment", "transfer_in",
     "transfer_out", "correction"),
    0,
)  # fmt: skip
STILL: dict[str, str | int] = {"opening": "found.closing", **KINDS}
"""A pot in whose day nothing happened."""
STILL_BOOKED: dict[str, str | int] = {"opening": "found.closing", "debits": 0, "credits": 0}
POTS = lines("jackpot_potclosing", **STILL)
ACCOUNTS = lines("jackpot_accountclosing", **STILL_BOOKED)
UNPAID = lines("jackpot_unpaidaward")
DAY = f"UPDATE jackpot_gamingday SET closed_at = now() WHERE id = {TODAY}"

COMPLETE_CLOSING = (entry(), *SEAL, closing(), POTS, ACCOUNTS, UNPAID, DAY)
"""A closing of the day after, in which nothing happened: the cases differ from it by one thing each."""


def without(*left_out: str, instead: tuple[str, ...] = ()) -> tuple[str, ...]:
    return (*(one for one in COMPLETE_CLOSING if one not in left_out), *instead)


def one_pot(**changes: str | int) -> tuple[str, ...]:
    """The closing with one pot, its reserve, changed."""
    changed = lines("jackpot_potclosing", **STILL | _where("found.pot = 'reserve'", STILL, changes))
    return tuple(changed if one == POTS else one for one in COMPLETE_CLOSING)


def one_account(**changes: str | int) -> tuple[str, ...]:
    """The closing with one account, the house's, changed."""
    house = "(SELECT id FROM jackpot_account WHERE starts_with(code, 'house:') AND site_id = %(site)s)"
    where = _where(f"found.account_id = {house}", STILL_BOOKED, changes)
    changed = lines("jackpot_accountclosing", **STILL_BOOKED | where)
    return tuple(changed if one == ACCOUNTS else one for one in COMPLETE_CLOSING)


def _where(condition: str, still: dict[str, str | int], changes: dict[str, str | int]) -> dict[str, str | int]:
    """Changes for one line only; the others stay as they are."""
    return {
        name: f"CASE WHEN {condition} THEN ({value})::text ELSE ({still.get(name, f'found.{name}')})::text END"
        for name, value in changes.items()
    }


def of_closing() -> Iterator[Case]:
    for table, change in (
        ("jackpot_closing", "rounds = '[1]'"), ("jackpot_potclosing", "seq = seq + 1"),
        ("jackpot_accountclosing", "closing = 0"), ("jackpot_unpaidaward", "amount = 0"),
        ("jackpot_readingsignature", "note = 'other'"),
    ):  # fmt: skip
        yield from append_only(table, change)


def in_order() -> Iterator[Case]:
    table, guard = "jackpot_closing", "closing_in_order"
    earlier = add("jackpot_gamingday", site_id="%(site)s", day="%(next)s::date + 7", opened_at="now()")
    of_earlier = "(SELECT id FROM jackpot_gamingday WHERE site_id = %(site)s AND day = %(next)s::date + 7)"
    reference = "'day:CLOSED:' || to_char(%(next)s::date + 7, 'YYYY-MM-DD')"
    yield case(table, guard, "a day with an open one before it", earlier, entry(source_ref=reference), *SEAL,
               closing(gaming_day_id=of_earlier))  # fmt: skip
    yield case(table, guard, "a day that is closed", entry(), *SEAL, closing(gaming_day_id=BEFORE))
    for label, values in (("without the one before", {"previous_id": "NULL"}),):
        yield case(table, guard, label, entry(), *SEAL, closing(**values), name="closing_follows")
    for label, values in (
        ("of another day", {"source_ref": "'day:CLOSED:2020-01-01'"}), ("of another kind", {"kind": "'award_move'"}),
        ("posted at another time", {"posted_at": "now() - interval '1 s'"}),
    ):  # fmt: skip
        yield case(table, guard, f"sealed by an entry {label}", entry(**values), *SEAL, closing(),
                   name="closing_of_entry")  # fmt: skip
    yield case("jackpot_gamingday", "day_opened_in_order", "before one that is closed",
               add("jackpot_gamingday", site_id="%(site)s", day="%(day)s::date - 1", opened_at="now()"))  # fmt: skip
    yield case("jackpot_entry", "closing_of_entry", "without a closing", entry(), *SEAL)


def with_its_day() -> Iterator[Case]:
    name = "day_closed_with_closing"
    yield case("jackpot_gamingday", name, "without a closing", DAY)
    yield case("jackpot_closing", "closing_with_day_closed", "left open", *without(DAY), name=name)
    yield case("jackpot_gamingday", name, "at another time",
               *without(DAY, instead=(DAY.replace("now()", "now() + interval '1 s'"),)))  # fmt: skip
    yield case("jackpot_closing", "closing_once", "twice", *COMPLETE_CLOSING[:4], "SET LOCAL session_replication_role ="
               " replica", closing(id=CLOSING + 1, previous_id="NULL", entry_id=ENTRY + 1))  # fmt: skip


def as_the_books() -> Iterator[Case]:
    table, guard = "jackpot_closing", "closing_complete"
    for label, left_out in (("pots", POTS), ("accounts", ACCOUNTS), ("unpaid awards", UNPAID)):
        yield case(table, guard, f"without its {label}", *without(left_out))
    for lines_of in ("jackpot_potclosing", "jackpot_accountclosing", "jackpot_unpaidaward"):
        more = copy(lines_of, f"found.closing_of_id = {LAST}", id=f"nextval('{lines_of}_id_seq')", **{
            "jackpot_potclosing": {"pot": "'other' || found.id"},
            "jackpot_accountclosing": {"account_id": "%(elsewhere)s"},
            "jackpot_unpaidaward": {"award_id": "%(award)s"},
        }[lines_of])  # fmt: skip
        yield case(lines_of, "closing_lines", "one more", f"{more} LIMIT 1", name=guard)
    yield case("jackpot_potclosing", "pot_closing_once", "twice", *COMPLETE_CLOSING[:5], POTS)
    yield case("jackpot_accountclosing", "account_closing_once", "twice", *COMPLETE_CLOSING[:6], ACCOUNTS)
    yield case("jackpot_unpaidaward", "unpaid_award_once", "twice", *COMPLETE_CLOSING[:7], UNPAID)
    yield case("jackpot_potclosing", "pot_closing_foots", "a pot", *one_pot(closing="found.closing + 1"))
    yield case("jackpot_accountclosing", "account_closing_foots", "an account",
               *one_account(closing="found.closing + 1"))  # fmt: skip
    wrong = {
        "a pot that opens otherwise": ("closing_follows", one_pot(opening="found.closing + 1", void=-1)),
        "an account that opens otherwise": ("closing_follows", one_account(opening="found.closing + 1", credits=1)),
        "a pot the statement knows otherwise": (
            "closing_as_stated", one_pot(contribution=1, closing="found.closing + 1")),
        "another last row": ("closing_as_stated", one_pot(seq="found.seq - 1")),
        "an account the ledger knows otherwise": (
            "closing_as_booked", one_account(debits=1, closing="found.closing + 1")),
        "an award that is owed more": (
            "closing_as_owed", tuple(lines("jackpot_unpaidaward", amount="found.amount + 1") if one == UNPAID else one
                                     for one in COMPLETE_CLOSING)),
        "an award owed since tomorrow": (
            "closing_as_owed", tuple(lines("jackpot_unpaidaward", owed_day="%(next)s::date + 1") if one == UNPAID
                                     else one for one in COMPLETE_CLOSING)),
    }  # fmt: skip
    for label, (name, statements) in wrong.items():
        yield case(table, guard, label, *statements, name=name)


def signed(**values: str | int) -> str:
    columns: dict[str, str | int] = {
        "reading_id": "%(reading)s", "number": 2, "signed_by_id": "%(ben)s", "signed_at": "clock_timestamp()",
        "variance": "%(variance)s", "note": "''",
    }  # fmt: skip
    return add("jackpot_readingsignature", **columns | values)


SIGNED = (signed(),)


def signatures() -> Iterator[Case]:
    table = "jackpot_readingsignature"
    for label, values in (
        ("another variance", {"variance": "%(variance)s + 1"}), ("before the first", {"number": 3}),
        ("within its tolerance", {"reading_id": "%(exact)s", "number": 1, "variance": 0}),
        ("before it was entered", {"signed_at": "now()"}),
    ):  # fmt: skip
        yield case(table, "reading_variance", label, signed(**values))
    yield case(table, "reading_second_person", "the same person", signed(signed_by_id="%(ann)s"))
    past = "SET LOCAL session_replication_role = replica"
    yield case(table, "reading_signed_once", "the same number", past, signed(number=1))
    yield case(table, "reading_signed_by_two", "a third", past, signed(number=3))


CLOSINGS: list[Case] = [*of_closing(), *in_order(), *with_its_day(), *as_the_books(), *signatures()]
