"""States of jackpots on record, and the guards of what changes pots beside rounds."""

from pathlib import Path

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

_GUARDS = Path(__file__).parent / "sql" / "moves.sql"


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0010_change_requests'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='JackpotStateChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('before', models.CharField(choices=[('active', 'Active'), ('suspended', 'Suspended'), ('retired', 'Retired')], max_length=10)),
                ('after', models.CharField(choices=[('active', 'Active'), ('suspended', 'Suspended'), ('retired', 'Retired')], max_length=10)),
                ('at', models.DateTimeField()),
                ('note', models.CharField(blank=True, max_length=500)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('jackpot', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='state_changes', to='jackpot.jackpot')),
                ('request', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.changerequest')),
            ],
            options={
                'permissions': [('suspend_jackpot', 'Can suspend and resume a jackpot')],
            },
        ),
        migrations.RunSQL(_GUARDS.read_text(encoding="utf-8")),
    ]
