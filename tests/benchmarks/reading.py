"""A client of the API in this process: answers as they leave the service, without a network and a web server."""

import base64
import json
import time
from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import parse_qs, urlsplit

from django.test import Client

from tests.benchmarks import measuring

API = "/api/v1/"


class Reader:
    """Reads with a key; whatever is not answered with 200 is an error."""

    def __init__(self, key: str) -> None:
        headers = {"Authorization": f"Bearer {key}", "Host": "localhost", "Accept": "application/json"}
        self._client = Client(headers=headers)

    def milliseconds(self, path: str) -> float:
        """How long the answer to a call took."""
        began = time.perf_counter()
        self._answer(path)
        return (time.perf_counter() - began) * 1_000

    def slowest(self, paths: Iterable[str], *, percent: int) -> float:
        """The milliseconds that so many percent of these calls do not exceed."""
        return measuring.percentile([self.milliseconds(path) for path in paths], percent)

    def page_behind(self, path: str, values: Sequence[object]) -> str:
        """The page of a list (a path without a query) behind the row that has these values of the list's order."""
        following = parse_qs(urlsplit(self._answer(f"{path}?page_size=1")["next"]).query)["cursor"][0]
        mark, back, *_ = json.loads(base64.urlsafe_b64decode(following + "=" * (-len(following) % 4)))
        document = json.dumps([mark, back, *map(str, values)])
        cursor = base64.urlsafe_b64encode(document.encode()).decode().rstrip("=")
        return f"{path}?cursor={cursor}"

    def _answer(self, path: str) -> Any:
        answer = self._client.get(API + path)
        if answer.status_code != 200:
            raise RuntimeError(f"{path}: {answer.status_code} {answer.content[:300]!r}")
        return answer.json()
