"""Who calls the service, and what a caller may do."""

from dataclasses import dataclass
from enum import StrEnum


class Scope(StrEnum):
    """What an API key may be allowed to do."""

    ROUNDS_WRITE = "rounds:write"
    ROUNDS_READ = "rounds:read"
    JACKPOTS_READ = "jackpots:read"
    REPORTS_READ = "reports:read"
    AWARDS_WRITE = "awards:write"


READ_SCOPES = frozenset({Scope.ROUNDS_READ, Scope.JACKPOTS_READ, Scope.REPORTS_READ})
STAFF_SCOPES = READ_SCOPES | {Scope.AWARDS_WRITE}
"""What staff may do as far as scopes go: read everything, and move awards where their permissions allow it."""


@dataclass(frozen=True, slots=True)
class Caller:
    """An integrator's key, or a member of staff.

    A key is bound to its integrator and its sites. Staff have neither (None): they read everything.
    """

    scopes: frozenset[Scope]
    integrator_id: int | None = None
    site_ids: frozenset[int] | None = None
    key_id: int | None = None
    user_id: int | None = None

    def __post_init__(self) -> None:
        if (self.key_id is None) == (self.user_id is None):
            raise ValueError("a caller is either a key or a person")
        if self.key_id is not None and (self.integrator_id is None or self.site_ids is None):
            raise ValueError("a key is bound to an integrator and to sites")

    @property
    def is_person(self) -> bool:
        return self.user_id is not None

    @property
    def actor(self) -> str:
        """Who this is in the books: a reference that outlives names, such as "user:17" or "key:5"."""
        return actor_of(user_id=self.user_id, key_id=self.key_id)


def actor_of(*, user_id: int | None, key_id: int | None) -> str:
    """The reference by which the books know a person or a key."""
    return f"key:{key_id}" if user_id is None else f"user:{user_id}"
