"""What tests start from. Everything is made by the product's own services, so that it is as the product makes it.

    demo = house()                                    # site DEMO, jackpot MAIN, tables UTH-01 … and the others
    link = jackpot_with(hit_order="high_first")       # a jackpot with a policy of its own, and a table T-01
    round_ids = play(reported(royal(1), box("2c 7d", number=2, progressive="1.00")))   # received and settled

Rounds are written with `tests.unit.builders` (`box`, `deal`, `usd`, `cards`); time stands at `NOW` unless told.
`tests.factories.shuffle` deals bodies of the API from a seed, and its `reported` reads any body;
`tests.factories.live.LiveRound` plays either step by step.
"""

from tests.factories.checks import assert_books_agree, assert_chain_holds, digest_now
from tests.factories.clients import NOW, ApiKeyFactory, SiteFactory, caller, person
from tests.factories.closing import close_until
from tests.factories.houses import (
    House,
    ask_policy,
    bare_table,
    change_policy,
    house,
    jackpot_with,
    policy,
    rule_set_with,
    table_with,
)
from tests.factories.rounds import (
    flush_hand,
    low,
    play,
    receive,
    reported,
    royal,
    settle_all,
    straight_flush,
    three_queens,
)

__all__ = [
    "NOW",
    "ApiKeyFactory",
    "House",
    "SiteFactory",
    "ask_policy",
    "assert_books_agree",
    "assert_chain_holds",
    "bare_table",
    "caller",
    "change_policy",
    "close_until",
    "digest_now",
    "flush_hand",
    "house",
    "jackpot_with",
    "low",
    "person",
    "play",
    "policy",
    "receive",
    "reported",
    "royal",
    "rule_set_with",
    "settle_all",
    "straight_flush",
    "table_with",
    "three_queens",
]
