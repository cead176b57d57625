"""Guards: what PostgreSQL refuses, in `sql/rounds.sql`."""

from pathlib import Path

from django.db import migrations

_SQL = (Path(__file__).parent / "sql" / "rounds.sql").read_text(encoding="utf-8")


class Migration(migrations.Migration):
    dependencies = [("tables", "0001_initial"), ("jackpot", "0002_guards")]
    operations = [migrations.RunSQL(_SQL)]
