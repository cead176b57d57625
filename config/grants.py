"""Who may do what in the database: the application's rights, table by table.

The service runs as a role that may read every table listed here and do to it what stands beside it, and nothing else:
it owns nothing, and what is posted it can only add to. A table that is not listed is out of its reach, so each new
table needs its line; `docs/operations.md` shows the same table to operators, and a test compares the two with what
PostgreSQL says. `config.roles` grants it, after each migration.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rights:
    """What may be done to the rows of a table beside reading them; `change` names the columns that may be changed.

    A row lock (`FOR UPDATE`, `FOR SHARE`) is granted by PostgreSQL to those who may change some column.
    """

    read: bool = True
    add: bool = False
    remove: bool = False
    change: frozenset[str] = frozenset()


NONE = Rights(read=False)
READ = Rights()
ADD = Rights(add=True)
"""Written once: entries, results, documents. Whoever wants to change or remove them must be the schema's owner."""
ADD_AND_REMOVE = Rights(add=True, remove=True)


def changing(columns: str, *, remove: bool = False) -> Rights:
    """Rows come in, and these columns of theirs move on."""
    return Rights(add=True, remove=remove, change=frozenset(columns.split()))


GRANTS: dict[str, Rights] = {
    "auth_group": READ,
    "auth_group_permissions": READ,
    "auth_permission": READ,
    "auth_user": changing(
        "password last_login is_superuser username first_name last_name email is_staff is_active date_joined"
    ),
    "auth_user_groups": ADD_AND_REMOVE,
    "auth_user_user_permissions": ADD_AND_REMOVE,
    "axes_accessattempt": changing(
        "username ip_address user_agent http_accept path_info attempt_time get_data post_data failures_since_start",
        remove=True,
    ),
    "axes_accessattemptexpiration": Rights(remove=True),
    "axes_accessfailurelog": READ,
    "axes_accesslog": changing("logout_time"),
    "django_admin_log": ADD,
    "django_content_type": READ,
    "django_migrations": READ,
    "django_session": changing("session_data expire_date", remove=True),
    "jackpot_account": ADD,
    "jackpot_accountclosing": ADD,
    "jackpot_answeredrequest": ADD,
    "jackpot_apikey": changing("revoked_at last_used_at"),
    "jackpot_apikey_sites": ADD,
    "jackpot_award": changing("state"),
    "jackpot_awardmove": ADD,
    "jackpot_carriedaward": ADD,
    "jackpot_changedecision": ADD,
    "jackpot_changerequest": ADD,
    "jackpot_closing": ADD,
    "jackpot_delivery": changing(
        "jackpot_id state attempts due_at until leased_to failed_since delivered_at status error"
    ),
    "jackpot_endpoint": changing("state why read_to failures answered_at paused_to"),
    "jackpot_entry": ADD,
    "jackpot_event": ADD,
    "jackpot_eventcounter": changing("last"),
    "jackpot_gamingday": changing("closed_at"),
    "jackpot_integrator": ADD,
    "jackpot_jackpot": changing("state state_since"),
    "jackpot_jackpotstatechange": ADD,
    "jackpot_lane": changing("posted_at sealed head"),
    "jackpot_leg": ADD,
    "jackpot_level": changing(
        "policy_id base increment_ppm reserve_ppm limit meter reserve overflow meter_seq reserve_seq overflow_seq"
        " reset_seq reset_at last_hit_at last_day posted_at wagered contributed awarded hits"
    ),
    "jackpot_link": ADD,
    "jackpot_policyversion": ADD,
    "jackpot_potclosing": ADD,
    "jackpot_queued": ADD_AND_REMOVE,
    "jackpot_reading": ADD,
    "jackpot_readingsignature": ADD,
    "jackpot_secret": changing("kind ends_at", remove=True),
    "jackpot_site": ADD,
    "jackpot_statementrow": ADD,
    "jackpot_tally": changing("span calls counted_at", remove=True),
    "jackpot_termschange": ADD,
    "jackpot_unpaidaward": ADD,
    "otp_static_staticdevice": changing(
        "user_id name confirmed created_at last_used_at throttling_failure_timestamp throttling_failure_count",
        remove=True,
    ),
    "otp_static_statictoken": ADD_AND_REMOVE,
    "otp_totp_totpdevice": changing(
        "user_id name confirmed created_at last_used_at throttling_failure_timestamp throttling_failure_count"
        " key step t0 digits tolerance drift last_t",
        remove=True,
    ),
    "tables_box": changing(
        "player ante trips progressive cards action street multiplier automatic checked void_reason void_note",
        remove=True,
    ),
    "tables_boxresult": ADD,
    "tables_round": changing(
        "phase resumes_to version rule_set_id policy_id lane_id locked_at completed_at settled_at deadline clock_left"
        " gaming_day late flop turn river dealer player_cards void_reason void_note problem"
    ),
    "tables_roundevent": ADD,
    "tables_ruleset": ADD,
    "tables_rulesetodds": ADD,
    "tables_rulesetversion": ADD,
    "tables_superseded": ADD,
    "tables_table": changing("state rule_set_id jackpot_id lane_id set_up_at"),
    "tables_tablesetup": ADD,
    "tables_voiddecision": ADD,
    "tables_waitingvoid": ADD,
}

SEQUENCES = frozenset({"jackpot_entry_id_seq"})
"""From which ids are taken ahead (`jackpot.services.bulk.take_ids`); an id that a table gives needs no right."""
