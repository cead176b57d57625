"""Guards: a closed gaming day, or one never opened, takes nothing more, and stays closed (`sql/days.sql`)."""

from pathlib import Path

from django.db import migrations

_SQL = Path(__file__).parent / "sql" / "days.sql"


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0003_events")]
    operations = [migrations.RunSQL(_SQL.read_text(encoding="utf-8"))]
