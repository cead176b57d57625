"""Who may call the API: integrators, and the keys that their machines carry."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from jackpot.domain.callers import Scope


class Integrator(models.Model):
    """A company whose systems send rounds. Rounds and their external ids belong to it."""

    name = models.CharField(max_length=100, unique=True)

    def __str__(self) -> str:
        return self.name


class ApiKey(models.Model):
    """A key `prefix.secret` of an integrator, limited to sites and scopes. Only the secret's hash is kept.

    An integrator may hold several live keys, so that one replaces another without a gap.
    """

    integrator = models.ForeignKey(Integrator, on_delete=models.PROTECT, related_name="keys")
    prefix = models.CharField(max_length=12, unique=True)
    secret_hash = models.CharField(max_length=64, help_text="SHA-256 of the secret, in hexadecimal")
    scopes = ArrayField(models.CharField(max_length=32, choices=[(scope.value, scope.value) for scope in Scope]))
    sites = models.ManyToManyField("jackpot.Site", related_name="keys")
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True, help_text="exact to the minute")

    class Meta:
        verbose_name = "API key"
        constraints = (
            models.CheckConstraint(condition=Q(expires_at__gt=F("created_at")), name="api_key_expires_after_creation"),
            models.CheckConstraint(
                condition=Q(scopes__len__gt=0, scopes__contained_by=[scope.value for scope in Scope]),
                name="api_key_scopes_known",
            ),
        )

    def __str__(self) -> str:
        return self.prefix


class Tally(models.Model):
    """How often somebody called in a span of time, where no Redis counts. A crash of PostgreSQL may lose it."""

    name = models.CharField(max_length=200, primary_key=True)
    span = models.BigIntegerField(help_text="which span since 1970")
    calls = models.IntegerField()
    counted_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "tallies"

    def __str__(self) -> str:
        return self.name
