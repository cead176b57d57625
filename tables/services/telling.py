"""What integrators are told of rounds. What a round did to its jackpot, the jackpot tells of (`Posted.events`)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from jackpot import services as jackpot
from jackpot.money import Currency, show
from tables.models.rounds import Round
from tables.selectors import tables


@dataclass(frozen=True, slots=True)
class Ended:
    """What a settlement, or the posting of a void, made of a round; `envy` is inside `returned`, in ledger units."""

    phase: str
    version: int
    gaming_day: date
    late: bool
    staked: int
    returned: int
    envy: int


def publish(events: Sequence[jackpot.Event]) -> None:
    """Publish these events, in this order, as the last thing of the caller's transaction."""
    jackpot.publish(events, seen_at=tables.sites_linked)


def of_round(kind: jackpot.EventType, rnd: Round, *, at: datetime, ended: Ended | None = None) -> jackpot.Event:
    """An event of a round (read with its table and site), as it stands or as it `ended`."""
    currency, stands = rnd.table.currency, ended or rnd
    data: dict[str, object] = {
        "round": str(rnd.id),
        "external_id": rnd.external_id,
        "table": rnd.table.code,
        "site": rnd.site.code,
        "game_number": rnd.game_number,
        "currency": currency.code,
        "mode": "test" if rnd.site.sandbox else "live",
        "phase": stands.phase,
        "version": stands.version,
        "gaming_day": stands.gaming_day.isoformat() if stands.gaming_day else None,
        "late": stands.late,
        "problem": (rnd.problem or {}).get("code"),
        "totals": _totals(ended, currency) if ended else None,
    }
    return jackpot.Event(rnd.integrator_id, kind, at, data, site_id=rnd.site_id)


def _totals(ended: Ended, currency: Currency) -> dict[str, str]:
    return {name: show(getattr(ended, name), currency) for name in ("staked", "returned", "envy")}
