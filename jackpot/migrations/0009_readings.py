"""Readings of signs (`sql/readings.sql` guards them), the tolerance they are held against, statement rows by day."""

from pathlib import Path

import django.contrib.postgres.indexes
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import F, Q

import jackpot.models.fields

_SQL = Path(__file__).parent / "sql"


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0008_award_moves"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]
    operations = [
        migrations.AddField(
            "jackpot",
            "reading_tolerance",
            jackpot.models.fields.Units(
                default=0, help_text="how far a sign may be off without a signature, in ledger units"
            ),
        ),
        migrations.AddConstraint(
            "jackpot",
            models.CheckConstraint(condition=Q(reading_tolerance__gte=0), name="reading_tolerance_not_negative"),
        ),
        migrations.CreateModel(
            name="Reading",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("shown", jackpot.models.fields.Units()),
                ("read_at", models.DateTimeField()),
                ("entered_at", models.DateTimeField()),
                ("tolerance", jackpot.models.fields.Units()),
                ("note", models.CharField(blank=True, max_length=200)),
                ("entered_by", models.ForeignKey(
                    on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL)),
                ("level", models.ForeignKey(
                    on_delete=django.db.models.deletion.PROTECT, related_name="readings", to="jackpot.level")),
            ],
            options={
                "indexes": [models.Index(fields=["level", "read_at"], name="reading_by_time")],
                "constraints": [
                    models.CheckConstraint(condition=Q(shown__gte=0, tolerance__gte=0), name="reading_not_negative"),
                    models.CheckConstraint(condition=Q(read_at__lte=F("entered_at")), name="reading_before_entry"),
                ],
            },
        ),
        migrations.AddIndex(
            "statementrow",
            django.contrib.postgres.indexes.BrinIndex(
                autosummarize=True, fields=["gaming_day"], name="statement_by_day"
            ),
        ),
        migrations.RunSQL((_SQL / "readings.sql").read_text(encoding="utf-8")),
    ]
