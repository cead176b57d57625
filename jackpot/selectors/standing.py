"""What must be so whenever a transaction commits, looked for in the whole database: what stands otherwise is named."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.db import connection

from jackpot.models.jackpots import Jackpot


def _rows(sql: str, *values: Any) -> Iterator[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        yield from cursor.fetchall()


def awards_not_as_moved(jackpot: Jackpot) -> Iterator[tuple[UUID, str, str]]:
    """Awards that do not stand as their last move left them, as (award, how it should stand, how it stands).

    One that was never moved was paid at once, as its payment says, or waits; an Envy stands where its hit stood when it
    was opened, and under one that was paid it was approved.
    """
    sql = """
        WITH paid_at_once AS (
            SELECT award.id FROM jackpot_award AS award
              JOIN jackpot_entry AS entry ON entry.kind = 'award_paid' AND entry.source_ref = 'award:' || award.id
             WHERE award.jackpot_id = %s AND entry.link_seq = (SELECT link_seq FROM jackpot_entry
                                                                WHERE id = award.entry_id))
        SELECT id, due, state FROM (
            SELECT award.id, award.state, coalesce(last.state, CASE
                       WHEN award.kind = 'envy' AND stood.state = 'paid' THEN 'approved' ELSE stood.state END) AS due
              FROM jackpot_award AS award
              LEFT JOIN LATERAL (SELECT state FROM jackpot_awardmove WHERE award_id = award.id
                                  ORDER BY number DESC LIMIT 1) AS last ON true
             CROSS JOIN LATERAL (SELECT coalesce(
                    (SELECT state FROM jackpot_awardmove WHERE award_id = award.hit_id AND entry_id < award.entry_id
                      ORDER BY number DESC LIMIT 1),
                    CASE WHEN coalesce(award.hit_id, award.id) IN (SELECT id FROM paid_at_once) THEN 'paid'
                         ELSE 'pending' END) AS state) AS stood
             WHERE award.jackpot_id = %s) AS standing
         WHERE due IS DISTINCT FROM state ORDER BY id
    """
    return _rows(sql, jackpot.pk, jackpot.pk)


def jackpots_not_as_changed() -> Iterator[tuple[str, str, str]]:
    """Jackpots that are not in the state their last change led to, as (code, that state, how it stands).

    Retired is what was approved to be, and nothing else: that approval is sealed, changes of state are not.
    """
    return _rows(
        """
        SELECT code, due, state
          FROM (SELECT jackpot.code, jackpot.state, CASE
                       WHEN EXISTS (SELECT FROM jackpot_changerequest AS asked
                                      JOIN jackpot_changedecision AS decided ON decided.request_id = asked.id
                                     WHERE asked.jackpot_id = jackpot.id AND asked.kind = 'retirement'
                                       AND decided.decision = 'approved') THEN 'retired'
                       WHEN last.after = 'retired' THEN last.before
                       ELSE coalesce(last.after, 'active') END AS due
                  FROM jackpot_jackpot AS jackpot
                  LEFT JOIN LATERAL (SELECT before, after FROM jackpot_jackpotstatechange
                                      WHERE jackpot_id = jackpot.id ORDER BY id DESC LIMIT 1) AS last ON true
               ) AS standing
         WHERE due <> state ORDER BY code
        """
    )


def moves_out_of_order() -> Iterator[tuple[UUID, int]]:
    """Moves that do not begin where the one before them ended, the first where its award began, as (award, number).

    A hit that was ever moved began to wait; so did its Envy, but under a hit that was paid at once: that is moved by
    nobody. An Envy that a correction opened under an earlier hit began where that stood.
    """
    return _rows(
        """
        SELECT moves.award_id, moves.number
          FROM (SELECT award_id, number, before, row_number() OVER chain AS place, lag(state) OVER chain AS last
                  FROM jackpot_awardmove WINDOW chain AS (PARTITION BY award_id ORDER BY number)) AS moves
          JOIN jackpot_award AS award ON award.id = moves.award_id
          LEFT JOIN jackpot_award AS hit ON hit.id = award.hit_id
         WHERE number <> place OR before <> coalesce(last, CASE
               WHEN hit.entry_id <> award.entry_id THEN before
               WHEN hit.state = 'paid' AND NOT EXISTS (SELECT FROM jackpot_awardmove WHERE award_id = hit.id)
               THEN 'approved' ELSE 'pending' END)
         ORDER BY moves.award_id, moves.number
        """
    )


def events_out_of_count() -> Iterator[tuple[int, int, int, int]]:
    """Integrators whose events are not numbered from 1 up to their counter, as (integrator, counter, events, last)."""
    return _rows(
        """
        SELECT coalesce(counter.integrator_id, told.integrator_id), coalesce(counter.last, 0),
               coalesce(told.events, 0), coalesce(told.last, 0)
          FROM jackpot_eventcounter AS counter
          FULL JOIN (SELECT integrator_id, count(*) AS events, max(seq) AS last, min(seq) AS first
                       FROM jackpot_event GROUP BY integrator_id) AS told USING (integrator_id)
         WHERE coalesce(counter.last, 0) <> coalesce(told.last, 0) OR coalesce(told.events, 0) <> coalesce(told.last, 0)
            OR told.first <> 1
         ORDER BY 1
        """
    )


def days_never_opened() -> Iterator[tuple[str, Any]]:
    """Gaming days under which something is entered and that no site has opened, as (site, day)."""
    return _rows(
        """
        SELECT DISTINCT site.code, used.gaming_day
          FROM (SELECT account.site_id, leg.gaming_day
                  FROM (SELECT DISTINCT account_id, gaming_day FROM jackpot_leg) AS leg
                  JOIN jackpot_account AS account ON account.id = leg.account_id) AS used
          JOIN jackpot_site AS site ON site.id = used.site_id
         WHERE NOT EXISTS (SELECT FROM jackpot_gamingday AS day
                            WHERE day.site_id = used.site_id AND day.day = used.gaming_day)
         ORDER BY 1, 2
        """
    )


def days_closed_by_nobody() -> Iterator[tuple[str, Any, Any]]:
    """Gaming days that say they are closed and have no closing, as (site, day, when)."""
    return _rows(
        """
        SELECT site.code, day.day, day.closed_at
          FROM jackpot_gamingday AS day JOIN jackpot_site AS site ON site.id = day.site_id
         WHERE day.closed_at IS NOT NULL
           AND NOT EXISTS (SELECT FROM jackpot_closing AS closing WHERE closing.gaming_day_id = day.id)
         ORDER BY site.code, day.day
        """
    )


_ORPHANS = {
    "leg": "SELECT entry_id || ', leg ' || position FROM jackpot_leg AS part"
    " WHERE NOT EXISTS (SELECT FROM jackpot_entry WHERE id = part.entry_id)",
    "statement row": "SELECT level_id || ', ' || pot || ' ' || seq FROM jackpot_statementrow AS part"
    " WHERE NOT EXISTS (SELECT FROM jackpot_entry WHERE id = part.entry_id)"
    " OR NOT EXISTS (SELECT FROM jackpot_level WHERE id = part.level_id)",
    "award": "SELECT id::text FROM jackpot_award AS part"
    " WHERE NOT EXISTS (SELECT FROM jackpot_entry WHERE id = part.entry_id)"
    " OR NOT EXISTS (SELECT FROM jackpot_jackpot WHERE id = part.jackpot_id)",
    "award move": "SELECT award_id || ', ' || number FROM jackpot_awardmove AS part"
    " WHERE NOT EXISTS (SELECT FROM jackpot_entry WHERE id = part.entry_id)"
    " OR NOT EXISTS (SELECT FROM jackpot_award WHERE id = part.award_id)",
    "decision on a change": "SELECT request_id::text FROM jackpot_changedecision AS part"
    " WHERE NOT EXISTS (SELECT FROM jackpot_entry WHERE id = part.entry_id)"
    " OR NOT EXISTS (SELECT FROM jackpot_changerequest WHERE id = part.request_id)",
    "entry": "SELECT id::text FROM jackpot_entry AS part"
    " WHERE NOT EXISTS (SELECT FROM jackpot_lane WHERE id = part.lane_id)",
    "link": "SELECT lane_id || '/' || seq FROM jackpot_link AS part"
    " WHERE NOT EXISTS (SELECT FROM jackpot_lane WHERE id = part.lane_id)",
}


def orphans() -> Iterator[tuple[str, str]]:
    """What belongs to nothing, as (what, where): the walk of a lane never comes to it."""
    for what, sql in _ORPHANS.items():
        for (where,) in _rows(sql):
            yield what, f"{what} {where}"


def accounts_misplaced() -> Iterator[tuple[str, str]]:
    """Accounts that are kept under another side or site than what they are called after, as (code, what they say)."""
    return _rows(
        """
        SELECT account.code, account.side || ' of ' || site.code
          FROM jackpot_account AS account JOIN jackpot_site AS site ON site.id = account.site_id
          LEFT JOIN jackpot_jackpot AS jackpot ON jackpot.code = split_part(account.code, ':', 2)
               AND split_part(account.code, ':', 1) NOT IN ('float', 'win', 'cage')
         WHERE account.side <> CASE split_part(account.code, ':', 1)
                   WHEN 'float' THEN 'asset' WHEN 'cage' THEN 'asset' WHEN 'win' THEN 'revenue'
                   WHEN 'house' THEN 'expense' ELSE 'liability' END
            OR jackpot.home_site_id <> account.site_id
            OR (account.code LIKE 'cage:%%' AND account.code <> 'cage:' || site.code)
         ORDER BY account.code
        """
    )
