"""Falsifications of rounds, awards, documents and what stands beside the books; see `tests.integration.falsified`."""

from tests.integration.falsified import Case, case

_ROUND = r"round T-01-\S+, entry \d+ \((settlement|void) round:\S+\)"
_FACTS = r"entry \d+ \((settlement|void) round:\S+\): facts"

ROUNDS: dict[str, Case] = {
    "a card of a box": case(_FACTS, "UPDATE tables_box SET cards = '2h7d' WHERE {box}"),
    "a card of the board that changes no result": case(_FACTS, "UPDATE tables_round SET river = '7s' WHERE id = {low}"),
    "a card that is there twice": case(
        _ROUND + ": facts should be a round that can be settled",
        "UPDATE tables_round SET river = turn WHERE id = {low}",
    ),
    "the dealer's cards": case(_FACTS, "UPDATE tables_round SET dealer = '2d2s' WHERE id = {low}"),
    "a bet": case(_FACTS, "UPDATE tables_box SET ante = ante * 2 WHERE {box}"),
    "a Progressive stake": case(
        r"lockout round:\S+\): legs of float", "UPDATE tables_box SET progressive = 0 WHERE {box}"
    ),
    "a decision": case(
        _FACTS,
        "UPDATE tables_box SET action = 'fold', street = 'river', multiplier = 0 WHERE {box}",
    ),
    "a player": case(_FACTS, "UPDATE tables_box SET player = 'somebody' WHERE {box}"),
    "a box that was added": case(
        _FACTS,
        "INSERT INTO tables_box (round_id, box, player, ante, trips, progressive, cards, action, street, multiplier,"
        " automatic, checked, void_reason, void_note)"
        " SELECT round_id, 9, 'P-9', ante, trips, 0, '3h4h', action, street, multiplier, automatic, checked,"
        " void_reason, void_note FROM tables_box WHERE {box}",
    ),
    "a box that was removed": case(_FACTS, "DELETE FROM tables_box WHERE {box}"),
    "a void reason": case(_FACTS, "UPDATE tables_round SET void_reason = 'malfunction' WHERE id = {void}"),
    "the note of a void round": case(_FACTS, "UPDATE tables_round SET void_note = 'x' WHERE id = {void}"),
    "the note of a void box": case(_FACTS, "UPDATE tables_box SET void_note = 'x' WHERE {box}"),
    "a decision the clock took": case(_FACTS, "UPDATE tables_box SET automatic = true WHERE {box}"),
    "a round's external id": case(_FACTS, "UPDATE tables_round SET external_id = 'x' WHERE id = {low}"),
    "how a round was played": case(_FACTS, "UPDATE tables_round SET live = true WHERE id = {low}"),
    "a void that was not": case(
        r"round T-01-\S+, .*: kind", "UPDATE tables_round SET void_reason = 'other' WHERE id = {low}"
    ),
    "a box void that was not": case(_FACTS, "UPDATE tables_box SET void_reason = 'other' WHERE {box}"),
    "a result's amount": case(
        _ROUND + ", box 1: result trips", "UPDATE tables_boxresult SET trips = trips + 1 WHERE {box}"
    ),
    "a Progressive result": case(
        _ROUND + ", box 1: result progressive",
        "UPDATE tables_boxresult SET progressive = 1 WHERE {box}",
    ),
    "a share's result": case(
        ", box 1: result progressive",
        "UPDATE tables_boxresult SET progressive = progressive - 1 WHERE (round_id, box) = ({royal}, 1)",
    ),
    "a result's outcome": case(
        _ROUND + ", box 1: result outcomes", "UPDATE tables_boxresult SET outcomes = 'ppp--' WHERE {box}"
    ),
    "a result's hand": case(_ROUND + ", box 1: result hand", "UPDATE tables_boxresult SET hand = 'flush' WHERE {box}"),
    "a result that was removed": case(_ROUND + ", box 1: missing result", "DELETE FROM tables_boxresult WHERE {box}"),
    "a result of another version": case(
        r"box 1: invented result", "UPDATE tables_boxresult SET version = 2 WHERE {box}"
    ),
    "a result of no box": case("version 1, box 9: invented result", "UPDATE tables_boxresult SET box = 9 WHERE {box}"),
    "a box of no round": case(
        "box 1 of round 11111111",
        "UPDATE tables_box SET round_id = '11111111-1111-7111-8111-111111111111' WHERE {box}",
    ),
    "a round's phase": case(_ROUND + ": round phase", "UPDATE tables_round SET phase = 'void' WHERE id = {low}"),
    "a round's version": case("invented entry", "UPDATE tables_round SET version = 2 WHERE id = {low}"),
    "a round that is unsettled again": case("invented entry", "UPDATE tables_round SET version = 0 WHERE id = {low}"),
    "the rule set a round pinned": case(
        _FACTS,
        "UPDATE tables_round SET rule_set_id = (SELECT version.id FROM tables_rulesetversion AS version"
        " JOIN tables_ruleset AS of_house ON of_house.id = rule_set_id WHERE code = 'practice') WHERE id = {low}",
    ),
    "the policy a round pinned": case(_FACTS, "UPDATE tables_round SET policy_id = NULL WHERE id = {low}"),
    "a round's table": case(
        _FACTS,
        "UPDATE tables_round SET table_id = (SELECT id FROM tables_table WHERE code = 'T-02') WHERE id = {low}",
    ),
    "a round's lane": case(
        r"settlement round:\S+\): invented entry",
        "UPDATE tables_round SET lane_id = (SELECT id FROM jackpot_lane WHERE site_id = {site}) WHERE id = {low}",
    ),
    "a round's game number": case(_FACTS, "UPDATE tables_round SET game_number = 'T-01-1' WHERE id = {low}"),
    "a round's integrator": case(
        r"entry \d+ \(settlement round:\S+\): entry integrator_id",
        "UPDATE tables_round SET integrator_id = 99 WHERE id = {low}",
    ),
    "when a round was locked": case(
        r"lockout round:\S+\): entry event_at",
        "UPDATE tables_round SET locked_at = locked_at - interval '1 s' WHERE id = {low}",
    ),
    "when a round was complete": case(
        _FACTS, "UPDATE tables_round SET completed_at = completed_at - interval '1 s' WHERE id = {low}"
    ),
    "when a round was settled": case(
        _ROUND + ": round settled_at",
        "UPDATE tables_round SET settled_at = settled_at - interval '1 s' WHERE id = {low}",
    ),
    "a round's gaming day": case(
        _ROUND + ": round gaming_day",
        "UPDATE tables_round SET gaming_day = gaming_day - 1 WHERE id = {low}",
    ),
    "a round's site": case(r"round site_id should be", "UPDATE tables_round SET site_id = 99 WHERE id = {low}"),
}

