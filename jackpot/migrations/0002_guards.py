"""Guards: what PostgreSQL refuses, in `sql/ledger.sql`."""

from pathlib import Path

from django.db import migrations

_SQL = (Path(__file__).parent / "sql" / "ledger.sql").read_text(encoding="utf-8")


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0001_initial")]
    operations = [migrations.RunSQL(_SQL)]
