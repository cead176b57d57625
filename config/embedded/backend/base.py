"""Django's PostgreSQL backend, with a lease on the embedded server taken at the first connection.

So a command that touches no data, such as `help`, a linter or a type checker, starts no server.
"""

from pathlib import Path
from typing import Any

from django.db.backends.postgresql import base

from config.embedded import leases


class DatabaseWrapper(base.DatabaseWrapper):
    """Expects the data directory in the settings entry's `EMBEDDED_IN`. Raises EmbeddedError on connecting."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        leases.hold(Path(self.settings_dict["EMBEDDED_IN"]), "postgres")
        return super().get_new_connection(conn_params)
