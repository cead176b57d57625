"""A hit is found by its id when awards come in, however few awards had been hits before."""

from pathlib import Path

from django.db import migrations

_GUARD = Path(__file__).parent / "sql" / "hits_by_id.sql"


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0022_narrower_indexes")]

    operations = [migrations.RunSQL(_GUARD.read_text(encoding="utf-8"))]
