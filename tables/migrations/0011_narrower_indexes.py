"""Rounds are found by what is rare, and keep no index that another one stands for.

A day's rounds lie in the order in which lists show them; voids and the rarest hands have indexes of their own, which
only they stand in; of the rounds that are not settled those that ended without a bet are left out. Two indexes of
foreign keys begin others, and game numbers are found by their beginning in the index that keeps them unique.
"""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("tables", "0010_round_waits"), ("jackpot", "0021_guards_by_index")]

    operations = [
        migrations.AlterField(
            "round",
            "integrator",
            models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="rounds",
                to="jackpot.integrator",
            ),
        ),
        # Taken away and put back: Django takes a table's index for any that has just this column, this one too.
        migrations.RemoveConstraint("round", "round_one_open_a_table"),
        migrations.AlterField(
            "round",
            "table",
            models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="rounds", to="tables.table"
            ),
        ),
        migrations.AddConstraint(
            "round",
            models.UniqueConstraint(
                fields=["table"],
                condition=Q(live=True) & ~Q(phase__in=["complete", "settled", "void", "failed"]),
                name="round_one_open_a_table",
            ),
        ),
        migrations.AlterField("round", "game_number", models.CharField(max_length=60)),
        migrations.AddConstraint(
            "round",
            models.UniqueConstraint(
                fields=["game_number"], opclasses=["varchar_pattern_ops"], name="round_game_number_once"
            ),
        ),
        migrations.RemoveIndex("round", "round_unsettled"),
        migrations.AddIndex(
            "round",
            models.Index(
                fields=["site", "started_at"],
                condition=Q(version=0) & ~(Q(phase="void") & Q(void_reason="")),
                name="round_unsettled",
            ),
        ),
        migrations.RemoveIndex("round", "round_by_day"),
        migrations.AddIndex(
            "round",
            models.Index(
                fields=["gaming_day", "id", "site"], condition=Q(gaming_day__isnull=False), name="round_by_day"
            ),
        ),
        migrations.AddIndex("round", models.Index(fields=["id"], condition=Q(phase="void"), name="round_void")),
        migrations.AddIndex(
            "box", models.Index(fields=["round_id"], condition=~Q(void_reason=""), name="box_void")
        ),
        migrations.AddIndex(
            "boxresult",
            models.Index(
                fields=["hand", "round_id"],
                condition=Q(hand__in=["royal_flush", "straight_flush", "four_of_a_kind"]),
                name="result_rare_hand",
            ),
        ),
    ]
