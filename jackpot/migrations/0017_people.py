"""Staff sign in with a second factor, and what they did stays on record."""

from pathlib import Path

from django.db import migrations

_GUARDS = Path(__file__).parent / "sql" / "action_log.sql"


class Migration(migrations.Migration):
    dependencies = [
        ("jackpot", "0016_openings"),
        ("admin", "0003_logentry_add_action_flag_choices"),
        ("otp_totp", "0003_add_timestamps"),
        ("otp_static", "0003_add_timestamps"),
    ]

    operations = [
        migrations.CreateModel(
            name="Authenticator",
            fields=[],
            options={"proxy": True, "default_permissions": (), "indexes": [], "constraints": []},
            bases=("otp_totp.totpdevice",),
        ),
        migrations.RunSQL(_GUARDS.read_text(encoding="utf-8")),
    ]
