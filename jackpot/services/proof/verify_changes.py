"""What two people stand for must be there as they decided it, and what needs two people has them: jackpots and their
policies, in the whole database. What of it belongs to the tables, they verify.
"""

from jackpot.domain.audit import Findings
from jackpot.models.jackpots import Jackpot
from jackpot.services.changes import openings, policies


def verify_changes(findings: Findings) -> None:
    """Name what versions of policies say otherwise than their approvals, and openings of which no jackpot came."""
    for jackpot in Jackpot.objects.order_by("code"):
        for found in policies.differences(jackpot):
            findings.add(found.what, f"policy {found.version}", expected=found.expected, stored=found.stored)
    for request in openings.not_opened():
        findings.missing("change", f"{request}", "what was approved")
