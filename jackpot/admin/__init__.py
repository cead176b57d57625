"""The console's pages of the jackpot; Django finds them here."""

from jackpot.admin import awards, clients, jackpots, log, readings, signing_in, staff, webhooks

__all__ = ["awards", "clients", "jackpots", "log", "readings", "signing_in", "staff", "webhooks"]
