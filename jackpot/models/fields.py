"""Columns for money: whole ledger units, as Python integers."""

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db import models

if TYPE_CHECKING:
    _IntegerField = models.Field[int, int]
else:
    _IntegerField = models.Field


class Units(models.BigIntegerField):
    """An amount in ledger units (one millionth of the currency's minor unit)."""


class Total(_IntegerField):
    """A running balance or total in ledger units: `numeric(38, 0)` in the database, `int` in Python."""

    def db_type(self, connection: Any) -> str:
        return "numeric(38, 0)"

    def from_db_value(self, value: Decimal | None, *_: Any) -> int | None:
        return None if value is None else int(value)

    def to_python(self, value: Any) -> int | None:
        return None if value is None else int(value)
