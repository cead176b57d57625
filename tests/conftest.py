"""What tests of several folders share."""

from urllib.parse import quote

import pytest
from django.db import connection


@pytest.fixture
def service_environment(transactional_db: None) -> dict[str, str]:
    """Variables with which a process of the service (`config.processes.Fleet`) works on this test's database."""
    entry = connection.settings_dict
    user, password, host = (quote(str(entry[key]), safe="") for key in ("USER", "PASSWORD", "HOST"))
    port = f"&port={entry['PORT']}" if entry["PORT"] else ""
    secret = f"&password={password}" if password else ""
    return {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": f"postgresql:///{entry['NAME']}?host={host}&user={user}{port}{secret}",
    }
