# ruff: noqa: S608 — the SQL is a test's own words
"""The guards of the outbox, `jackpot/migrations/sql/events.sql`, and the named constraints of events and webhooks."""

from tests.integration.guards.cases import Case, append_only, case, copy

OURS = "integrator_id = %(integrator)s"
LAST = f"found.{OURS} ORDER BY found.seq DESC LIMIT 1"
COUNTED = f"UPDATE jackpot_eventcounter SET last = last + 1 WHERE {OURS}"


def next_event(**changes: str | int | None) -> str:
    """SQL that adds the event after the last one, with `changes`."""
    follows: dict[str, str | int | None] = {"id": "gen_random_uuid()", "seq": "found.seq + 1"}
    return copy("jackpot_event", LAST, **follows | changes)


TAKEN = (COUNTED, next_event())
"""What the database takes: from it the cases differ by one thing each."""

EVENTS: list[Case] = [
    *append_only("jackpot_event", "data = '{}'"),
    *append_only("jackpot_eventcounter", guard="counter_kept", name="counter_kept"),
    case("jackpot_eventcounter", "counter_not_moved", "to another",
         f"UPDATE jackpot_eventcounter SET integrator_id = 0 WHERE {OURS}", name="counter_kept"),
    case("jackpot_event", "event_follows", "not counted", next_event()),
    case("jackpot_event", "event_follows", "a gap", COUNTED, COUNTED, next_event(seq="found.seq + 2")),
    case("jackpot_event", "event_follows", "a number below the counter", COUNTED, COUNTED, next_event()),
    case("jackpot_event", "event_follows", "a 0", COUNTED, next_event(seq=0)),
    case("jackpot_event", "event_follows", "a gap inside the statement", COUNTED, COUNTED, COUNTED,
         "INSERT INTO jackpot_event (id, integrator_id, seq, type, at, site_id, jackpot_id, data)"
         " SELECT gen_random_uuid(), integrator_id, seq + n, type, at, site_id, jackpot_id, data"
         f" FROM (SELECT * FROM jackpot_event AS found WHERE {LAST}) AS last, (VALUES (1), (3)) AS numbers (n)"),
    case("jackpot_event", "event_follows", "of no integrator", next_event(integrator_id=0, seq=1)),
    case("jackpot_event", "event_once", "a number twice", next_event(seq="found.seq")),
    case("jackpot_event", "event_follows", "of no site", COUNTED, next_event(site_id=0), name="event_of_known"),
    case("jackpot_event", "event_follows", "of no jackpot", COUNTED, next_event(jackpot_id=0), name="event_of_known"),
    case("jackpot_event", "event_names_jackpot", "a hit of none",
         COUNTED, next_event(type="'jackpot.hit'", jackpot_id=None)),
    case("jackpot_eventcounter", "counter_equals_events", "counted for nothing", COUNTED),
    case("jackpot_eventcounter", "counter_equals_events", "set back",
         f"UPDATE jackpot_eventcounter SET last = last - 1 WHERE {OURS}"),
    case("jackpot_endpoint", "endpoint_once", "twice", copy("jackpot_endpoint", "found.id = %(endpoint)s", id=0)),
    case("jackpot_endpoint", "endpoint_types_known", "another", "UPDATE jackpot_endpoint SET types = '{round.lost}'"),
    case("jackpot_secret", "secret_once", "a third", copy("jackpot_secret", "found.kind = 'previous'", id=0)),
    case("jackpot_secret", "secret_previous_ends", "for ever",
         "UPDATE jackpot_secret SET ends_at = NULL WHERE kind = 'previous'"),
    case("jackpot_secret", "secret_previous_ends", "a current one that ends",
         "UPDATE jackpot_secret SET ends_at = now()"),
    case("jackpot_delivery", "delivery_once", "twice",
         copy("jackpot_delivery", "found.endpoint_id = %(endpoint)s LIMIT 1", id=0)),
]  # fmt: skip
