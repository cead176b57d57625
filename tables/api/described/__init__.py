"""How the calls of tables and rounds are described: `config.description` makes the OpenAPI document of it."""

from jackpot.http.calls import Call
from jackpot.http.schemas import Schema
from tables.api.described.houses import HOUSES
from tables.api.described.live_rounds import LIVE_ROUNDS
from tables.api.described.rule_sets import RULE_SETS
from tables.api.described.sent import SENT
from tables.api.described.shown import SHOWN
from tables.api.described.whole_rounds import WHOLE_ROUNDS

CALLS: dict[str, Call] = {**WHOLE_ROUNDS, **LIVE_ROUNDS, **HOUSES}
SCHEMAS: dict[str, Schema] = {**SENT, **SHOWN, **RULE_SETS}
