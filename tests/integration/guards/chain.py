# ruff: noqa: S608 — the SQL is a test's own words
"""The guards of `jackpot/migrations/sql/chain.sql`: what is sealed is complete, and stays as it was sealed."""

from tests.integration.guards.cases import Case, add, append_only, case, copy
from tests.integration.guards.ledger import LANE, NEW, NEXT, account, entry, last_row, legs, row_of

METER = account("meter")
RESERVE = account("reserve")
OWED = account("awards")
BALANCED = (entry(2), legs((1, 5), (2, -5)))
TO_METER = (entry(2), legs((1, 5), (2, -5), second=METER))
TO_AWARDS = (entry(2), legs((1, 5), (2, -5), second=OWED))
ADVANCED = (
    "UPDATE jackpot_lane SET sealed = last.seq, head = last.digest FROM jackpot_link AS last"
    " WHERE last.lane_id = %(lane)s AND last.seq = sealed + 1 AND jackpot_lane.id = %(lane)s"
)
PAYS = {
    "no award": "'award:' || %(new)s::text",
    "what is no award's name": "'award:x'",
    "an award that is not paid": "'award:' || %(envy)s::text",
}


def link(**values: str | int) -> str:
    head = f"(SELECT head FROM jackpot_lane WHERE {LANE})"
    columns: dict[str, str | int] = {"lane_id": "%(lane)s", "seq": NEXT, "previous": head, "posted_at": "now()"}
    return add("jackpot_link", **columns | values)


def lane(change: str) -> str:
    return f"UPDATE jackpot_lane SET {change} WHERE {LANE}"


def award(**changes: str | int | None) -> str:
    return copy("jackpot_award", "found.id = %(award)s", id="%(new)s", entry_id=NEW, **changes)


def payment(reference: str) -> tuple[str, ...]:
    return entry(2, kind="'award_paid'", source_ref=reference), legs((1, -5), (2, 5), second=OWED), link()


COMPLETE = [
    (*BALANCED, link(), ADVANCED),
    (*BALANCED, link(digest=f"jackpot_link_digest(%(lane)s, {NEXT}, (SELECT head FROM jackpot_lane WHERE {LANE}))"),
     ADVANCED),
    (row_of("meter", 5), *TO_METER, last_row(entry_id=NEW, amount=5, kind="'void'", after="found.after + 5"),
     link(), ADVANCED),
    (*TO_AWARDS, award(amount=5, position=1), link(), ADVANCED),
]  # fmt: skip
"""What the books take, beside which the cases below differ by one thing each."""

LINKS: list[Case] = [
    case("jackpot_entry", "entry_in_time", "into the last link", entry(2, link_seq=f"{NEXT} - 1")),
    case("jackpot_entry", "entry_in_time", "into a link to come", entry(2, link_seq=f"{NEXT} + 1")),
    case("jackpot_entry", "entry_in_time", "into the link just sealed", *BALANCED, link(),
         entry(0, pk=NEW + 1, source_ref="'another'")),
    case("jackpot_entry", "entry_sealed", "never", *BALANCED),
    case("jackpot_entry", "entry_of_known", "of no lane", entry(2, lane_id=0)),
    case("jackpot_entry", "entry_of_known", "of no integrator", entry(2, integrator_id=0)),
    case("jackpot_entry", "entry_of_known", "taking nothing back", entry(2, reverses_id=0)),
    case("jackpot_link", "link_seals", "a gap", *BALANCED, link(seq=f"{NEXT} + 1"), name="link_follows"),
    case("jackpot_link", "link_seals", "another previous", *BALANCED, link(previous="sha256('')"), name="link_follows"),
    case("jackpot_link", "link_seals", "of no lane", *BALANCED, link(lane_id=0), name="link_follows"),
    case("jackpot_link", "link_seals", "of nothing", link(), name="link_follows"),
    case("jackpot_link", "link_seals", "another digest", *BALANCED, link(digest="sha256('')"), name="link_digest"),
    case("jackpot_link", "link_seals", "no legs", entry(2), link(), name="entry_legs_missing"),
    case("jackpot_link", "link_is_head", "beside the head", *BALANCED, link()),
    case("jackpot_link", "chain_link_once", "a second one in its place",
         # As its owner, past the guards: two workers at once, neither of which sees the other's link.
         "SET LOCAL session_replication_role = replica",
         copy("jackpot_link", "found.id = %(link)s", id="nextval('jackpot_link_id_seq')")),
    case("jackpot_lane", "lane_head", "another head", lane("head = sha256('')")),
    case("jackpot_lane", "lane_head", "a head to come", *BALANCED, link(), lane("sealed = sealed + 1")),
    case("jackpot_lane", "lane_head", "one link back",
         lane("sealed = sealed - 1, head = (SELECT previous FROM jackpot_link WHERE id = %(link)s)")),
    case("jackpot_lane", "lane_begins", "with a link",
         copy("jackpot_site", "found.id = %(site)s", id=0, code="'other'"),
         add("jackpot_lane", sealed=1, head="decode(repeat('00', 32), 'hex')", site_id=0), name="lane_head"),
]  # fmt: skip

