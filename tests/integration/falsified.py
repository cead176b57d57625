# ruff: noqa: S608 — the SQL is a test's own words
"""Falsifications: what an owner of the database can do with every guard off, and how `verify` must name it.

A case is the statements, in which `{names}` of `PLACES` stand for one thing each, and a pattern that one of the
differences must fit: what differs, where. Everything is found in the evening of `tests.integration.test_verify`.
"""

from typing import NamedTuple


class Case(NamedTuple):
    named: str
    sql: tuple[str, ...]


def case(named: str, *sql: str) -> Case:
    return Case(named, sql)


PLACES = {
    "royal": "(SELECT id FROM tables_round WHERE external_id = 'royal')",
    "low": "(SELECT id FROM tables_round WHERE external_id = 'low')",
    "void": "(SELECT id FROM tables_round WHERE external_id = 'void')",
    "lane": "(SELECT id FROM jackpot_lane WHERE jackpot_id IS NOT NULL)",
    "hit": "(SELECT id FROM jackpot_award WHERE kind = 'hit' ORDER BY id LIMIT 1)",
    "envy": "(SELECT id FROM jackpot_award WHERE kind = 'envy' ORDER BY id LIMIT 1)",
    "settled": "(SELECT id FROM jackpot_entry WHERE source_ref = 'round:' || {low} || ':v1')",
    "locked": "(SELECT id FROM jackpot_entry WHERE source_ref = 'round:' || {low})",
    "paid": "(SELECT min(id) FROM jackpot_entry WHERE kind = 'award_paid')",
    "moved": "(SELECT min(id) FROM jackpot_entry WHERE kind = 'award_move')",
    "first": "(SELECT id FROM jackpot_awardmove WHERE move = 'dispute' ORDER BY id LIMIT 1)",
    "box": "(round_id, box) = ({low}, 1)",
    "leg": "(entry_id, position) = ({settled}, 1)",
    "row": "(pot, seq) = ('meter', 2)",
    "link": "lane_id = {lane} AND seq = 3",
    "last": "(SELECT max(seq) FROM jackpot_link WHERE lane_id = {lane})",
    "site": "(SELECT id FROM jackpot_site WHERE code = 'HOME')",
}
"""One thing each, as SQL."""


def spelt(sql: str) -> str:
    """A statement with its places put in, those in places too."""
    while any(f"{{{name}}}" in sql for name in PLACES):
        for name, place in PLACES.items():
            sql = sql.replace(f"{{{name}}}", place)
    return sql


_SETTLED = r"settlement round:\S+:v1"
_OF_LINK = r"link \d+ of lane HOUSE"

LEGS = {
    "a leg's amount": case(rf"{_SETTLED}\): sum of the legs", "UPDATE jackpot_leg SET amount = amount + 1 WHERE {leg}"),
    "two legs' amounts": case(
        rf"{_SETTLED}\): legs of win:T-01:main",
        "UPDATE jackpot_leg SET amount = amount + CASE position WHEN 1 THEN 1 ELSE -1 END"
        " WHERE entry_id = {settled} AND position IN (1, 2)",
    ),
    "a leg's account": case(
        rf"{_SETTLED}\): legs of win:T-01:main",
        "UPDATE jackpot_leg SET account_id = (SELECT id FROM jackpot_account WHERE code = 'win:T-02:main')"
        " WHERE entry_id = {settled}"
        " AND account_id = (SELECT id FROM jackpot_account WHERE code = 'win:T-01:main')",
    ),
    "a leg of no account": case(
        rf"{_SETTLED}\), leg 1: invented leg",
        "UPDATE jackpot_leg SET account_id = 0 WHERE {leg}",
    ),
    "a leg's gaming day": case(
        rf"{_SETTLED}\): gaming day",
        "UPDATE jackpot_leg SET gaming_day = gaming_day - 1 WHERE {leg}",
    ),
    "all legs' gaming day": case(
        rf"{_SETTLED}\): round gaming_day",
        "UPDATE jackpot_leg SET gaming_day = gaming_day - 1 WHERE entry_id = {settled}",
    ),
    "a leg that was removed": case(rf"{_SETTLED}\): legs should be", "DELETE FROM jackpot_leg WHERE {leg}"),
    "a leg that was added": case(
        rf"{_SETTLED}\): legs should be",
        "INSERT INTO jackpot_leg (entry_id, position, amount, gaming_day, account_id)"
        " SELECT entry_id, 9, amount, gaming_day, account_id FROM jackpot_leg WHERE {leg}",
    ),
    "a leg of no entry": case(
        r"leg 99999999, leg 1: invented leg",
        "INSERT INTO jackpot_leg (entry_id, position, amount, gaming_day, account_id)"
        " SELECT 99999999, 1, amount, gaming_day, account_id FROM jackpot_leg WHERE {leg}",
    ),
    "two accounts with each other's names": case(
        rf"{_SETTLED}\): legs of win:T-01:main",
        "UPDATE jackpot_account SET code = 'x' WHERE code = 'win:T-01:main'",
        "UPDATE jackpot_account SET code = 'win:T-01:main' WHERE code = 'win:T-01:progressive'",
        "UPDATE jackpot_account SET code = 'win:T-01:progressive' WHERE code = 'x'",
    ),
    "an account's side": case(
        "account win:T-01:main: account",
        "UPDATE jackpot_account SET side = 'asset' WHERE code = 'win:T-01:main'",
    ),
}

