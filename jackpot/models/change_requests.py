"""Changes that one person asks for and another decides on. Append-only, guarded by `sql/change_requests.sql`.

What is asked and what stood then are documents of the kind's own (`jackpot.services` has a module for each kind).
"""

from django.conf import settings
from django.db import models

from jackpot.domain.change_requests import ChangeKind, Decision
from jackpot.models.jackpots import Jackpot
from jackpot.models.ledger import Entry
from jackpot.models.sites import Site


class ChangeRequest(models.Model):
    """What somebody asks to be changed, why, and what stood when it was asked.

    `jackpot` is whose lane seals the decision; without one it is that of `site`. `subject` names what would change.
    """

    id = models.UUIDField(primary_key=True)
    kind = models.CharField(max_length=12, choices=[(kind.value, kind.value) for kind in ChangeKind])
    jackpot = models.ForeignKey(Jackpot, on_delete=models.PROTECT, null=True, blank=True, related_name="changes")
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="changes")
    subject = models.CharField(max_length=100)
    reason = models.CharField(max_length=24)
    note = models.CharField(max_length=500, blank=True)
    document = models.JSONField()
    before = models.JSONField()
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="changes_asked")
    asked_at = models.DateTimeField()

    class Meta:
        permissions = [
            (f"{verb}_{kind}", f"Can {verb} a change: {kind}") for kind in ChangeKind for verb in ("ask", "decide")
        ]
        indexes = [
            models.Index(fields=["jackpot", "asked_at"], name="change_by_jackpot"),
            models.Index(fields=["subject"], name="change_by_subject"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}"


class ChangeDecision(models.Model):
    """The one decision on a request, with what was changed from what to what; `entry` seals both."""

    request = models.OneToOneField(ChangeRequest, on_delete=models.PROTECT, related_name="decided")
    decision = models.CharField(max_length=9, choices=[(decision.value, decision.value) for decision in Decision])
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="changes_decided")
    at = models.DateTimeField()
    note = models.CharField(max_length=500, blank=True)
    before = models.JSONField(null=True, blank=True)
    after = models.JSONField(null=True, blank=True)
    entry = models.OneToOneField(Entry, on_delete=models.PROTECT, related_name="change_decision")

    def __str__(self) -> str:
        return f"{self.decision} {self.request_id}"
