"""PostgreSQL, Redis and RabbitMQ on their standard ports: whether they answer, and a test's own place on each."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from secrets import token_hex
from typing import Any

import psycopg
import pytest
from kombu.connection import Connection
from kombu.exceptions import OperationalError
from psycopg import sql

SECONDS = 3
POSTGRES = "postgresql://postgres@127.0.0.1:5432"
APPLICATION = "postgresql://jackpot_app@127.0.0.1:5432"
"""PostgreSQL as its superuser, who owns the databases of tests, and as the service works on them: no passwords."""
BROKERS = {"Redis": "redis://127.0.0.1:6379/9", "RabbitMQ": "amqp://guest:guest@127.0.0.1:5672//"}
EMPTY = "template1"
_PORTS = {"PostgreSQL": 5432, "Redis": 6379, "RabbitMQ": 5672}


def needs(server: str) -> None:
    """Skip the test where this server does not answer."""
    if why := trouble(server):
        pytest.skip(why)


@contextmanager
def new_database(template: str = EMPTY) -> Iterator[dict[str, str]]:
    """The variables of a new database, which is dropped at the end together with the one pytest makes of it."""
    name = f"real_{token_hex(4)}"
    with psycopg.connect(f"{POSTGRES}/postgres", autocommit=True) as server:
        server.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(*map(sql.Identifier, (name, template))))
        try:
            yield {"DATABASE_URL": f"{APPLICATION}/{name}", "DATABASE_OWNER_URL": f"{POSTGRES}/{name}"}
        finally:
            for made in (name, f"test_{name}"):
                server.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(made)))


@contextmanager
def new_queue(server: str) -> Iterator[dict[str, str]]:
    """The service's variables for a new queue on a broker; at the end nothing of it is left there."""
    queue = f"real-{token_hex(4)}"
    try:
        # Not the tests' settings, which have a queue of their own.
        yield {"DJANGO_SETTINGS_MODULE": "config.settings", "BROKER_URL": BROKERS[server], "QUEUE": queue}
    finally:
        with Connection(BROKERS[server], connect_timeout=SECONDS) as broker:
            for name in (queue, f"{queue}-webhooks"):
                if server == "Redis":
                    _remove_keys(broker.default_channel.client, name)
                else:
                    broker.default_channel.queue_delete(name)
                    broker.default_channel.exchange_delete(name)


def _remove_keys(redis: Any, queue: str) -> None:
    """The queue, its bindings, and the messages that killed workers never acknowledged: all queues keep them in one."""
    redis.delete(queue, f"_kombu.binding.{queue}", f"_kombu.binding_permanent.{queue}")
    for tag, kept in redis.hgetall("unacked").items():
        _, _, routing_key = json.loads(kept)
        if routing_key == queue:
            redis.hdel("unacked", tag)
            redis.zrem("unacked_index", tag)


@cache
def trouble(server: str) -> str:
    """Why a server can't be used; empty where it can."""
    if why := _trouble(server):
        return f"no {server} answers on 127.0.0.1:{_PORTS[server]}: {why}"
    return ""


def _trouble(server: str) -> str:
    if server == "PostgreSQL":
        try:
            psycopg.connect(f"{POSTGRES}/postgres", connect_timeout=SECONDS).close()
        except psycopg.OperationalError as error:
            return str(error).rsplit(": ", 1)[-1].strip()
        return ""
    with Connection(BROKERS[server], connect_timeout=SECONDS) as broker:
        try:
            broker.ensure_connection(max_retries=1, timeout=SECONDS)
        except (OperationalError, OSError, *broker.connection_errors, *broker.channel_errors) as error:
            return str(error) or type(error).__name__
    return ""