STATED: list[Case] = [
    case("jackpot_link", "link_seals", "a pot's leg without its row", *TO_METER, link(), name="pots_as_stated"),
    case("jackpot_link", "link_seals", "a pot's row without its leg",
         row_of("meter", 1), entry(0), last_row(entry_id=NEW), link(), name="pots_as_stated"),
    case("jackpot_link", "link_seals", "a pot's row of another amount",
         row_of("meter", 1), *TO_METER, last_row(entry_id=NEW), link(), name="pots_as_stated"),
    case("jackpot_link", "link_seals", "another pot's leg",
         row_of("meter", 5), entry(2), legs((1, 5), (2, -5), second=RESERVE),
         last_row(entry_id=NEW, amount=5, after="found.after + 5"), link(), name="pots_as_stated"),
    case("jackpot_link", "link_seals", "an account of no pot",
         copy("jackpot_account", "found.id = %(account)s", id=0, code="'overflow:other:main'"),
         entry(2), legs((1, 5), (2, -5), second="0"), link(), name="pots_as_stated"),
    case("jackpot_statementrow", "statement_chain", "of a sealed entry", last_row(), name="statement_in_time"),
    case("jackpot_statementrow", "statement_chain", "of an entry just sealed", *BALANCED, link(), row_of("meter", 1),
         last_row(entry_id=NEW), name="statement_in_time"),
    case("jackpot_link", "link_seals", "a credit for no award", *TO_AWARDS, link(), name="awards_as_owed"),
    case("jackpot_link", "link_seals", "an award without its credit", entry(0), award(position=1), link(),
         name="awards_as_owed"),
    case("jackpot_link", "link_seals", "an award of another amount", *TO_AWARDS, award(position=1, amount=6), link(),
         name="awards_as_owed"),
    *(case("jackpot_link", "link_seals", f"a payment of {label}", *payment(reference), name="awards_as_owed")
      for label, reference in PAYS.items()),
    case("jackpot_link", "link_seals", "a payment of another amount",
         # As its owner, past the guards: an award that came to be paid.
         "SET LOCAL session_replication_role = replica",
         "UPDATE jackpot_award SET state = 'paid' WHERE id = %(award)s",
         "SET LOCAL session_replication_role = origin", *payment("'award:' || %(award)s::text"), name="awards_as_owed"),
    case("jackpot_link", "link_seals", "a payment of nothing, and of no award",
         entry(0, kind="'award_paid'", source_ref=PAYS["no award"]), link(), name="awards_as_owed"),
    case("jackpot_award", "award_in_time", "of a sealed entry",
         copy("jackpot_award", "found.id = %(award)s", id="%(new)s", position=99)),
    case("jackpot_award", "award_in_time", "of an entry just sealed", *BALANCED, link(), award(position=1)),
    case("jackpot_award", "award_in_time", "one of nothing, of a sealed entry",
         copy("jackpot_award", "found.id = %(award)s", id="%(new)s", position=99, amount=0)),
]  # fmt: skip

TERMS = {"base": "base + 1", "increment_ppm": "increment_ppm + 1", "reserve_ppm": "reserve_ppm + 1", '"limit"': "NULL"}
TOTALS = {
    "wagered less": "wagered = wagered - 1",
    "contributed more": "contributed = contributed + 1",
    "contributed more, and wagered": "contributed = contributed + 1, wagered = wagered + 1000000",
    "contributed less": "contributed = contributed - 1",
    "awarded more": "awarded = awarded + 1",
    "awarded less": "awarded = awarded - 1",
    "hits less": "hits = hits - 1",
    "a reset that was not": "reset_seq = meter_seq, reset_at = now()",
    "a reset that is not yet": "reset_seq = meter_seq + 1, hits = hits + 1",
    "a reset less": "reset_seq = reset_seq - 1, hits = hits + 1",
    "reset later": "reset_at = now()",
    "reset earlier": "reset_at = reset_at - interval '1 day', hits = hits + 1",
    "never reset": "reset_at = NULL, hits = hits + 1",
}

LEVELS: list[Case] = [
    *(case("jackpot_level", "level_terms", column, f"UPDATE jackpot_level SET {column} = {value} WHERE id = %(level)s")
      for column, value in TERMS.items()),
    *(case("jackpot_level", "level_equals_statement", label, f"UPDATE jackpot_level SET {change} WHERE id = %(level)s",
           name="level_totals") for label, change in TOTALS.items()),
    case("jackpot_level", "level_equals_statement", "a new level that begins with totals",
         copy("jackpot_level", "found.id = %(level)s", id=0, code="'other'", meter=0, reserve=0, overflow=0,
              meter_seq=0, reserve_seq=0, overflow_seq=0, reset_seq=0), name="level_totals"),
]  # fmt: skip

KEPT: list[Case] = [
    *(case("jackpot_site", "site_kept", column, f"UPDATE jackpot_site SET {column} = {value} WHERE id = %(site)s")
      for column, value in (("id", "0"), ("code", "'other'"))),
    *(case("jackpot_jackpot", "jackpot_kept", column,
           f"UPDATE jackpot_jackpot SET {column} = {value} WHERE id = %(jackpot)s")
      for column, value in (("id", "0"), ("code", "'other'"), ("currency_code", "'EUR'"), ("home_site_id", "0"))),
    *(case("jackpot_lane", "lane_kept", label, lane(change))
      for label, change in (("id", "id = 0"), ("jackpot", "jackpot_id = 0"),
                            ("a site's", "jackpot_id = NULL, site_id = 0"))),
    *append_only("jackpot_lane"),
    *append_only("jackpot_integrator"),
    case("jackpot_integrator", "integrator_kept", "id", "UPDATE jackpot_integrator SET id = 0"),
]  # fmt: skip

CHAIN = [*LINKS, *STATED, *LEVELS, *KEPT]
