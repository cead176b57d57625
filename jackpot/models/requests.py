"""Requests that may be repeated: what was asked under an `Idempotency-Key`, and what was answered."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from jackpot.models.clients import Integrator


class AnsweredRequest(models.Model):
    """A request that succeeded, kept for ever with its answer: asked again, it is answered the same.

    A key is one integrator's, or one person's. `digest` is that of method, path and normalised body.
    """

    integrator = models.ForeignKey(Integrator, on_delete=models.PROTECT, null=True, related_name="answered")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="answered")
    key = models.CharField(max_length=255)
    digest = models.BinaryField(help_text="SHA-256")
    answer = models.TextField(help_text="JSON, as it was sent")
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["integrator", "key"], name="request_of_integrator_once"),
            models.UniqueConstraint(fields=["user", "key"], name="request_of_person_once"),
            models.CheckConstraint(
                condition=Q(user=None, integrator__isnull=False) | Q(user__isnull=False, integrator=None),
                name="request_of_one",
            ),
        ]

    def __str__(self) -> str:
        return self.key