ENTRIES = {
    "an entry's kind": case(
        r"entry \d+ \(correction round:\S+:v1\): invented",
        "UPDATE jackpot_entry SET kind = 'correction' WHERE id = {settled}",
    ),
    "a settlement for a void": case(
        r"\(void round:\S+:v1\): kind",
        "UPDATE jackpot_entry SET kind = 'void' WHERE id = {settled}",
    ),
    "an entry's event time": case(
        rf"{_SETTLED}\): entry event_at",
        "UPDATE jackpot_entry SET event_at = event_at - interval '1 s' WHERE id = {settled}",
    ),
    "an entry's posting time": case(
        rf"{_SETTLED}\): posting time",
        "UPDATE jackpot_entry SET posted_at = posted_at - interval '1 us' WHERE id = {settled}",
    ),
    "an entry's actor": case(
        rf"{_SETTLED}\): entry actor", "UPDATE jackpot_entry SET actor = 'user:1' WHERE id = {settled}"
    ),
    "a payment's actor": case(
        r"award_paid award:\S+\), move \d of award \S+: move actor",
        "UPDATE jackpot_entry SET actor = 'user:9' WHERE id = {paid}",
    ),
    "an entry's reason": case(
        rf"{_SETTLED}\): entry reason", "UPDATE jackpot_entry SET reason = 'x' WHERE id = {settled}"
    ),
    "an entry's table": case(
        rf"{_SETTLED}\): entry table_ref",
        "UPDATE jackpot_entry SET table_ref = 'T-02' WHERE id = {settled}",
    ),
    "an entry's integrator": case(
        rf"{_SETTLED}\): entry integrator_id",
        "UPDATE jackpot_entry SET integrator_id = 99 WHERE id = {settled}",
    ),
    "what an entry reverses": case(
        _OF_LINK + ".*: seal", "UPDATE jackpot_entry SET reverses_id = {locked} WHERE id = {settled}"
    ),
    "an entry's lane": case(
        rf"{_SETTLED}\): invented entry",
        "UPDATE jackpot_entry SET lane_id = (SELECT id FROM jackpot_lane WHERE site_id = {site}) WHERE id = {settled}",
    ),
    "an entry's link": case(
        _OF_LINK + ".*: seal", "UPDATE jackpot_entry SET link_seq = link_seq + 1 WHERE id = {settled}"
    ),
    "an entry beyond the chain": case(
        r"invented entry should be nothing, stored is outside any link",
        "UPDATE jackpot_entry SET link_seq = 9999 WHERE id = {settled}",
    ),
    "an entry's facts": case(
        rf"{_SETTLED}\): facts",
        "UPDATE jackpot_entry SET facts_digest = sha256('x') WHERE id = {settled}",
    ),
    "an entry without facts": case(
        rf"{_SETTLED}\): facts", "UPDATE jackpot_entry SET facts_digest = NULL WHERE id = {settled}"
    ),
    "an entry that was removed": case(
        r"round T-01-\S+: missing entry",
        "DELETE FROM jackpot_leg WHERE entry_id = {settled}",
        "DELETE FROM jackpot_entry WHERE id = {settled}",
    ),
    "a whole round that was removed": case(
        rf"{_SETTLED}\): invented entry",
        "DELETE FROM tables_boxresult WHERE round_id = {low}",
        "DELETE FROM tables_box WHERE round_id = {low}",
        "DELETE FROM tables_round WHERE id = {low}",
    ),
    "two entries with each other's place": case(
        _OF_LINK + ".*: seal",
        "UPDATE jackpot_entry SET link_seq = CASE id WHEN {settled} THEN -1 ELSE 3 END WHERE id IN ({settled}, {paid})",
    ),
    "the order of two rounds": case(
        r"statement row",
        "UPDATE jackpot_statementrow SET seq = -seq WHERE pot = 'meter' AND seq IN (4, 6)",
        "UPDATE jackpot_statementrow SET seq = CASE seq WHEN -4 THEN 6 ELSE 4 END WHERE pot = 'meter' AND seq < 0",
    ),
    "an invented balanced entry": case(
        r"settlement round:11111111\S+\): invented entry",
        "INSERT INTO jackpot_entry (lane_id, link_seq, kind, source_ref, table_ref, leg_count, event_at, posted_at,"
        " actor, reason) SELECT lane_id, link_seq, kind, 'round:11111111-1111-7111-8111-111111111111:v1', table_ref, 0,"
        " event_at, posted_at, '', '' FROM jackpot_entry WHERE id = {settled}",
    ),
    "an invented payment": case(
        r"award_paid award:11111111\S+\): invented entry",
        "INSERT INTO jackpot_entry (lane_id, link_seq, kind, source_ref, table_ref, leg_count, event_at, posted_at,"
        " actor, reason) SELECT lane_id, link_seq, kind, 'award:11111111-1111-7111-8111-111111111111', table_ref,"
        " leg_count, event_at, posted_at, actor, reason FROM jackpot_entry WHERE id = {paid}",
        "INSERT INTO jackpot_leg (entry_id, position, amount, gaming_day, account_id)"
        " SELECT (SELECT max(id) FROM jackpot_entry), position, amount, gaming_day, account_id"
        " FROM jackpot_leg WHERE entry_id = {paid}",
    ),
    "an invented adjustment": case(
        r"adjustment change:7\): invented entry",
        "UPDATE jackpot_entry SET kind = 'adjustment', source_ref = 'change:7' WHERE id = {locked}",
    ),
}

