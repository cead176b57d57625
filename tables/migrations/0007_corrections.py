"""What corrections of settled rounds replaced, with its guards."""

from pathlib import Path

import django.db.models.deletion
from django.db import migrations, models

_GUARDS = Path(__file__).parent / "sql" / "corrections.sql"


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0014_corrections'),
        ('tables', '0006_round_unsettled'),
    ]

    operations = [
        migrations.CreateModel(
            name='Superseded',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveSmallIntegerField()),
                ('document', models.JSONField()),
                ('settled_at', models.DateTimeField()),
                ('replaced_at', models.DateTimeField()),
                ('replaced_day', models.DateField()),
                ('change', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.changerequest')),
                ('round', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='superseded', to='tables.round')),
            ],
            options={
                'indexes': [models.Index(fields=['replaced_day'], name='superseded_by_day')],
                'constraints': [models.UniqueConstraint(fields=('round', 'version'), name='superseded_once')],
            },
        ),
        migrations.RunSQL(_GUARDS.read_text(encoding="utf-8")),
    ]
