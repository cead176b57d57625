"""How tables are set up from when on, and whose approval versions of rule sets have, with the guards of both.

Tables that are there already are taken as a command opened them.
"""

from pathlib import Path

import django.db.models.deletion
from django.db import migrations, models

_GUARDS = Path(__file__).parent / "sql" / "set_up.sql"
_AS_OPENED = """
INSERT INTO tables_tablesetup (table_id, number, rule_set_id, jackpot_id, lane_id, in_force_at)
SELECT id, 1, rule_set_id, jackpot_id, lane_id, '2020-01-01Z' FROM tables_table;
SET CONSTRAINTS ALL IMMEDIATE;
SET CONSTRAINTS ALL DEFERRED;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0016_openings'),
        ('tables', '0008_waiting_voids'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='table',
            options={'permissions': [('suspend_table', 'Can suspend and resume a table')]},
        ),
        migrations.AddField(
            model_name='rulesetversion',
            name='change',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='rule_set_version', to='jackpot.changedecision'),
        ),
        migrations.AddField(
            model_name='table',
            name='set_up_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.CreateModel(
            name='TableSetup',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('in_force_at', models.DateTimeField()),
                ('change', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='table_setup', to='jackpot.changedecision')),
                ('jackpot', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.jackpot')),
                ('lane', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.lane')),
                ('rule_set', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.ruleset')),
                ('table', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='setups', to='tables.table')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('table', 'number'), name='table_setup_once')],
            },
        ),
        migrations.RunSQL(_AS_OPENED),
        migrations.RunSQL(_GUARDS.read_text(encoding="utf-8")),
    ]
