"""The jackpot's tables. Re-exports modules' classes for Django; import the modules themselves elsewhere."""

from jackpot.models import (
    awards,
    change_requests,
    clients,
    closings,
    events,
    jackpot_states,
    jackpots,
    lanes,
    ledger,
    readings,
    requests,
    second_factors,
    sites,
    terms,
    webhooks,
)

__all__ = [
    "awards",
    "change_requests",
    "clients",
    "closings",
    "events",
    "jackpot_states",
    "jackpots",
    "lanes",
    "ledger",
    "readings",
    "requests",
    "second_factors",
    "sites",
    "terms",
    "webhooks",
]
