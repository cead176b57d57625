"""Guards: what PostgreSQL refuses of the books (`sql/ledger.sql`), of awards, and of the chain that seals them."""

from pathlib import Path

from django.db import migrations

_SQL = Path(__file__).parent / "sql"


def _run(name: str) -> migrations.RunSQL:
    return migrations.RunSQL((_SQL / name).read_text(encoding="utf-8"))


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0001_initial")]
    operations = [_run("ledger.sql"), _run("awards.sql"), _run("chain.sql")]
