"""The console's pages of tables and their rule sets."""

from django.contrib import admin

from jackpot.admin.base import ReadOnly
from tables.models.rulesets import RuleSet, RuleSetVersion
from tables.models.tables import Table


@admin.register(Table)
class TableAdmin(ReadOnly):
    list_display = ("code", "name", "site", "rule_set", "jackpot", "currency_code", "state")
    list_select_related = ("site", "rule_set", "jackpot")
    list_filter = ("site", "rule_set", "jackpot", "state")
    search_fields = ("code", "name")


@admin.register(RuleSet)
class RuleSetAdmin(ReadOnly):
    list_display = ("code", "name")


@admin.register(RuleSetVersion)
class RuleSetVersionAdmin(ReadOnly):
    list_display = ("__str__", "in_force_at")
    list_select_related = ("rule_set",)
    list_filter = ("rule_set",)
