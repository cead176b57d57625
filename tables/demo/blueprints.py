"""Rounds dealt to hit: the cards that matter are given, everything else comes from the shuffle."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Seat:
    """A box of such a round: whose it is, its two cards, and what it does."""

    player: str
    cards: tuple[str, str]
    progressive: bool = True
    folds: bool = False


@dataclass(frozen=True, slots=True)
class Blueprint:
    """`hits` and `envy` are the awards the round must bring, worked out by hand from the rules."""

    title: str
    flop: tuple[str, str, str]
    seats: tuple[Seat, ...]
    hits: int
    envy: int


BLUEPRINTS = (
    # Envy to b, who folds, and to c; d has no Progressive and receives nothing.
    Blueprint(
        "a straight flush",
        ("9h", "8h", "7h"),
        (
            Seat("a", ("Jh", "Th")),
            Seat("b", ("2c", "7d"), folds=True),
            Seat("c", ("9c", "9d")),
            Seat("d", ("As", "Kd"), progressive=False),
        ),
        hits=1,
        envy=2,
    ),
    # The winner owns two boxes and gets no Envy from himself; b owns two and gets two, one of them folded.
    Blueprint(
        "a royal flush, players with several boxes",
        ("Qs", "Js", "Ts"),
        (
            Seat("a", ("As", "Ks")),
            Seat("b", ("2c", "7d"), folds=True),
            Seat("a", ("9c", "9d")),
            Seat("b", ("Qh", "Qd")),
        ),
        hits=1,
        envy=2,
    ),
    # Each winner receives the Envy of the other's hand, and c both.
    Blueprint(
        "a royal and a straight flush on one flop",
        ("Tc", "Jc", "Qc"),
        (Seat("a", ("Ac", "Kc")), Seat("b", ("8c", "9c")), Seat("c", ("2d", "7h"), folds=True)),
        hits=2,
        envy=4,
    ),
    # c owns two boxes: two Envies each.
    Blueprint(
        "two straight flushes on one flop",
        ("3c", "4c", "5c"),
        (
            Seat("a", ("Ac", "2c")),
            Seat("b", ("6c", "7c")),
            Seat("c", ("9d", "Kh"), folds=True),
            Seat("c", ("Jh", "Js")),
        ),
        hits=2,
        envy=6,
    ),
)
