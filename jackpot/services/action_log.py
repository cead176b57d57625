"""The log of what people did in the console: who, when, what, with what stood before and after. Append-only."""

from datetime import datetime

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import models


def note(*, by_id: int, record: models.Model, message: str, flag: int = CHANGE) -> LogEntry:
    """Write down what somebody did to a record."""
    return LogEntry.objects.create(
        user_id=by_id, content_type=ContentType.objects.get_for_model(record), object_id=str(record.pk),
        object_repr=str(record)[:200], action_flag=flag, change_message=message,
    )  # fmt: skip


def last_done(*, by_id: int, record: models.Model, label: str) -> datetime | None:
    """When somebody last took a step of this label on a record; None where he never did."""
    of = {"content_type": ContentType.objects.get_for_model(record), "object_id": str(record.pk)}
    steps = LogEntry.objects.filter(**of, user_id=by_id, change_message__startswith=f"{label}: ")
    return steps.order_by("-action_time").values_list("action_time", flat=True).first()
