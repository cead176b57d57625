"""The demo's three checks, recomputed from scratch: the ledger, the meters, and every settlement."""

from dataclasses import dataclass

from jackpot import services as jackpot
from jackpot.selectors import books
from tables.demo.house import House
from tables.services import audit as audits


@dataclass(frozen=True, slots=True)
class Checks:
    """What the checks came to; `trouble` says in words what failed."""

    ledger_balanced: bool
    meter_reconciled: bool
    audit: audits.Audit
    pots: list[books.PotCheck]
    trouble: list[str]

    @property
    def differences(self) -> int:
        return self.audit.findings.count

    @property
    def passed(self) -> bool:
        return self.ledger_balanced and self.meter_reconciled and self.audit.proved


def check(house: House, *, progress: jackpot.Progress = lambda done, total: None) -> Checks:
    """Check everything a house's rounds have left in the books."""
    ledger = _ledger_trouble(house)
    pots = books.check_pots(house.progressive)
    meter = _meter_trouble(house, pots)
    audit = audits.audit(audits.lanes_of(jackpots=[house.progressive], sites=[house.site]), progress=progress)
    found = [str(difference) for difference in audit.findings.differences]
    return Checks(not ledger, not meter, audit, pots, ledger + meter + found)


def _ledger_trouble(house: House) -> list[str]:
    """Entries that touch the house's accounts and do not add up to zero; a trial balance that does not."""
    balances = books.trial_balance(house.site)
    trouble = [f"entry {entry} does not balance" for entry in books.unbalanced_entries(balances)]
    if total := sum(balances.values()):
        trouble.append(f"the trial balance is {total} units, not zero")
    return trouble


def _meter_trouble(house: House, pots: list[books.PotCheck]) -> list[str]:
    trouble = [
        f"{pot.pot} of level {pot.level}: stored {pot.stored}, statement {pot.statement}, ledger {pot.ledger}"
        for pot in pots
        if not pot.agrees
    ]
    trouble += [
        f"{roll.pot} of level {roll.level}: the roll-forward does not foot"
        for roll in books.roll_forward(house.progressive)
        if not roll.foots
    ]
    owed, unpaid = books.unpaid_awards(house.progressive)
    if owed != unpaid:
        trouble.append(f"the ledger owes {owed} units of awards, unpaid awards add up to {unpaid}")
    return trouble
