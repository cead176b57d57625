"""The tables' tables. Re-exports modules for Django; import the modules themselves elsewhere."""

from tables.models import odds, rounds, rulesets, tables, voids

__all__ = ["odds", "rounds", "rulesets", "tables", "voids"]
