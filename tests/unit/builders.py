"""Short ways to write a round down in a test: cards as "As Ks", money as "5.00" (USD)."""

from typing import Any

from jackpot import money
from tables.domain.facts import Action, BoxFacts, Decision, RoundFacts, Street, VoidReason
from tables.domain.rules import RuleSet
from tables.rulesets import published

USD = money.currency("USD")

PLAY_4X = Decision(Action.PLAY, Street.PREFLOP, 4)
PLAY_2X = Decision(Action.PLAY, Street.FLOP, 2)
PLAY_1X = Decision(Action.PLAY, Street.RIVER, 1)
FOLD = Decision(Action.FOLD, Street.RIVER)


def usd(text: str) -> int:
    return money.parse(text, USD)


def cards(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def document(code: str = "casino-progressive", **settings: Any) -> dict[str, Any]:
    """The document of a shipped rule set, with some settings changed."""
    return published()[code] | settings


def rules(code: str = "casino-progressive", **settings: Any) -> RuleSet:
    return RuleSet.from_document(document(code, **settings), currency=USD, code=code, version=1)


def limits(*, ante: str = "1000.00", trips: str = "1000.00", box: str | None = None) -> dict[str, Any]:
    """Bet limits from one cent up, for tests that are about something else."""
    return {
        "ante": {"min": "0.01", "max": ante},
        "trips": {"min": "0.01", "max": trips},
        "box": {"max": box},
    }


def box(
    pair: str | None,
    *,
    number: int = 1,
    player: str | None = None,
    ante: str = "5.00",
    trips: str = "0",
    progressive: str = "0",
    decision: Decision = PLAY_4X,
    void: VoidReason | None = None,
) -> BoxFacts:
    return BoxFacts(
        box=number,
        player=player or f"P-{number}",
        ante=usd(ante),
        trips=usd(trips),
        progressive=usd(progressive),
        cards=None if pair is None else cards(pair),
        decision=decision,
        void=void,
    )


def deal(
    *boxes: BoxFacts,
    board: str = "",
    dealer: str | None = None,
    player_cards: str | None = None,
    void: VoidReason | None = None,
) -> RoundFacts:
    """A round; of the board the first three are the flop, then turn and river."""
    community = cards(board)
    return RoundFacts(
        boxes=boxes,
        flop=community[:3] or None,
        turn=community[3] if len(community) > 3 else None,
        river=community[4] if len(community) > 4 else None,
        dealer=None if dealer is None else cards(dealer),
        player_cards=None if player_cards is None else cards(player_cards),
        void=void,
    )
