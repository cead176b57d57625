"""Guards: what PostgreSQL refuses (`sql/ledger.sql`), and how a batch is sealed (`sql/chain.sql`)."""

from pathlib import Path

from django.db import migrations

_SQL = Path(__file__).parent / "sql"


def _run(name: str) -> migrations.RunSQL:
    return migrations.RunSQL((_SQL / name).read_text(encoding="utf-8"))


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0001_initial")]
    operations = [_run("ledger.sql"), _run("chain.sql")]