_SEAL = r"link \d+ of lane HOUSE .*: seal"
AWARDS: dict[str, Case] = {
    "an award's amount": case(
        r"settlement round:\S+\): awards", "UPDATE jackpot_award SET amount = amount + 1 WHERE id = {hit}"
    ),
    "an award's player": case(_SEAL, "UPDATE jackpot_award SET player = 'somebody' WHERE id = {hit}"),
    "an award's player, by name": case(
        "award player", "UPDATE jackpot_award SET player = 'somebody' WHERE id = {envy}"
    ),
    "an award's box": case("award box", "UPDATE jackpot_award SET box = 9 WHERE id = {envy}"),
    "an award's hand": case("award hand", "UPDATE jackpot_award SET hand = 'flush' WHERE id = {hit}"),
    "an award's facts": case(
        "award facts", 'UPDATE jackpot_award SET facts = facts || \'{"river": "As"}\' WHERE id = {hit}'
    ),
    "what the meter showed": case(
        "award meter_before", "UPDATE jackpot_award SET meter_before = meter_before + 1 WHERE id = {hit}"
    ),
    "an award that was removed": case("missing award", "DELETE FROM jackpot_award WHERE id = {envy}"),
    "an invented award": case(
        "invented award",
        "INSERT INTO jackpot_award (id, jackpot_id, entry_id, position, kind, hit_id, source_ref, table_ref, box,"
        " player, hand, amount, policy_id, late, hit_at, state)"
        " SELECT '11111111-1111-7111-8111-111111111111', jackpot_id, entry_id, 99, kind, hit_id, source_ref, table_ref,"
        " box, 'somebody', hand, amount, policy_id, late, hit_at, 'pending'"
        " FROM jackpot_award WHERE id = {envy}",
    ),
    "an award of no entry": case(
        r"award \S+: invented award", "UPDATE jackpot_award SET entry_id = 99999999 WHERE id = {envy}"
    ),
    "an award's state": case(
        r"award \S+: award state should be paid, stored is pending",
        "UPDATE jackpot_award SET state = 'pending' WHERE state = 'paid'",
    ),
    "a payment nobody made": case(
        r"award \S+: award state should be disputed, stored is paid",
        "UPDATE jackpot_award SET state = 'paid' WHERE state = 'disputed' AND kind = 'hit'",
    ),
    "who moved an award": case(
        r"award_move award:\S+\), move \d of award \S+: move actor",
        "UPDATE jackpot_awardmove SET user_id = 99 WHERE id = {first}",
    ),
    "the note of a move": case(
        r"link \d+ of lane HOUSE \(entry \d+ \(award_move award:\S+\)\): seal",
        "UPDATE jackpot_awardmove SET note = 'other' WHERE id = {first}",
    ),
    "when an award was moved": case(
        r"move \d of award \S+: move event_at",
        "UPDATE jackpot_awardmove SET at = at - interval '1 s' WHERE id = {first}",
    ),
    "where a move led": case(_SEAL, "UPDATE jackpot_awardmove SET state = 'approved' WHERE id = {first}"),
    "where the first move began": case(
        r"award \S+, move 1: award move", "UPDATE jackpot_awardmove SET before = 'approved' WHERE id = {first}"
    ),
    "a move's number": case(
        r"award \S+, move 7: award move",
        "UPDATE jackpot_awardmove SET number = 7 WHERE id = {first}",
    ),
    "a move that was removed": case(
        r"award_move award:\S+\): invented entry", "DELETE FROM jackpot_awardmove WHERE id = {first}"
    ),
    "a payment's move that was removed": case(
        r"award_paid award:\S+\): invented entry",
        "DELETE FROM jackpot_awardmove WHERE move = 'pay'",
    ),
}

