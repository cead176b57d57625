"""Where the callers of the API are counted: in a Redis, usually the broker, or in the database (None)."""

from functools import cache
from typing import Any

import redis

from config import env
from config.embedded import leases
from config.embedded.servers import EmbeddedError

# A count must never cost a caller more than this.
_SECONDS = 0.5


@cache
def server() -> "redis.Redis | None":
    """The Redis to count in; None where the database does. Connects to nothing yet."""
    url = env.throttle_url()
    if not url:
        return None
    options: dict[str, Any] = {"socket_timeout": _SECONDS, "socket_connect_timeout": _SECONDS}
    if not env.THROTTLE_URL and not env.BROKER_URL:
        options["connection_class"] = _Leased
    return redis.Redis(connection_pool=redis.ConnectionPool.from_url(url, **options))


class _Leased(redis.UnixDomainSocketConnection):
    """Takes a lease on the embedded broker before it connects to it."""

    def connect(self) -> None:
        try:
            leases.hold(env.DATA_DIR, "broker")
        except EmbeddedError as error:
            raise redis.ConnectionError(str(error)) from error
        super().connect()
