"""The console's pages of the jackpot; Django finds them here."""

from jackpot.admin import clients, jackpots, staff, webhooks

__all__ = ["clients", "jackpots", "staff", "webhooks"]
