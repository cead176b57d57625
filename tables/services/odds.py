"""Keeping what was worked out of a rule set, so that reports and forms need no minute of their own."""

from collections.abc import Hashable
from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from tables.models.odds import RuleSetOdds
from tables.models.rulesets import RuleSetVersion
from tables.odds.settings import Settings
from tables.odds.tallies import Tally
from tables.odds.theory import METHOD, Theory


@transaction.atomic
def store(*, version: RuleSetVersion, theory: Theory, now: datetime) -> bool:
    """Store a version's odds, once by each method: False where they are there already, and nothing was done."""
    _, new = RuleSetOdds.objects.get_or_create(
        rule_set=version, method=METHOD, defaults={"document": theory.to_document(), "stored_at": now}
    )
    return new


class Counted(NamedTuple):
    """Deals as they end where `version` is played best; `same` where what is asked for is played best in the same way.

    Played so, another Blind table brings what these deals bring under it: never more than by its own best play.
    """

    version: str
    deals: tuple[Tally, ...]
    same: bool


def counted(*, game: Hashable, preflop: tuple[int, ...]) -> Counted | None:
    """Stored deals of this very game, or else of one with the same bets before the flop; None where there are none."""
    found: Counted | None = None
    stored = RuleSetOdds.objects.filter(method=METHOD).select_related("rule_set__rule_set").order_by("-pk")
    for odds in stored:
        settings = Settings.from_document(odds.rule_set.document)
        same = settings.game == game
        if same or (found is None and settings.preflop == preflop):
            found = Counted(str(odds.rule_set), Theory.from_document(odds.document, settings).deals, same)
        if same:
            break
    return found
