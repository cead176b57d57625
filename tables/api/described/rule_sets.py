"""A rule set and its document, as JSON Schemas: the counterpart of `tables.domain.rules`."""

from jackpot.http.schemas import CODE, Schema, integer, listed, nullable, one_of, ref, said, shown
from tables.domain.facts import Street
from tables.domain.hands import HandName
from tables.domain.paytables import OddsRounding
from tables.domain.rules import MAX_BOX_NUMBER, MAX_MULTIPLIER, MAX_SECONDS, HandMode, LimitScope

_ODDS = {"type": "string", "pattern": "^[1-9][0-9]{0,3}:[1-9][0-9]{0,3}$"}
_FLAG = {"type": "boolean"}
_LIMITS = shown({"min": ref("Money"), "max": ref("Money")})
_PAY_TABLE = shown(
    {
        "name": {"type": "string", "pattern": "^[a-z0-9-]{1,60}$"},
        "lines": said(
            shown({}, {str(hand): _ODDS for hand in HandName}) | {"minProperties": 1},
            "Odds to one for each hand that is paid.",
        ),
    }
)
_SECONDS = nullable(integer(1, MAX_SECONDS))
_BOXES = nullable(integer(1, MAX_BOX_NUMBER))

RULE_SETS: dict[str, Schema] = {
    "RuleSetDocument": shown(
        {
            "blind_table": _PAY_TABLE,
            "trips_table": _PAY_TABLE,
            "progressive_offered": _FLAG,
            "fold_streets": listed(one_of(Street), least=1, most=len(Street)),
            "preflop_multipliers": listed(integer(1, MAX_MULTIPLIER), least=1),
            "boxes_per_player": said(_BOXES, "Null: any empty box."),
            "max_boxes": said(_BOXES, "Null: unlimited."),
            "hand_mode": said(one_of(HandMode), "Whether each box has its own two cards, or all share one pair."),
            "trips_survives_fold": _FLAG,
            "progressive_survives_fold": _FLAG,
            "odds_rounding": one_of(OddsRounding),
            "payout_limit": nullable(shown({"amount": ref("Money"), "scope": one_of(LimitScope)})),
            "bet_limits": shown(
                {"ante": _LIMITS, "trips": _LIMITS, "box": shown({"max": nullable(ref("Money"))})},
            ),
            "betting_seconds": said(_SECONDS, "Null: no clock."),
            "decision_seconds": said(_SECONDS, "Null: no clock."),
        }
    ),
    "RuleSet": shown(
        {
            "code": CODE,
            "name": {"type": "string", "maxLength": 100},
            "version": said(integer(), "The version in force."),
            "in_force_at": ref("Time"),
            "document": ref("RuleSetDocument"),
            "versions": listed(shown({"version": integer(), "in_force_at": ref("Time")}), least=1),
        }
    ),
}
