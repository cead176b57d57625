"""What guards of the ledger look up, they look up by an index, whatever a session planned while the books were small."""

from pathlib import Path

from django.db import migrations

_GUARDS = Path(__file__).parent / "sql" / "guards_by_index.sql"


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0020_award_deciders")]

    operations = [migrations.RunSQL(_GUARDS.read_text(encoding="utf-8"))]
