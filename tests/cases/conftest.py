"""The house and the clients of `tests.api`, for cases that go through its door."""

from tests.api.conftest import acme, caller, clock, rival, site

__all__ = ["acme", "caller", "clock", "rival", "site"]
