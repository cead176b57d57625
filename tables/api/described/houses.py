"""The calls of tables and rule sets."""

from jackpot.http.calls import PAGED, Answer, Call
from jackpot.http.schemas import CODE, ref, said

HOUSES: dict[str, Call] = {
    "GET /tables/": Call(
        id="listTables",
        tag="Tables",
        summary="Tables",
        says="The tables of the key's sites, each with its rule set, jackpot and open round.",
        query={"table": CODE, "site": CODE, **PAGED},
        answers={200: Answer(says="A page of tables.", schema=ref("TablePage"))},
    ),
    "GET /rule-sets/{code}/": Call(
        id="readRuleSet",
        tag="Tables",
        summary="One rule set",
        says="The document in force, and which versions there are.",
        path={"code": said(CODE | {"examples": ["casino-progressive"]}, "The code of the rule set.")},
        answers={200: Answer(says="The rule set.", schema=ref("RuleSet"))},
    ),
}
