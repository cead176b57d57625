"""The guards of `jackpot/migrations/sql/action_log.sql`."""

from tests.integration.guards.cases import Case, append_only

PEOPLE: list[Case] = [*append_only("django_admin_log", "change_message = ''")]
