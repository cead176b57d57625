"""What the environment variables mean."""

import re

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import env


def database(monkeypatch: pytest.MonkeyPatch, url: str, **changes: int) -> dict[str, object]:
    monkeypatch.setattr(env, "DATABASE_URL", url)
    for name, value in changes.items():
        monkeypatch.setattr(env, name, value)
    return env.database()


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("postgresql://ann:s%40cret@db:5433/books", ("books", "ann", "s@cret", "db", "5433")),
        ("postgres://ann@db/books", ("books", "ann", "", "db", "")),
        ("postgresql:///books?host=/var/run/postgresql&user=ann", ("books", "ann", "", "/var/run/postgresql", "")),
        ("postgresql://ann@%2Fvar%2Frun/books", ("books", "ann", "", "/var/run", "")),
    ],
)
def test_a_database_url_is_read_as_postgresql_reads_it(
    monkeypatch: pytest.MonkeyPatch, url: str, expected: tuple[str, ...]
) -> None:
    entry = database(monkeypatch, url)
    assert tuple(entry[key] for key in ("NAME", "USER", "PASSWORD", "HOST", "PORT")) == expected
    assert entry["ENGINE"] == "django.db.backends.postgresql"


@pytest.mark.parametrize("url", ["mysql://db/books", "postgresql://db", "host=db dbname=books", "postgresql://a?b=c"])
def test_another_database_url_is_refused(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL"):
        database(monkeypatch, url)


OWNED = "postgresql://owner@db/books"
USED = "postgresql://app@db/books"


@pytest.mark.parametrize(
    ("url", "owner_url", "role", "users"),
    [
        ("", "", "jackpot_app", ("jackpot_app", "postgres")),
        (USED, OWNED, "app", ("app", "owner")),
        (USED, "", "", ("app", "app")),
        (OWNED, OWNED, "", ("owner", "owner")),
    ],
)
def test_the_service_and_the_owner_of_its_tables(
    monkeypatch: pytest.MonkeyPatch, url: str, owner_url: str, role: str, users: tuple[str, str]
) -> None:
    monkeypatch.setattr(env, "DATABASE_URL", url)
    monkeypatch.setattr(env, "DATABASE_OWNER_URL", owner_url)
    assert env.application_role() == role
    assert (env.database()["USER"], env.owner_database()["USER"]) == users


@pytest.mark.parametrize("url", ["", "postgresql:///books"])
def test_an_owner_without_another_role_beside_it_is_refused(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setattr(env, "DATABASE_URL", url)
    monkeypatch.setattr(env, "DATABASE_OWNER_URL", OWNED)
    with pytest.raises(ImproperlyConfigured, match="names the application's role"):
        env.application_role()


def test_the_url_adds_options_and_wins_over_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    url = "postgresql://db/books?sslmode=require&options=-c%20lock_timeout%3D1"
    options = database(monkeypatch, url, DATABASE_LOCK_TIMEOUT=7)["OPTIONS"]
    assert isinstance(options, dict)
    assert options["sslmode"] == "require"
    assert options["options"].startswith("-c lock_timeout=7 ")
    assert options["options"].endswith("-c lock_timeout=1")
    assert "pool" not in options


def test_sessions_prefer_an_index_and_the_url_may_say_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    options = database(monkeypatch, "postgresql://db/books?options=-c%20random_page_cost%3D4")["OPTIONS"]
    assert isinstance(options, dict)
    assert re.findall(r"random_page_cost=([\d.]+)", str(options["options"])) == ["1.1", "4"]


def test_a_pool_is_there_only_when_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    options = database(monkeypatch, "", DATABASE_POOL=3)["OPTIONS"]
    assert isinstance(options, dict)
    assert options["pool"]["max_size"] == 3


@pytest.mark.parametrize("url", ["redis://h/1", "rediss://h/1", "redis+socket:///run/x.sock", "amqp://g:g@h//"])
def test_a_broker_url_is_taken_as_it_is(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setattr(env, "BROKER_URL", url)
    assert env.broker_url() == url


def test_without_one_the_broker_is_the_embedded_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(env, "BROKER_URL", "")
    assert env.broker_url().startswith("redis+socket:///")


@pytest.mark.parametrize("url", ["sqs://", "h:6379", "filesystem://"])
def test_another_broker_is_refused(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setattr(env, "BROKER_URL", url)
    with pytest.raises(ImproperlyConfigured, match="BROKER_URL"):
        env.broker_url()


@pytest.mark.parametrize(
    ("throttle", "broker", "expected"),
    [
        ("", "redis://h:1/2", "redis://h:1/2"),
        ("", "redis+socket:///run/x.sock?virtual_host=3", "unix:///run/x.sock?db=3"),
        ("", "amqp://g:g@h//", ""),
        ("rediss://t/1", "amqp://g:g@h//", "rediss://t/1"),
        ("unix:///run/y.sock?db=1", "", "unix:///run/y.sock?db=1"),
    ],
)
def test_callers_are_counted_in_the_broker_or_where_that_is_no_redis_in_the_database(
    monkeypatch: pytest.MonkeyPatch, throttle: str, broker: str, expected: str
) -> None:
    monkeypatch.setattr(env, "THROTTLE_URL", throttle)
    monkeypatch.setattr(env, "BROKER_URL", broker)
    assert env.throttle_url() == expected


def test_without_any_variable_callers_are_counted_in_the_embedded_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("THROTTLE_URL", "BROKER_URL"):
        monkeypatch.setattr(env, name, "")
    assert env.throttle_url().startswith("unix:///") and env.throttle_url().endswith("?db=0")


@pytest.mark.parametrize("url", ["memcached://h", "amqp://g:g@h//", "h:6379"])
def test_another_place_to_count_is_refused(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setattr(env, "THROTTLE_URL", url)
    with pytest.raises(ImproperlyConfigured, match="THROTTLE_URL"):
        env.throttle_url()
