"""The awards that wait for somebody are found among all that ever were: the console's home and queue ask for them."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0017_people")]

    operations = [
        migrations.AddIndex(
            "award",
            models.Index(
                fields=["state"], name="award_open", condition=Q(state__in=("pending", "disputed", "approved"))
            ),
        ),
    ]
