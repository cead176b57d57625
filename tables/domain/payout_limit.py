"""The payout limit: what is left of the wins of a round where the house has promised no more. Source: domain.md §5."""

from collections.abc import Sequence

from jackpot import money
from tables.domain.results import BoxResult
from tables.domain.rules import LimitScope, PayoutLimit


def cap(boxes: Sequence[BoxResult], limit: PayoutLimit) -> tuple[BoxResult, ...]:
    """The same results with the wins of each player, or of the round, brought down to the limit.

    Only positive nets of Ante, Blind, Play and Trips count, and losses do not offset them. Each win keeps its share
    of the limit in whole minor units; what is left over goes one minor unit each by largest remainder, then box
    number, then wager. Stakes come back on top. A result that lost something to the limit is marked `capped`.
    """
    capped = list(boxes)
    for group in _groups(boxes, limit.scope):
        wins = [(n, w) for n in group for w, wager in enumerate(boxes[n].wagers) if wager.net > 0]
        nets = [boxes[n].wagers[w].net for n, w in wins]
        if sum(nets) <= limit.amount:
            continue
        for (n, w), net, kept in zip(wins, nets, money.share(limit.amount, nets), strict=True):
            if kept < net:
                capped[n] = _with_win(capped[n], w, kept)
    return tuple(capped)


def _groups(boxes: Sequence[BoxResult], scope: LimitScope) -> list[list[int]]:
    """Positions of the boxes that share one limit, each group in ascending box number."""
    groups: dict[str, list[int]] = {}
    for n in sorted(range(len(boxes)), key=lambda n: boxes[n].box):
        groups.setdefault(boxes[n].player if scope is LimitScope.PLAYER else "", []).append(n)
    return list(groups.values())


def _with_win(box: BoxResult, position: int, win: int) -> BoxResult:
    wagers = list(box.wagers)
    wager = wagers[position]
    wagers[position] = wager._replace(returned=wager.stake + win, capped=True)
    return box._replace(wagers=tuple(wagers))
