"""What an entry points to is checked for the set a statement writes, as a leg's account is, instead of row by row."""

from pathlib import Path

import django.db.models.deletion
from django.db import migrations, models

_GUARDS = Path(__file__).parent / "sql" / "entries.sql"


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0018_award_open'),
    ]

    operations = [
        migrations.AlterField(
            model_name='entry',
            name='integrator',
            field=models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='jackpot.integrator'),
        ),
        migrations.AlterField(
            model_name='entry',
            name='lane',
            field=models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='jackpot.lane'),
        ),
        migrations.AlterField(
            model_name='entry',
            name='reverses',
            field=models.OneToOneField(db_constraint=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='reversed_by', to='jackpot.entry'),
        ),
        migrations.RunSQL(_GUARDS.read_text(encoding="utf-8")),
    ]
