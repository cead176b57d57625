"""The state in which an award begins is guarded."""

from pathlib import Path

from django.db import migrations

_GUARDS = Path(__file__).parent / "sql" / "award_begins.sql"


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0014_corrections")]

    operations = [migrations.RunSQL(_GUARDS.read_text(encoding="utf-8"))]
