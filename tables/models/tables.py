"""Gaming tables."""

from django.db import models

from jackpot.models.jackpots import Jackpot
from jackpot.models.lanes import Lane
from jackpot.models.sites import Site
from jackpot.money import Currency, currency
from tables.models.rulesets import RuleSet


class Table(models.Model):
    """A gaming table of a site, its rule set, and the jackpot it is linked to, if any."""

    class State(models.TextChoices):
        OPEN = "open"
        SUSPENDED = "suspended"

    code = models.SlugField(max_length=32, unique=True)
    name = models.CharField(max_length=100)
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="tables")
    currency_code = models.CharField(max_length=3)
    rule_set = models.ForeignKey(RuleSet, on_delete=models.PROTECT, related_name="tables")
    jackpot = models.ForeignKey(Jackpot, on_delete=models.PROTECT, null=True, blank=True, related_name="tables")
    lane = models.ForeignKey(Lane, on_delete=models.PROTECT, related_name="tables")
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)

    def __str__(self) -> str:
        return self.code

    @property
    def currency(self) -> Currency:
        return currency(self.currency_code)
