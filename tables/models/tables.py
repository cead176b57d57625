"""Gaming tables, and how each was set up when."""

from django.db import models

from jackpot.models.change_requests import ChangeDecision
from jackpot.models.jackpots import Jackpot
from jackpot.models.lanes import Lane
from jackpot.models.sites import Site
from jackpot.money import Currency, currency
from tables.models.rulesets import RuleSet


class Table(models.Model):
    """A gaming table of a site, its rule set, and the jackpot it is linked to, if any: as its last `TableSetup` says.

    `set_up_at` is from when it has been so; None where it was never set up otherwise.
    """

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
    set_up_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        permissions = [("suspend_table", "Can suspend and resume a table")]

    def __str__(self) -> str:
        return self.code

    @property
    def currency(self) -> Currency:
        return currency(self.currency_code)


class TableSetup(models.Model):
    """What a table plays from an instant on: a rule set, a jackpot if any, a lane. Append-only, guarded by
    `sql/set_up.sql`.

    `number` counts from 1 for each table. `change` is its approval by a second person; the first one of a table that a
    command opened has none. A round belongs to the setup in force at its lock-out, whenever it comes in.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, db_index=False, related_name="setups")
    number = models.PositiveIntegerField()
    rule_set = models.ForeignKey(RuleSet, on_delete=models.PROTECT, related_name="+")
    jackpot = models.ForeignKey(Jackpot, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    lane = models.ForeignKey(Lane, on_delete=models.PROTECT, related_name="+")
    in_force_at = models.DateTimeField()
    change = models.OneToOneField(
        ChangeDecision, on_delete=models.PROTECT, null=True, blank=True, related_name="table_setup"
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "number"], name="table_setup_once")]

    def __str__(self) -> str:
        return f"{self.table.code}, setup {self.number}"