BESIDE: dict[str, Case] = {
    "a rule set": case(
        r"document document:\d+:rule_set:casino-progressive@1\): facts",
        'UPDATE tables_rulesetversion SET document = document || \'{"odds_rounding": "down"}\'',
    ),
    "since when a rule set is in force": case(
        r"rule_set:casino-progressive@1\): facts",
        "UPDATE tables_rulesetversion SET in_force_at = in_force_at - interval '1 s'",
    ),
    "a policy": case(
        r"document document:\d+:policy:HOUSE@1\): facts",
        "UPDATE jackpot_policyversion SET document = document || '{\"approvals\": 1}'",
    ),
    "a policy of another number": case(
        r"policy:HOUSE@1\): invented entry",
        "UPDATE jackpot_policyversion SET version = 7 WHERE version = 1",
    ),
    "a document that was never sealed": case(
        "rule_set:practice@1.: invented entry|seal",
        "UPDATE jackpot_entry SET source_ref = replace(source_ref, 'casino-progressive@1', 'practice@1')"
        " WHERE kind = 'document' AND lane_id = {lane}",
    ),
    "what a change asked for": case(
        r"declined change:\S+\): facts",
        'UPDATE jackpot_changerequest SET document = \'{"amount": "9.00"}\'',
    ),
    "who asked for a change": case(
        r"declined change:\S+\): facts",
        "UPDATE jackpot_changerequest SET asked_by_id = 99",
    ),
    "who decided on a change": case(
        r"declined change:\S+\): entry actor",
        "UPDATE jackpot_changedecision SET by_id = 99",
    ),
    "what was decided on a change": case(
        r"declined change:\S+\): facts",
        "UPDATE jackpot_changedecision SET decision = 'approved'",
    ),
    "what an adjustment was asked for": case(
        r"adjustment change:\S+\): facts",
        "UPDATE jackpot_changerequest SET document = document || '{\"amount\": \"9.00\"}' WHERE kind = 'adjustment'",
    ),
    "what an adjustment posted": case(
        r"adjustment change:\S+\): legs of meter:HOUSE:main",
        "UPDATE jackpot_leg SET amount = 2 * amount"
        " WHERE entry_id = (SELECT id FROM jackpot_entry WHERE kind = 'adjustment')",
    ),
    "an adjustment nobody approved": case(
        r"adjustment change:\S+\): invented entry",
        "DELETE FROM jackpot_changedecision WHERE entry_id = (SELECT id FROM jackpot_entry WHERE kind = 'adjustment')",
    ),
    "why something was transferred": case(
        r"transfer change:\S+\): entry reason",
        "UPDATE jackpot_entry SET reason = 'split' WHERE kind = 'transfer'",
    ),
    "a decision that is gone": case(
        r"declined change:\S+\): invented entry",
        "DELETE FROM jackpot_changedecision",
    ),
    "a jackpot's state": case("jackpot HOUSE: state", "UPDATE jackpot_jackpot SET state = 'suspended'"),
    "a gaming day that is gone": case(
        "site HOME: missing gaming day", "DELETE FROM jackpot_gamingday WHERE site_id = {site}"
    ),
    "an event that is gone": case(
        r"events of integrator \d+: events",
        "DELETE FROM jackpot_event WHERE seq = 1",
    ),
    "an event too many": case(
        r"events of integrator \d+: events",
        "UPDATE jackpot_eventcounter SET last = last - 1",
    ),
}
