"""The settled rounds of a gaming day, for reports and the filter by day."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("tables", "0003_sandbox")]
    operations = [
        migrations.AddIndex(
            "round",
            models.Index(fields=["gaming_day", "site"], condition=Q(gaming_day__isnull=False), name="round_by_day"),
        )
    ]
