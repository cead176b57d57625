"""The console's pages of the jackpot; Django finds them here."""

from jackpot.admin import clients, jackpots, log, signing_in, staff, webhooks

__all__ = ["clients", "jackpots", "log", "signing_in", "staff", "webhooks"]
