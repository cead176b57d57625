"""Later versions of a policy, and levels whose terms change with a reset, with their guards (`sql/policies.sql`).

Jackpots that are there already stand under their first version, whose terms their levels still have.
"""

from pathlib import Path

import django.db.models.deletion
from django.db import migrations, models

_GUARDS = Path(__file__).parent / "sql" / "policies.sql"
_AS_OPENED = """
ALTER TABLE jackpot_policyversion DISABLE TRIGGER append_only;
UPDATE jackpot_policyversion AS policy
   SET terms = (SELECT jsonb_object_agg(code, jsonb_build_object('base', base, 'increment_ppm', increment_ppm,
                                              'reserve_ppm', reserve_ppm, 'limit', "limit"))
                  FROM jackpot_level WHERE jackpot_id = policy.jackpot_id);
ALTER TABLE jackpot_policyversion ENABLE TRIGGER append_only;
UPDATE jackpot_level AS level
   SET policy_id = (SELECT id FROM jackpot_policyversion WHERE jackpot_id = level.jackpot_id AND version = 1);
SET CONSTRAINTS ALL IMMEDIATE;
SET CONSTRAINTS ALL DEFERRED;
"""


class Migration(migrations.Migration):

    dependencies = [("jackpot", "0011_moves")]

    operations = [
        migrations.AddField(
            model_name="policyversion",
            name="change",
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name="policy_version", to="jackpot.changedecision"),
        ),
        migrations.AddField(
            model_name="policyversion", name="terms", field=models.JSONField(null=True)
        ),
        migrations.AddField(
            model_name="level",
            name="policy",
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="jackpot.policyversion"),
        ),
        migrations.RunSQL(_AS_OPENED),
        migrations.AlterField(model_name="policyversion", name="terms", field=models.JSONField()),
        migrations.AlterField(
            model_name="level",
            name="policy",
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="jackpot.policyversion"),
        ),
        migrations.CreateModel(
            name="TermsChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("entry", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="terms_change", to="jackpot.entry")),
                ("level", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="terms_changes", to="jackpot.level")),
                ("policy", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="jackpot.policyversion")),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("level", "policy"), name="terms_change_once")],
            },
        ),
        migrations.RunSQL(_GUARDS.read_text(encoding="utf-8")),
    ]
