"""The jackpot's front door: what other apps may call, and the values they hand over and get back.

Callers import the module: `from jackpot import services as jackpot`. Of the models in it (`Award`, `ChangeRequest`,
`Jackpot`, `Lane`, `Site`) they take rows that were handed to them; to find rows there are `jackpot.selectors`.
"""

from jackpot.domain.audit import Findings
from jackpot.domain.callers import Caller, Scope
from jackpot.domain.chain import head, heads_in
from jackpot.domain.change_requests import REASONS, ChangeKind, Decision
from jackpot.domain.changes import Changed, changed
from jackpot.domain.closings import OpenRound, StaysOpen
from jackpot.domain.events import Event, EventType
from jackpot.domain.meter import Kind as StatementKind
from jackpot.domain.policy import CHOICES as POLICY_CHOICES
from jackpot.domain.policy import AfterShare, Basis, Policy
from jackpot.domain.postings import Document, LockOut, Settlement, Source, Wager
from jackpot.domain.progressive import Claim, Outcome, Prize
from jackpot.models.awards import Award
from jackpot.models.change_requests import ChangeDecision, ChangeRequest
from jackpot.models.jackpots import Jackpot
from jackpot.models.lanes import Lane
from jackpot.models.sites import Site
from jackpot.selectors.sealed import SealedEntry
from jackpot.services.books import (
    TIME_ZONES,
    check_code,
    lane_of,
    open_jackpot,
    open_site,
    open_site_as,
    open_table_books,
)
from jackpot.services.bulk import copy_rows
from jackpot.services.changes.adjustments import approve_adjustment
from jackpot.services.changes.change_requests import refuse_change, withdraw_change
from jackpot.services.changes.corrections import (
    CORRECTION_REASONS,
    Replaced,
    Replacing,
    approve_correction,
    ask_correction,
)
from jackpot.services.changes.foreseen import foresee
from jackpot.services.changes.of_tables import approve_of_tables, approved_of_tables, ask_of_tables
from jackpot.services.changes.openings import approve_opening, ask_for_jackpot, by_command
from jackpot.services.changes.policies import approve_policy, ask_for_policy
from jackpot.services.changes.retiring import approve_retirement
from jackpot.services.changes.transfers import approve_transfer
from jackpot.services.clients import issue_key
from jackpot.services.closing import Closed, close_day, days_over, foresee_closing
from jackpot.services.constraints import refined
from jackpot.services.days import Calendar, open_today
from jackpot.services.events import publish
from jackpot.services.lanes import enqueue, leave, next_places, take
from jackpot.services.posting import Posted, post
from jackpot.services.proof.audit import Counts, Progress, replay
from jackpot.services.proof.expecting import (
    Showdown,
    Staked,
    Terms,
    expect_contributions,
    expect_outcomes,
    prizes_owed,
)
from jackpot.services.proof.verify import Facts, Heads, Verified, verify, verify_heads
from jackpot.services.proof.verify_changes import verify_changes
from jackpot.services.staff import person_who_may

__all__ = [
    "CORRECTION_REASONS",
    "POLICY_CHOICES",
    "REASONS",
    "TIME_ZONES",
    "AfterShare",
    "Award",
    "Basis",
    "Calendar",
    "Caller",
    "ChangeDecision",
    "ChangeKind",
    "ChangeRequest",
    "Changed",
    "Claim",
    "Closed",
    "Counts",
    "Decision",
    "Document",
    "Event",
    "EventType",
    "Facts",
    "Findings",
    "Heads",
    "Jackpot",
    "Lane",
    "LockOut",
    "OpenRound",
    "Outcome",
    "Policy",
    "Posted",
    "Prize",
    "Progress",
    "Replaced",
    "Replacing",
    "Scope",
    "SealedEntry",
    "Settlement",
    "Showdown",
    "Site",
    "Source",
    "Staked",
    "StatementKind",
    "StaysOpen",
    "Terms",
    "Verified",
    "Wager",
    "approve_adjustment",
    "approve_correction",
    "approve_of_tables",
    "approve_opening",
    "approve_policy",
    "approve_retirement",
    "approve_transfer",
    "approved_of_tables",
    "ask_correction",
    "ask_for_jackpot",
    "ask_for_policy",
    "ask_of_tables",
    "by_command",
    "changed",
    "check_code",
    "close_day",
    "copy_rows",
    "days_over",
    "enqueue",
    "expect_contributions",
    "expect_outcomes",
    "foresee",
    "foresee_closing",
    "head",
    "heads_in",
    "issue_key",
    "lane_of",
    "leave",
    "next_places",
    "open_jackpot",
    "open_site",
    "open_site_as",
    "open_table_books",
    "open_today",
    "person_who_may",
    "post",
    "prizes_owed",
    "publish",
    "refined",
    "refuse_change",
    "replay",
    "take",
    "verify",
    "verify_changes",
    "verify_heads",
    "withdraw_change",
]
