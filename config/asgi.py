"""ASGI entry: everything, streams included. What `serve` and `make run` use."""

import os
import resource

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup(set_prefix=False)

from config import env  # noqa: E402
from config.answering import Answering  # noqa: E402
from config.edge import Edge  # noqa: E402 - Django's apps come first
from jackpot.http.streaming import Streams  # noqa: E402

_FILES_BESIDE = 256
"""What a web process opens beside its streams: requests, database connections, modules."""


def _room(*wanted: int) -> list[int]:
    """How many streams of each kind there may be: each is an open file. Files are allowed as far as the system lets
    them; where that is too few, each kind gets its share.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = sum(wanted) + _FILES_BESIDE
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return list(wanted)
    soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    room = max(0, soft - _FILES_BESIDE)
    return [room * streams // sum(wanted) for streams in wanted]


_streams, _signs = _room(env.STREAMS, env.SIGN_STREAMS)
application = Edge(Streams(Answering(), most=_streams, signs=_signs))
