"""The tables' tables. Re-exports modules for Django; import the modules themselves elsewhere."""

from tables.models import rounds, rulesets, tables, voids

__all__ = ["rounds", "rulesets", "tables", "voids"]
