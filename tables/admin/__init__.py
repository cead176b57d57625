"""The console's pages of the tables; Django finds them here."""

from tables.admin import awards, changes, policies, rounds, tables

__all__ = ["awards", "changes", "policies", "rounds", "tables"]
