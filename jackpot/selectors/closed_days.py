"""A closing as people look at it: its lines, and the head that seals it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from jackpot.domain import chain
from jackpot.domain.closings import Closing as Record
from jackpot.domain.closings import source_of
from jackpot.models.closings import Closing, UnpaidAward
from jackpot.models.ledger import Link
from jackpot.models.sites import Site
from jackpot.money import Currency, currency
from jackpot.selectors import closings


@dataclass(frozen=True, slots=True)
class ClosedDay:
    """A closing, its record (whose bytes its entry digests), the awards it left unpaid, and the head of its link."""

    closing: Closing
    record: Record
    unpaid: Sequence[UnpaidAward]
    head: str
    currencies: dict[str, Currency]


def closed_day(site: Site, day: date) -> ClosedDay | None:
    """How a site's day was closed; None of one that is open."""
    closing = closings.of_day(site.pk, day)
    if closing is None:
        return None
    entry = closings.sealing(source_of(site.code, day))
    link = Link.objects.get(lane_id=entry.lane_id, seq=entry.link_seq)
    unpaid = (
        closing.unpaid_lines.select_related("award__jackpot").defer("award__facts").order_by("owed_day", "award_id")
    )
    pots = closing.pot_lines.values_list("level__jackpot__code", "level__jackpot__currency_code").distinct()
    return ClosedDay(
        closing=closing,
        record=closings.read(closing),
        unpaid=list(unpaid),
        head=chain.head(entry.lane_id, entry.link_seq, bytes(link.digest)),
        currencies={code: currency(money) for code, money in pots},
    )
