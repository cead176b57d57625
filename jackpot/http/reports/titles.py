"""What reports are called where people read them, and what each is about, in the order of the daily pack."""

from collections.abc import Mapping

TITLES: Mapping[str, tuple[str, str]] = {
    "roll-forward": ("Roll-forward", "Each pot from its opening by every kind of change to its closing."),
    "expected-posted": ("Expected v. posted", "Every round settled again from its facts, against what was posted."),
    "readings": ("Readings of signs", "What signs showed, against the ledger at that very instant."),
    "tables": ("Tables", "What each bet took and gave back at each table."),
    "awards": ("Awards and Envy", "The hits of the day, each with its Envy."),
    "liabilities": ("Liabilities", "Awards that were owed and not paid at the end of the day, with their age."),
    "changes": ("Changes", "What was set otherwise, by whom, who approved it, and why."),
    "duplicates": ("Duplicates", "The same player, table and stakes within a minute; nothing is done about them."),
    "late": ("Late", "Rounds entered under this day because their own took nothing more."),
    "voids": ("Voids", "Dead boxes and rounds, with the prizes that were cancelled."),
    "by-site": ("By site", "What the tables of each site gave to a jackpot, and what was won at them."),
    "checks": ("Checks", "Figures that were added up in different ways and must be one, to the last decimal."),
    "payouts": ("Payouts", "Awards that were paid, returned or withdrawn in the day, by whom, and who approved them."),
}


def title(name: str) -> str:
    """A report's name as people read it."""
    return TITLES[name][0] if name in TITLES else name.replace("-", " ").capitalize()


def about(name: str) -> str:
    """One sentence about a report."""
    return TITLES[name][1] if name in TITLES else ""
