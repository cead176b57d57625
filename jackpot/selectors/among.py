"""How thousands of rows are asked for at once."""

from collections.abc import Iterable
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import models


class Among(models.Func):
    """Whether a column has one of some values, for `filter`: one array is sent, where `id__in` writes a place for each
    of them, which takes as long to write and to read as the rows.
    """

    template = "%(expressions)s)"
    arg_joiner = " = ANY("

    def __init__(self, column: str, values: Iterable[object]) -> None:
        wanted = list(values)
        super().__init__(models.F(column), models.Value(wanted), output_field=models.BooleanField())
        self._none = not wanted

    def as_sql(self, *args: Any, **context: Any) -> Any:
        """Nothing is asked where no row can be among them, as with `id__in`."""
        if self._none:
            raise EmptyResultSet
        return super().as_sql(*args, **context)
