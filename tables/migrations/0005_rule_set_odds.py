"""The exact odds of rule-set versions, and that they never change, in `sql/odds.sql`."""

from pathlib import Path

import django.db.models.deletion
from django.db import migrations, models

_SQL = (Path(__file__).parent / "sql" / "odds.sql").read_text(encoding="utf-8")


class Migration(migrations.Migration):
    dependencies = [("tables", "0004_round_by_day")]
    operations = [
        migrations.CreateModel(
            name="RuleSetOdds",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("method", models.PositiveSmallIntegerField()),
                ("document", models.JSONField()),
                ("stored_at", models.DateTimeField()),
                (
                    "rule_set",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="odds", to="tables.rulesetversion"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("rule_set", "method"), name="rule_set_odds_once")]
            },
        ),
        migrations.RunSQL(_SQL),
    ]
