"""Whether a jackpot may go on under another policy. Pure; sources: domain.md section 5, known failure 90."""

from collections.abc import Mapping

from jackpot.domain.errors import refuse
from jackpot.domain.policy import Policy


def check_change(present: Policy, wanted: Policy, meters: Mapping[str, int]) -> None:
    """Raises Refused (`invalid_value`) where `wanted` does not follow `present`, the last approved policy, at these
    meters (ledger units, by level).

    It keeps the levels: each has its meter, statement and accounts for ever, and money of players on it. No limit lies
    below what the meter shows players now, though a limit comes into force only with a reset. And something changes.
    """
    codes, known = [level.code for level in wanted.levels], [level.code for level in present.levels]
    if codes != known:
        raise refuse(
            "invalid_value",
            f"a policy keeps the levels its jackpot was opened with, in their order: {', '.join(known)};"
            f" each has a meter, a statement and accounts of its own. Open another jackpot for {', '.join(codes)}",
            "/document/levels",
        )
    for n, level in enumerate(wanted.levels):
        if level.limit is not None and level.limit < meters[level.code]:
            raise refuse(
                "invalid_value", f"the limit of level {level.code} lies below its meter", f"/document/levels/{n}/limit"
            )
    if wanted == present:
        raise refuse("invalid_value", "this policy changes nothing", "/document")
