"""The rounds of a site that are not settled are found by an index of their own, which only they stand in."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("tables", "0005_rule_set_odds")]
    operations = [
        migrations.AddIndex(
            "round", models.Index(fields=["site", "started_at"], condition=Q(version=0), name="round_unsettled")
        ),
    ]
