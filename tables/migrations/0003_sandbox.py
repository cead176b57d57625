"""Guards: a sandbox stays apart from what is live, in `sql/sandbox.sql`."""

from pathlib import Path

from django.db import migrations

_SQL = (Path(__file__).parent / "sql" / "sandbox.sql").read_text(encoding="utf-8")


class Migration(migrations.Migration):
    dependencies = [("tables", "0002_guards")]
    operations = [migrations.RunSQL(_SQL)]
