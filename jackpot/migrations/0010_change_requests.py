"""Changes that one person asks for and another decides on, with their guards."""

from pathlib import Path

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

_GUARDS = Path(__file__).parent / "sql" / "change_requests.sql"


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0009_readings'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ChangeRequest',
            fields=[
                ('id', models.UUIDField(primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('policy', 'policy'), ('adjustment', 'adjustment'), ('transfer', 'transfer'), ('retirement', 'retirement'), ('correction', 'correction')], max_length=12)),
                ('subject', models.CharField(max_length=100)),
                ('reason', models.CharField(max_length=24)),
                ('note', models.CharField(blank=True, max_length=500)),
                ('document', models.JSONField()),
                ('before', models.JSONField()),
                ('asked_at', models.DateTimeField()),
                ('asked_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='changes_asked', to=settings.AUTH_USER_MODEL)),
                ('jackpot', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='changes', to='jackpot.jackpot')),
                ('site', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='changes', to='jackpot.site')),
            ],
            options={
                'permissions': [('ask_policy', 'Can ask a change: policy'), ('decide_policy', 'Can decide a change: policy'), ('ask_adjustment', 'Can ask a change: adjustment'), ('decide_adjustment', 'Can decide a change: adjustment'), ('ask_transfer', 'Can ask a change: transfer'), ('decide_transfer', 'Can decide a change: transfer'), ('ask_retirement', 'Can ask a change: retirement'), ('decide_retirement', 'Can decide a change: retirement'), ('ask_correction', 'Can ask a change: correction'), ('decide_correction', 'Can decide a change: correction')],
            },
        ),
        migrations.CreateModel(
            name='ChangeDecision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('decision', models.CharField(choices=[('approved', 'approved'), ('refused', 'refused'), ('withdrawn', 'withdrawn')], max_length=9)),
                ('at', models.DateTimeField()),
                ('note', models.CharField(blank=True, max_length=500)),
                ('before', models.JSONField(blank=True, null=True)),
                ('after', models.JSONField(blank=True, null=True)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='changes_decided', to=settings.AUTH_USER_MODEL)),
                ('entry', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='change_decision', to='jackpot.entry')),
                ('request', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='decided', to='jackpot.changerequest')),
            ],
        ),
        migrations.AddIndex(
            model_name='changerequest',
            index=models.Index(fields=['jackpot', 'asked_at'], name='change_by_jackpot'),
        ),
        migrations.RunSQL(_GUARDS.read_text(encoding="utf-8")),
    ]
