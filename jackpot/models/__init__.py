"""The jackpot's tables. Re-exports modules' classes for Django; import the modules themselves elsewhere."""

from jackpot.models import (
    awards,
<<<<<<< HEAD
    clients,
    closings,
=======
    change_requests,
    clients,
>>>>>>> main
    events,
    jackpots,
    lanes,
    ledger,
    readings,
    requests,
    sites,
    webhooks,
)

__all__ = [
    "awards",
<<<<<<< HEAD
    "clients",
    "closings",
=======
    "change_requests",
    "clients",
>>>>>>> main
    "events",
    "jackpots",
    "lanes",
    "ledger",
    "readings",
    "requests",
    "sites",
    "webhooks",
]
