"""What a broken database constraint means to the caller: the database decides races, this names the outcome."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import psycopg
from django.db import IntegrityError, transaction

from jackpot.domain.errors import Refused, Violation


@contextmanager
def refined(meanings: Mapping[str, Violation]) -> Iterator[None]:
    """Runs the block in a savepoint; breaking a constraint of this name raises the violation as Refused.

    The transaction around it stays usable. Other constraints raise IntegrityError as ever.
    """
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        cause = error.__cause__
        name = cause.diag.constraint_name if isinstance(cause, psycopg.Error) else None
        if name is None or name not in meanings:
            raise
        raise Refused([meanings[name]]) from error
