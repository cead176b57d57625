"""Sites: where tables stand, by which clock their days run, and whether it is for play or for practice."""

from datetime import time

from django.db import models


class Site(models.Model):
    """A casino or studio. Everything of a sandbox site is a test: it never touches a live jackpot."""

    code = models.SlugField(max_length=32, unique=True)
    name = models.CharField(max_length=100)
    timezone = models.CharField(max_length=64, default="UTC", help_text="IANA name, such as Europe/Malta")
    day_starts_at = models.TimeField(default=time(6, 0), help_text="local time at which a gaming day begins")
    sandbox = models.BooleanField(default=False)

    def __str__(self) -> str:
        return self.code


class GamingDay(models.Model):
    """A gaming day of a site that was opened. A day that never was counts as closed."""

    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="days")
    day = models.DateField()
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["site", "day"], name="gaming_day_once")]

    def __str__(self) -> str:
        return f"{self.site_id} {self.day}"
