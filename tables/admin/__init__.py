"""The console's pages of the tables; Django finds them here."""

from tables.admin import awards, rounds, tables

__all__ = ["awards", "rounds", "tables"]
