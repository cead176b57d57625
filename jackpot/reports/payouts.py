"""Payouts: awards that were paid, returned or withdrawn in a day, by whom, with which reference, and who approved them.

The day is the jackpot's. A hit below `verify_from` is paid at once, by nobody. With `liabilities` it foots: what was
owed at the end of the day before, and the day's awards, less these, is what is owed at the day's end.
"""

from jackpot.domain.awards import Move
from jackpot.domain.reports import Line, Report, line, money, text, times
from jackpot.models.awards import Award, AwardMove
from jackpot.reports.asking import Asked
from jackpot.selectors import award_moves, awards, liabilities

NAME = "payouts"
AT_ONCE = "at once"
COLUMNS = (
    *text("jackpot", "currency", "kind", "hand", "table", "player"),
    *money("amount"),
    *text("became"),
    *times("at"),
    *text("by", "reference", "approved_by"),
    *times("hit_at"),
    *text("round", "award"),
)
_ENDS = {Move.PAY, Move.REJECT, Move.WITHDRAW}
_GRANTS = {Move.APPROVE, Move.UPHOLD}


def build(asked: Asked) -> Report:
    wanted = awards.Filters(
        site=asked.site.code if asked.site else None, jackpot=asked.jackpot.code if asked.jackpot else None
    )
    seen = awards.filtered(awards.seen_by(asked.caller), wanted)
    ended = liabilities.ended_on(seen, asked.day).prefetch_related(award_moves.TOLD)
    return asked.report(NAME, COLUMNS, [_line(award, staff=asked.caller.is_person) for award in ended])


def _line(award: Award, *, staff: bool) -> Line:
    moves = list(award.moves.all())
    last = next((move for move in reversed(moves) if move.move in _ENDS), None)
    granted = ", ".join(dict.fromkeys(_who(move, staff=staff) for move in moves if move.move in _GRANTS))
    return line(
        award.jackpot.currency, award.jackpot.code, award.jackpot.currency_code, award.kind, award.hand,
        award.table_ref, award.player, award.amount, award.state, last.at if last else award.hit_at,
        _who(last, staff=staff) if last else AT_ONCE, (last.note or None) if last and (staff or last.key) else None,
        granted or None, award.hit_at, str(award.source_ref), str(award.pk),
    )  # fmt: skip


def _who(move: AwardMove, *, staff: bool) -> str:
    if move.key is not None:
        return f"key:{move.key.prefix}"
    return f"staff:{move.user.get_username()}" if staff and move.user else "staff"
