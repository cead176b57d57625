"""Corrections of settled rounds: awards that carry over, differences, and the guards."""

from pathlib import Path

import django.db.models.deletion
import jackpot.models.fields
from django.conf import settings
from django.db import migrations, models

_GUARDS = Path(__file__).parent / "sql" / "corrections.sql"


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0013_closings'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='CarriedAward',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveIntegerField()),
                ('amount', jackpot.models.fields.Units()),
                ('hand', models.CharField(max_length=16)),
                ('from_box', models.PositiveIntegerField(blank=True, null=True)),
                ('seq', models.BigIntegerField(blank=True, null=True)),
            ],
        ),
        migrations.AddField(
            model_name='award',
            name='difference_of',
            field=models.ForeignKey(blank=True, help_text='the paid award that this one adds to, after a correction', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='differences', to='jackpot.award'),
        ),
        migrations.AddIndex(
            model_name='changerequest',
            index=models.Index(fields=['subject'], name='change_by_subject'),
        ),
        migrations.AddField(
            model_name='carriedaward',
            name='award',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='carried', to='jackpot.award'),
        ),
        migrations.AddField(
            model_name='carriedaward',
            name='entry',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='carried', to='jackpot.entry'),
        ),
        migrations.AddConstraint(
            model_name='carriedaward',
            constraint=models.UniqueConstraint(fields=('entry', 'position', 'award'), name='award_carried_once'),
        ),
        migrations.RunSQL(_GUARDS.read_text(encoding="utf-8")),
    ]
