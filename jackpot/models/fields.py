"""Columns for money: whole ledger units, as Python integers."""

from decimal import Decimal
from typing import Any

from django.db import models


class Units(models.BigIntegerField):
    """An amount in ledger units (one millionth of the currency's minor unit)."""


class Total(models.DecimalField):
    """A running balance or total in ledger units: `numeric(38, 0)` in the database, `int` in Python."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["max_digits"], kwargs["decimal_places"] = 38, 0
        super().__init__(*args, **kwargs)

    def deconstruct(self) -> Any:
        name, path, args, kwargs = super().deconstruct()
        del kwargs["max_digits"], kwargs["decimal_places"]
        return name, path, args, kwargs

    def from_db_value(self, value: Decimal | None, *_: Any) -> int | None:
        return None if value is None else int(value)

    def to_python(self, value: Any) -> Any:
        return None if value is None else int(value)

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        return None if value is None else Decimal(int(value)) if not hasattr(value, "resolve_expression") else value
