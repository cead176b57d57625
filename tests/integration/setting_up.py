"""What tests of setting up share: who may, and a refusal that leaves nothing behind."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.contrib.auth.models import Permission, User

from jackpot.domain.callers import STAFF_SCOPES, Caller
from jackpot.domain.errors import Refused
from jackpot.models.change_requests import ChangeDecision, ChangeRequest
from jackpot.models.jackpots import Jackpot, PolicyVersion
from jackpot.models.ledger import Account, Entry
from tables.models.rounds import Round
from tables.models.rulesets import RuleSetVersion
from tables.models.tables import Table, TableSetup


def written() -> tuple[object, ...]:
    """How many rows there are of all that setting up may write, and in which state each table is."""
    models = (
        ChangeRequest, ChangeDecision, Entry, Jackpot, PolicyVersion, Account, Table, TableSetup, RuleSetVersion, Round,
    )  # fmt: skip
    return *(model.objects.count() for model in models), *Table.objects.order_by("pk").values_list("state", flat=True)


@contextmanager
def refused(says: str) -> Iterator[None]:
    """What is done here is refused with these words, a pattern, and nothing is written."""
    before = written()
    with pytest.raises(Refused, match=says):
        yield
    assert written() == before


def one_who_may(name: str, *codenames: str) -> Caller:
    user = User.objects.create_user(name, is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    return Caller(STAFF_SCOPES, user_id=user.pk)
