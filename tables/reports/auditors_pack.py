"""The auditor's pack of a site's day: the daily pack, the evidence of its hits, how it was closed, the heads."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from jackpot.selectors import attention, awards
from jackpot.selectors.closed_days import ClosedDay, closed_day
from jackpot.selectors.snapshots import snapshot
from jackpot.services import Caller, Site
from tables.reports.daily_pack import DailyPack, daily_pack
from tables.reports.evidence import Evidence, evidence_of


@dataclass(frozen=True, slots=True)
class AuditorsPack:
    """Everything of a day that an auditor takes along. `closed` is None while the day is open; `heads` as logged."""

    daily: DailyPack
    evidence: Sequence[Evidence]
    closed: ClosedDay | None
    heads: Sequence[str]


def auditors_pack(*, site: Site, day: date, caller: Caller, made_at: datetime, made_by: str) -> AuditorsPack:
    """Make the pack for a member of staff, who sees everything; all of it of one moment."""
    with snapshot():
        hits = awards.filtered(awards.all_awards(), awards.Filters(site=site.code, day=day, kind="hit"))
        ids = list(hits.order_by("hit_at", "id").values_list("pk", flat=True))
        found = [evidence_of(pk, made_at=made_at, made_by=made_by) for pk in ids]
        return AuditorsPack(
            daily=daily_pack(site=site, day=day, caller=caller, made_at=made_at, made_by=made_by),
            evidence=[pack for pack in found if pack is not None],
            closed=closed_day(site, day),
            heads=[head.text for head in attention.heads() if head.lane.sealed],
        )
