"""The outbox of events (`sql/events.sql`: its guards)."""

from pathlib import Path

import django.db.models.deletion
from django.db import migrations, models

_GUARDS = (Path(__file__).parent / "sql" / "events.sql").read_text(encoding="utf-8")


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0002_guards'),
    ]

    operations = [
        migrations.CreateModel(
            name='EventCounter',
            fields=[
                ('integrator', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='+', serialize=False, to='jackpot.integrator')),
                ('last', models.BigIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name='Event',
            fields=[
                ('id', models.UUIDField(primary_key=True, serialize=False)),
                ('seq', models.BigIntegerField()),
                ('type', models.CharField(choices=[('round.settled', 'round.settled'), ('round.voided', 'round.voided'), ('round.failed', 'round.failed'), ('round.corrected', 'round.corrected'), ('round.suspended', 'round.suspended'), ('round.resumed', 'round.resumed'), ('jackpot.hit', 'jackpot.hit'), ('jackpot.reset', 'jackpot.reset'), ('envy.awarded', 'envy.awarded'), ('award.approved', 'award.approved'), ('award.disputed', 'award.disputed'), ('award.paid', 'award.paid'), ('award.rejected', 'award.rejected'), ('day.closed', 'day.closed')], max_length=20)),
                ('at', models.DateTimeField()),
                ('data', models.JSONField()),
                ('integrator', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='events', to='jackpot.integrator')),
                ('jackpot', models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='jackpot.jackpot')),
                ('site', models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='jackpot.site')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('integrator', 'seq'), name='event_once'), models.CheckConstraint(condition=models.Q(models.Q(models.Q(('type__startswith', 'jackpot.'), _negated=True), models.Q(('type__startswith', 'award.'), _negated=True)), ('jackpot__isnull', False), _connector='OR'), name='event_names_jackpot')],
            },
        ),
        migrations.RunSQL(_GUARDS),
    ]
