"""A move of an award no longer reads the whole ledger to see who entered its round."""

from pathlib import Path

from django.db import migrations

_GUARDS = Path(__file__).parent / "sql" / "award_deciders.sql"


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0019_entries_over_the_set")]

    operations = [migrations.RunSQL(_GUARDS.read_text(encoding="utf-8"))]
