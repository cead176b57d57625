from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0004_closed_days")]

    operations = [
        migrations.CreateModel(
            name="Tally",
            fields=[
                ("name", models.CharField(max_length=200, primary_key=True, serialize=False)),
                ("span", models.BigIntegerField(help_text="which span since 1970")),
                ("calls", models.IntegerField()),
                ("counted_at", models.DateTimeField()),
            ],
            options={"verbose_name_plural": "tallies"},
        ),
        # A count is worth nothing after ten seconds: it needs no write-ahead log.
        migrations.RunSQL("ALTER TABLE jackpot_tally SET UNLOGGED", "ALTER TABLE jackpot_tally SET LOGGED"),
    ]
