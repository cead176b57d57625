"""Awards before they are written: what a settlement owes for its hits and Envy."""

import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from uuid_utils.compat import uuid7

from jackpot.domain import postings
from jackpot.domain.awards import State
from jackpot.domain.correction_postings import Corrected
from jackpot.domain.postings import Entry, Settlement
from jackpot.domain.progressive import Envy, Hit, Outcome
from jackpot.services import levels


@dataclass(frozen=True, slots=True)
class AwardDraft:
    """An award before it is written, with the entry it is owed by (whose id is not known yet)."""

    id: UUID
    entry: Entry
    values: dict[str, Any]

    @property
    def state(self) -> State:
        return State(self.values["state"])


def draft_awards(
    posting: Settlement, outcome: Outcome, entry: Entry, loaded: levels.Loaded, entries: list[Entry]
) -> list[AwardDraft]:
    """The awards of one settlement: hits in the order paid, then Envy. Small hits are paid at once, into `entries`.

    The facts of the round are kept once, with its first hit: thousands of boxes may share one hand.
    """
    policy = loaded.books.policies[posting.policy_id or 0]
    at_once = set(postings.paid_at_once(outcome.hits, policy))
    common = common_values(posting, loaded)
    drafts: list[AwardDraft] = []
    for n, hit in enumerate(outcome.hits):
        values = hit_values(hit, loaded) | {"facts": None if n else json.loads(posting.facts)}
        draft = AwardDraft(uuid7(), entry, common | values | {"state": "paid" if n in at_once else "pending"})
        drafts.append(draft)
        if n in at_once:
            entries.append(postings.payment(hit, f"award:{draft.id}", posting.source, loaded.books))
    for envy in outcome.envy:
        state = "approved" if envy.hit in at_once else "pending"
        values = envy_values(envy, outcome.hits[envy.hit], drafts[envy.hit].id)
        drafts.append(AwardDraft(uuid7(), entry, common | values | {"state": state}))
    return drafts


def common_values(posting: Settlement, loaded: levels.Loaded) -> dict[str, Any]:
    """What all awards of a settlement have in common."""
    return {
        "jackpot_id": loaded.jackpot.pk, "policy_id": posting.policy_id, "source_ref": UUID(posting.source.ref),
        "table_ref": posting.source.table_ref, "hit_at": posting.source.at,
    }  # fmt: skip


def hit_values(hit: Hit, loaded: levels.Loaded) -> dict[str, Any]:
    """What the award of a hit freezes of it."""
    return {
        "kind": "hit", "box": hit.claim.box, "player": hit.claim.player, "hand": hit.line.hand, "amount": hit.amount,
        "level_id": loaded.rows[hit.line.level or ""].pk, "meter_before": hit.meter_before, "seq": hit.seq,
        "meter_after": hit.meter_after, "reset_to": hit.reset_to, "late": hit.late,
    }  # fmt: skip


def envy_values(envy: Envy, hit: Hit, hit_id: UUID) -> dict[str, Any]:
    """What the award of an Envy freezes of it; `hit_id` is the award of its hit."""
    return {
        "kind": "envy", "box": envy.claim.box, "player": envy.claim.player, "hand": hit.line.hand,
        "amount": envy.amount, "hit_id": hit_id, "late": hit.late,
    }  # fmt: skip


def draft_opened(after: Settlement, made: Corrected, loaded: levels.Loaded) -> dict[int, AwardDraft]:
    """The awards that a correction opens, by the places of their items. The first hit keeps the facts."""
    common, hits = common_values(after, loaded), made.outcome.hits
    drafts: dict[int, AwardDraft] = {}
    for opened in made.fates.opened:
        place = opened.item
        if place < len(hits):
            values = hit_values(hits[place], loaded)
            values["facts"] = None if drafts else json.loads(after.facts)
        else:
            envy = made.outcome.envy[place - len(hits)]
            hit_id = UUID(opened.hit) if opened.hit else drafts[envy.hit].id
            values = envy_values(envy, hits[envy.hit], hit_id)
        paid = UUID(opened.difference_of) if opened.difference_of else None
        values |= {"amount": opened.amount, "state": opened.state.value, "difference_of_id": paid}
        drafts[place] = AwardDraft(uuid7(), made.settlement, common | values | {"position": place + 1})
    return drafts
