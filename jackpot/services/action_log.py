"""The log of what people did in the console: who, when, what, with what stood before and after. Append-only."""

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import models


def note(*, by_id: int, record: models.Model, message: str, flag: int = CHANGE) -> LogEntry:
    """Write down what somebody did to a record."""
    return LogEntry.objects.create(
        user_id=by_id, content_type=ContentType.objects.get_for_model(record), object_id=str(record.pk),
        object_repr=str(record)[:200], action_flag=flag, change_message=message,
    )  # fmt: skip
