"""Kinds of changes for what is set up by two people: jackpots that are opened, tables, rule sets; with their guards."""

from pathlib import Path

from django.db import migrations, models

_GUARDS = Path(__file__).parent / "sql" / "openings.sql"


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0015_award_begins'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='changerequest',
            options={'permissions': [('ask_policy', 'Can ask a change: policy'), ('decide_policy', 'Can decide a change: policy'), ('ask_adjustment', 'Can ask a change: adjustment'), ('decide_adjustment', 'Can decide a change: adjustment'), ('ask_transfer', 'Can ask a change: transfer'), ('decide_transfer', 'Can decide a change: transfer'), ('ask_retirement', 'Can ask a change: retirement'), ('decide_retirement', 'Can decide a change: retirement'), ('ask_correction', 'Can ask a change: correction'), ('decide_correction', 'Can decide a change: correction'), ('ask_opening', 'Can ask a change: opening'), ('decide_opening', 'Can decide a change: opening'), ('ask_table', 'Can ask a change: table'), ('decide_table', 'Can decide a change: table'), ('ask_rule_set', 'Can ask a change: rule_set'), ('decide_rule_set', 'Can decide a change: rule_set')]},
        ),
        migrations.AlterField(
            model_name='changerequest',
            name='kind',
            field=models.CharField(choices=[('policy', 'policy'), ('adjustment', 'adjustment'), ('transfer', 'transfer'), ('retirement', 'retirement'), ('correction', 'correction'), ('opening', 'opening'), ('table', 'table'), ('rule_set', 'rule_set')], max_length=12),
        ),
        migrations.RunSQL(_GUARDS.read_text(encoding="utf-8")),
    ]
