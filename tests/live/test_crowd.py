"""Many clients cost a process neither database connections nor threads, and a stop waits for none of them."""

from pathlib import Path

from django.db import connection

from config.processes import Fleet
from jackpot.live.listening import SESSION_NAME
from tests.factories import play, reported, royal
from tests.live.conftest import Service
from tests.live.crowd import AT_ONCE, Crowd
from tests.owner import application_url

CLIENTS = 1_000
POOL = 8


def test_a_crowd_costs_one_connection_and_a_hit_reaches_them_all(service: Service) -> None:
    with service.follow() as follower, Crowd(service.address, service.key) as crowd:
        follower.wait_for("meter")
        crowd.arrive(CLIENTS)
        assert _sessions(SESSION_NAME) == 1
        assert _sessions("jackpot") <= POOL + 1  # this process's own
        assert _threads(service.fleet) < 40 + AT_ONCE  # those that answered so many together stay for the next
        play(reported(royal()))
        crowd.wait(lambda: crowd.told.get("reset") == CLIENTS, "a hit for everybody")
        crowd.wait(lambda: crowd.told.get("meter") == 2 * CLIENTS, "the new meter for everybody")
        assert crowd.told["hit"] == CLIENTS
        assert _sessions(SESSION_NAME) == 1


def test_a_stop_ends_streams_at_once(service: Service, tmp_path: Path) -> None:
    with Fleet(log_dir=tmp_path, environment={"DATABASE_URL": application_url()}) as fleet:
        service.address = fleet.web(processes=2)
        followers = [service.follow() for _ in range(6)]
        for follower in followers:
            follower.wait_for("meter")
        fleet.stop()
        assert all(follower.ended.wait(5) for follower in followers)
        assert all(follower.answer.isclosed() for follower in followers), "they ended in the middle of a chunk"
    assert (tmp_path / "web.log").read_text() == "", "gunicorn had to close connections by force"


def _sessions(name: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = %s", [name]
        )
        found: int = cursor.fetchone()[0]
    return found


def _worker(fleet: Fleet) -> Path:
    """The web process under gunicorn's own."""
    parent = fleet.children[0].pid
    (child,) = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return Path("/proc") / child


def _threads(fleet: Fleet) -> int:
    return len(list((_worker(fleet) / "task").iterdir()))