STATEMENT = {
    "a row's amount": case(
        r"lockout round:\S+\): legs of meter:HOUSE:main",
        "UPDATE jackpot_statementrow SET amount = amount + 1, after = after + 1 WHERE {row}",
    ),
    "a row's balance": case(
        r"meter 2 of level main: statement row before",
        "UPDATE jackpot_statementrow SET before = before + 1, after = after + 1 WHERE {row}",
    ),
    "a row's kind": case(
        r"level HOUSE:main: level contributed", "UPDATE jackpot_statementrow SET kind = 'void' WHERE {row}"
    ),
    "a row's gaming day": case("gaming day", "UPDATE jackpot_statementrow SET gaming_day = gaming_day - 1 WHERE {row}"),
    "a row's entry": case(r"legs of meter:HOUSE:main", "UPDATE jackpot_statementrow SET entry_id = {paid} WHERE {row}"),
    "a row that was removed": case(
        r"meter 3 of level main: statement row seq", "DELETE FROM jackpot_statementrow WHERE {row}"
    ),
    "a row of no entry": case(
        r"statement row \d+, meter 999: invented",
        "INSERT INTO jackpot_statementrow (level_id, pot, seq, kind, amount, before, after, entry_id, gaming_day)"
        " SELECT level_id, pot, 999, kind, amount, before, after, 99999999, gaming_day"
        " FROM jackpot_statementrow WHERE {row}",
    ),
    **{
        f"a level's {total}": case(
            rf"level HOUSE:main: level {total}", f'UPDATE jackpot_level SET "{total}" = "{total}" + 1'
        )
        for total in (
            "meter",
            "reserve",
            "overflow",
            "meter_seq",
            "reserve_seq",
            "overflow_seq",
            "reset_seq",
            "wagered",
            "contributed",
            "awarded",
            "hits",
        )
    },
    "a level's base": case("level terms", "UPDATE jackpot_level SET base = base + 1"),
    "a level's rate": case("level terms", "UPDATE jackpot_level SET increment_ppm = increment_ppm + 1"),
    "a level's last reset": case("level reset_at", "UPDATE jackpot_level SET reset_at = reset_at - interval '1 day'"),
}

CHAIN = {
    "a link that was removed": case("lane HOUSE: link should be link 3", "DELETE FROM jackpot_link WHERE {link}"),
    "a link's digest": case(_OF_LINK + ".*: seal", "UPDATE jackpot_link SET digest = sha256('x') WHERE {link}"),
    "what a link follows": case(
        _OF_LINK + ".*: previous link", "UPDATE jackpot_link SET previous = sha256('x') WHERE {link}"
    ),
    "a link's posting time": case(
        "posting time", "UPDATE jackpot_link SET posted_at = posted_at + interval '1 s' WHERE {link}"
    ),
    "two links with each other's place": case(
        _OF_LINK + ".*: (seal|previous link)",
        "UPDATE jackpot_link SET seq = -seq WHERE lane_id = {lane} AND seq IN (2, 3)",
        "UPDATE jackpot_link SET seq = CASE seq WHEN -2 THEN 3 ELSE 2 END WHERE lane_id = {lane} AND seq < 0",
    ),
    "a link of no lane": case(
        "link 999/1: invented link",
        "INSERT INTO jackpot_link (lane_id, seq, previous, digest, posted_at)"
        " SELECT 999, 1, previous, digest, posted_at FROM jackpot_link WHERE {link}",
    ),
    "a lane's head": case("lane HOUSE: lane head", "UPDATE jackpot_lane SET head = sha256('x') WHERE id = {lane}"),
    "how many links a lane has": case(
        "lane HOUSE: lane sealed", "UPDATE jackpot_lane SET sealed = sealed - 1 WHERE id = {lane}"
    ),
    "the chain's end": case(
        "lane HOUSE: lane sealed",
        "DELETE FROM jackpot_link WHERE lane_id = {lane} AND seq = {last}",
    ),
    "the function that seals": case(
        "sum of the legs",
        "CREATE OR REPLACE FUNCTION jackpot_link_digest(in_lane bigint, in_seq bigint, previous bytea) RETURNS bytea"
        " LANGUAGE sql STABLE AS $$ SELECT digest FROM jackpot_link WHERE lane_id = in_lane AND seq = in_seq $$",
        "UPDATE jackpot_leg SET amount = amount + 1 WHERE {leg}",
    ),
}
