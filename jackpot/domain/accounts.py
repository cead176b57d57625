"""The chart of accounts: codes of the accounts in the ledger, and on which side each stands.

Debits are positive, credits negative. A code is the account's kind and what it belongs to: `float:UTH-01`.
"""

from enum import StrEnum


class Side(StrEnum):
    ASSET = "asset"
    LIABILITY = "liability"
    REVENUE = "revenue"
    EXPENSE = "expense"


class Bet(StrEnum):
    """The bets whose result the house keeps apart, each in a revenue account of its table."""

    MAIN = "main"
    TRIPS = "trips"
    PROGRESSIVE = "progressive"


class Pot(StrEnum):
    """The three pots of a level; each is a liability account and a statement of its own."""

    METER = "meter"
    RESERVE = "reserve"
    OVERFLOW = "overflow"


def float_of(table_ref: str) -> str:
    """Chips and money at a table."""
    return f"float:{table_ref}"


def cage_of(site_code: str) -> str:
    """What a site pays away from its tables."""
    return f"cage:{site_code}"


def win_of(table_ref: str, bet: Bet) -> str:
    """The house's result of one bet at a table."""
    return f"win:{table_ref}:{bet}"


def pot_of(jackpot_code: str, level_code: str, pot: Pot) -> str:
    """One pot of a level: equal to its statement to the unit."""
    return f"{pot}:{jackpot_code}:{level_code}"


def awards_of(jackpot_code: str) -> str:
    """Hits and Envy owed and not yet paid."""
    return f"awards:{jackpot_code}"


def house_of(jackpot_code: str) -> str:
    """What the house pays into a jackpot: base funding, shortfalls, adjustments."""
    return f"house:{jackpot_code}"


def side_of(code: str) -> Side:
    """The side an account stands on, by the kind its code begins with."""
    return _SIDES[code.partition(":")[0]]


_SIDES = {
    "float": Side.ASSET,
    "cage": Side.ASSET,
    "win": Side.REVENUE,
    "meter": Side.LIABILITY,
    "reserve": Side.LIABILITY,
    "overflow": Side.LIABILITY,
    "awards": Side.LIABILITY,
    "house": Side.EXPENSE,
}
