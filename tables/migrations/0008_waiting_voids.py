"""Voids that wait for a second person, and what he decides, with their guards."""

from pathlib import Path

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

_GUARDS = Path(__file__).parent / "sql" / "waiting_voids.sql"


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0007_corrections'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='WaitingVoid',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('box', models.PositiveIntegerField(blank=True, null=True)),
                ('asked_by', models.CharField(max_length=150)),
                ('asked_at', models.DateTimeField()),
                ('before', models.CharField(choices=[('betting', 'betting'), ('locked', 'locked'), ('preflop', 'preflop'), ('flop', 'flop'), ('river', 'river'), ('complete', 'complete'), ('settled', 'settled'), ('void', 'void'), ('suspended', 'suspended'), ('failed', 'failed')], max_length=10)),
                ('round', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='waiting_voids', to='tables.round')),
            ],
            options={
                'permissions': [('decide_void', 'Can confirm or decline a void that waits')],
            },
        ),
        migrations.CreateModel(
            name='VoidDecision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('decision', models.CharField(choices=[('confirmed', 'Confirmed'), ('declined', 'Declined')], max_length=9)),
                ('at', models.DateTimeField()),
                ('note', models.CharField(blank=True, max_length=200)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='voids_decided', to=settings.AUTH_USER_MODEL)),
                ('waiting', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='decided', to='tables.waitingvoid')),
            ],
        ),
        migrations.RunSQL(_GUARDS.read_text(encoding="utf-8")),
    ]
