"""The console's pages of the tables; Django finds them here."""

from tables.admin import rounds, tables

__all__ = ["rounds", "tables"]
