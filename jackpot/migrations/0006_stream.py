"""Indexes by which a jackpot's hits and resets are found in the order in which they were posted."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0005_throttle_cache")]
    operations = [
        migrations.AddIndex(
            model_name="award",
            index=models.Index(fields=["jackpot", "entry"], name="hit_in_order", condition=Q(kind="hit")),
        ),
        migrations.AddIndex(
            model_name="statementrow",
            index=models.Index(
                fields=["level", "entry"],
                name="reset_in_order",
                condition=Q(pot="meter", kind__in=["reset", "overflow_in"]),
            ),
        ),
    ]
