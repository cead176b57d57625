"""A round that comes in no longer reads all that wait before it to see that it has a place in the queue."""

from pathlib import Path

from django.db import migrations

_GUARDS = Path(__file__).parent / "sql" / "round_waits.sql"


class Migration(migrations.Migration):
    dependencies = [("tables", "0009_set_up")]

    operations = [migrations.RunSQL(_GUARDS.read_text(encoding="utf-8"))]
