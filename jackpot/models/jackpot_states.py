"""What became of a jackpot's state: suspended, resumed, retired. Append-only, guarded by `sql/moves.sql`."""

from django.conf import settings
from django.db import models

from jackpot.models.change_requests import ChangeRequest
from jackpot.models.jackpots import Jackpot


class JackpotStateChange(models.Model):
    """A jackpot went from one state to another: when, by whom, and why. `Jackpot.state` is that of the last one.

    One person suspends and resumes, since no money moves; a retirement has its request, which another approved.
    """

    jackpot = models.ForeignKey(Jackpot, on_delete=models.PROTECT, related_name="state_changes")
    before = models.CharField(max_length=10, choices=Jackpot.State)
    after = models.CharField(max_length=10, choices=Jackpot.State)
    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    note = models.CharField(max_length=500, blank=True)
    request = models.OneToOneField(ChangeRequest, on_delete=models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        permissions = [("suspend_jackpot", "Can suspend and resume a jackpot")]

    def __str__(self) -> str:
        return f"{self.jackpot.code}: {self.before} to {self.after}"
