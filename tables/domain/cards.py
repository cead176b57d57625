"""Cards: one 52-card deck, written rank then suit ("As", "Th"), and every spelling a client may use for them."""

import unicodedata

RANKS = "23456789TJQKA"
"""Weak to strong; the ace also stands below the two in A-2-3-4-5."""

SUITS = "shdc"
"""Spades, hearts, diamonds, clubs: the order in which equal ranks are shown. Suits never decide anything."""

DECK = tuple(rank + suit for rank in RANKS for suit in SUITS)

SYMBOLS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}

_EMOJI_SELECTOR = "\N{VARIATION SELECTOR-16}"
_ECHOED = 16


class InvalidCard(ValueError):
    """The text is not a card of the deck."""


def _spellings(card: str) -> list[str]:
    rank, suit = card[0], card[1]
    ranks = [rank, rank.lower()] + (["10"] if rank == "T" else [])
    suits = [suit, suit.upper(), SYMBOLS[suit], SYMBOLS[suit] + _EMOJI_SELECTOR]
    return [written_rank + written_suit for written_rank in ranks for written_suit in suits]


# A table of what is meant, not upper() or lower(): those turn letters of other alphabets into ours.
_NORMAL_FORM = {spelling: card for card in DECK for spelling in _spellings(card)}


def parse(text: object) -> str:
    """The normal form ("As", "Th") of a card written as `As`, `as`, `AS`, `Th`, `10h` or `A♠`.

    A suit symbol may carry the emoji selector U+FE0F. Nothing else is read: no blanks, no look-alike letters.
    Raises InvalidCard, which names what stands in the way.
    """
    card = _NORMAL_FORM.get(text) if isinstance(text, str) else None
    if card is None:
        raise InvalidCard(_complaint(text))
    return card


def in_symbols(card: str) -> str:
    """A card in its normal form as people write it: "A♠", "10♥"."""
    rank, suit = card[0], card[1]
    return ("10" if rank == "T" else rank) + SYMBOLS[suit]


def _complaint(text: object) -> str:
    if not isinstance(text, str):
        return "a card is a string such as As, Th, 10h or A♠"
    shown = ascii(text[:_ECHOED]) + ("…" if len(text) > _ECHOED else "")
    known = set("".join(_NORMAL_FORM))
    strange = [char for char in text[:_ECHOED] if char not in known]
    if not strange:
        return f"{shown} is not a card: write rank and suit, such as As, Th, 10h or A♠"
    name = unicodedata.name(strange[0], "a character without a name")
    return f"{shown} is not a card: it contains U+{ord(strange[0]):04X} {name}"
