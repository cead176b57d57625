# ruff: noqa: S608 — the SQL is a test's own words
"""The guards of `jackpot/migrations/sql/days.sql`: nothing is entered under a day that is not open; one closes once."""

from tests.integration.guards.cases import Case, add, case, copy
from tests.integration.guards.ledger import NEW, entry, last_row, legs, row_of

PAST, FUTURE = "'2020-01-01'::date", "'2999-01-01'::date"


def opened(day: str, **values: str | int) -> str:
    columns: dict[str, str | int] = {"site_id": "%(site)s", "day": day, "opened_at": "now()"}
    return add("jackpot_gamingday", **columns | values)


def changed(change: str, *, day: str = PAST) -> str:
    return f"UPDATE jackpot_gamingday SET {change} WHERE site_id = %(site)s AND day = {day}"


def closed(day: str) -> tuple[str, str]:
    return opened(day), changed("closed_at = now()", day=day)


def leg_under(day: str) -> tuple[str, str]:
    return entry(2), legs((1, 5), (2, -5), day=day)


def row_under(day: str) -> tuple[str, ...]:
    return row_of("meter", 1), entry(0), last_row(entry_id=NEW, gaming_day=day)


OTHER_SITE = copy("jackpot_site", "found.id = %(site)s", id=0, code="'other'")

DAYS: list[Case] = [
    case("jackpot_leg", "under_open_day", "never opened", *leg_under(PAST), name="day_is_open"),
    case("jackpot_leg", "under_open_day", "closed", *closed(PAST), *leg_under(PAST), name="day_is_open"),
    case("jackpot_leg", "under_open_day", "opened at another site", OTHER_SITE, opened(PAST, site_id=0),
         *leg_under(PAST), name="day_is_open"),
    case("jackpot_leg", "under_open_day", "one of two", opened(FUTURE), entry(2),
         "INSERT INTO jackpot_leg (entry_id, position, account_id, amount, gaming_day)"
         f" VALUES ({NEW}, 1, %(account)s, 5, {FUTURE}), ({NEW}, 2, %(account)s, -5, {PAST})", name="day_is_open"),
    case("jackpot_statementrow", "under_open_day", "never opened", *row_under(FUTURE), name="day_is_open"),
    case("jackpot_statementrow", "under_open_day", "closed", *closed(FUTURE), *row_under(FUTURE), name="day_is_open"),
    case("jackpot_gamingday", "gaming_day_once", "twice", *[opened(PAST)] * 2),
    case("jackpot_gamingday", "gaming_day_begins", "closed", opened(PAST, closed_at="now()"), name="gaming_day_kept"),
    *(case("jackpot_gamingday", "gaming_day_kept", label, *closed(PAST), changed(change))
      for label, change in (("opened again", "closed_at = NULL"), ("closed twice", "closed_at = closed_at + '1 s'"))),
    *(case("jackpot_gamingday", "gaming_day_kept", column, opened(PAST), changed(f"{column} = {value}"))
      for column, value in (("id", "0"), ("day", "day - 1"), ("opened_at", "opened_at - interval '1 s'"))),
    case("jackpot_gamingday", "gaming_day_kept", "another site", OTHER_SITE, opened(PAST), changed("site_id = 0")),
    case("jackpot_gamingday", "gaming_day_stays", "delete", "DELETE FROM jackpot_gamingday", name="gaming_day_kept"),
    case("jackpot_gamingday", "gaming_day_stays", "truncate", "TRUNCATE jackpot_gamingday CASCADE",
         name="gaming_day_kept"),
]  # fmt: skip
