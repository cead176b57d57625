"""Playing dealt rounds over HTTP as an integrator would: singles and batches, several clients at once, retries."""

import itertools
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from random import Random
from typing import Any

import httpx

from tables.demo.dealing import Dealt

CLIENTS = 4
_SINGLES = 4
_SMALLEST_BATCH, _LARGEST_BATCH = 20, 80
_ATTEMPTS = 6
_WAIT_SECONDS = 10
_LOOK_EVERY = 1.0
_AGAIN = frozenset({429, 502, 503, 504})

Job = Sequence[Dealt]
"""What is sent with one request: one round, or a batch."""


class PlayError(RuntimeError):
    """A round was refused, or the service could not be reached; the message says which and why."""


class Client:
    """A client of the API with one key. Sending again is harmless: a round's `external_id` identifies it for ever."""

    def __init__(self, address: str, key: str) -> None:
        self._http = httpx.Client(
            base_url=f"{address}/api/v1",
            headers={"Authorization": f"Bearer {key}"},
            timeout=httpx.Timeout(30.0, connect=5.0),
            limits=httpx.Limits(max_connections=CLIENTS),
        )
        self._closed = threading.Event()

    def close(self) -> None:
        """Close the connections; whoever waits to try again gives up."""
        self._closed.set()
        self._http.close()

    def send(self, job: Job) -> list[dict[str, Any]]:
        """Send one round and wait for its settlement, or send a batch; the rounds as the service answers them."""
        if len(job) == 1:
            return [self._post("/rounds/", job[0].body, {"Prefer": f"wait={_WAIT_SECONDS}"})]
        results = self._post("/rounds/batch/", {"rounds": [dealt.body for dealt in job]}, {})["results"]
        for result in results:
            if "round" not in result:
                raise PlayError(f"round {job[result['index']].body['external_id']}: {_told(result['problem'])}")
        return [result["round"] for result in results]

    def _post(self, path: str, body: dict[str, Any], headers: dict[str, str]) -> dict[str, Any]:
        """POST until the service takes it, a few times at most: it may be busy, or the connection may be lost."""
        trouble, attempt = "", 0
        for attempt in range(_ATTEMPTS):
            if attempt and self._closed.wait(0.1 * 2**attempt):
                break
            try:
                answer = self._http.post(path, json=body, headers=headers)
            except httpx.TransportError as error:
                trouble = f"{type(error).__name__}: {error}"
                continue
            if answer.status_code in _AGAIN:
                trouble = f"{answer.status_code}: {answer.text[:200]}"
                continue
            if answer.is_success:
                taken: dict[str, Any] = answer.json()
                return taken
            raise PlayError(f"POST {path}: {answer.status_code} {_told(_problem(answer))}")
        raise PlayError(f"POST {path}: not taken after {attempt + 1} attempts: {trouble}")


def jobs(rounds: Iterable[Dealt], seed: int) -> Iterator[Job]:
    """Rounds as they are sent, in order: a few singles, then a batch; those dealt to hit always single."""
    chance = Random(seed)  # noqa: S311
    batch: list[Dealt] = []
    singles, size = _SINGLES, _size(chance)
    for dealt in rounds:
        if dealt.blueprint is not None or singles:
            if batch:
                yield batch
                batch = []
            singles = max(0, singles - 1)
            yield [dealt]
            continue
        batch.append(dealt)
        if len(batch) == size:
            yield batch
            batch, singles, size = [], _SINGLES, _size(chance)
    if batch:
        yield batch


def play(client: Client, work: Iterable[Job]) -> Iterator[Job]:
    """Send jobs with several clients at once, in order but for what is under way; yields each that is done.

    Yields an empty job each second in which none was done: the caller may look whether all is well.
    Raises what the first failed job raised; no further job is begun then.
    """
    todo = iter(work)
    pool = ThreadPoolExecutor(CLIENTS, thread_name_prefix="client")
    under_way: dict[Future[list[dict[str, Any]]], Job] = {}
    try:
        while True:
            for job in itertools.islice(todo, CLIENTS - len(under_way)):
                under_way[pool.submit(client.send, job)] = job
            if not under_way:
                return
            done, _ = wait(under_way, timeout=_LOOK_EVERY, return_when=FIRST_COMPLETED)
            if not done:
                yield []
            for future in done:
                future.result()
                yield under_way.pop(future)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _size(chance: Random) -> int:
    return chance.randint(_SMALLEST_BATCH, _LARGEST_BATCH)


def _problem(answer: httpx.Response) -> dict[str, Any]:
    try:
        problem = answer.json()
    except ValueError:
        problem = None
    return problem if isinstance(problem, dict) else {"detail": answer.text[:200]}


def _told(problem: dict[str, Any]) -> str:
    """A problem document in one line, with the place of its first error."""
    first = (problem.get("errors") or [{}])[0]
    return " ".join(str(part) for part in (problem.get("code"), first.get("pointer"), problem.get("detail")) if part)
