"""Entries that take nothing back stand in no index of those that do; the queue keeps no index that another begins with."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0021_guards_by_index")]

    operations = [
        migrations.AlterField(
            "entry",
            "reverses",
            models.ForeignKey(
                db_constraint=False,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="reversed_by",
                to="jackpot.entry",
            ),
        ),
        migrations.AddConstraint(
            "entry",
            models.UniqueConstraint(
                fields=["reverses"], condition=Q(reverses__isnull=False), name="entry_reversed_once"
            ),
        ),
        migrations.AlterField(
            "queued",
            "lane",
            models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="queue", to="jackpot.lane"
            ),
        ),
    ]
