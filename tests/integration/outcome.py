"""What the product's books and results say of a jackpot's rounds, in the shape of `tests.reference.replay`.

Rounds go by their external ids, so that the same rounds settled twice, in any way, give equal values.
"""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from jackpot import money
from jackpot.models.awards import Award
from jackpot.models.jackpots import Jackpot, Level
from jackpot.models.ledger import StatementRow
from tables.domain.results import WagerKind
from tables.models.rounds import BoxResult, Round

Json = dict[str, Any]
USD = money.currency("USD")
_OTHER_SOURCES = {"fund": "first funding", "change": "opening"}
OUTCOMES = {"w": "win", "l": "lose", "p": "push", "r": "refund"}


class Outcome:
    """Everything that came of a jackpot's rounds."""

    def __init__(self, jackpot: Jackpot) -> None:
        self._jackpot = jackpot
        rounds = Round.objects.filter(table__jackpot=jackpot)
        self._names: dict[UUID, str] = {pk: name or "" for pk, name in rounds.values_list("id", "external_id")}

    def read(self) -> Json:
        awards = Award.objects.filter(jackpot=self._jackpot).select_related("level", "hit")
        awards = awards.order_by("entry_id", "position")
        return {
            "statement": list(self._statement()),
            "awards": [self._hit(award) for award in awards if award.kind == "hit"],
            "envy": [self._envy(award) for award in awards if award.kind == "envy"],
            "meters": {level.code: _meter(level) for level in self._jackpot.levels.all()},
            "results": self._results(),
        }

    def _statement(self) -> Iterator[Json]:
        rows = StatementRow.objects.filter(level__jackpot=self._jackpot).order_by("level__code", "pot", "seq")
        for row in rows.select_related("level", "entry"):
            amounts = {name: _exact(getattr(row, name)) for name in ("amount", "before", "after")}
            same = {"level": row.level.code, "pot": row.pot, "seq": row.seq, "kind": row.kind}
            yield {**same, "source": self._source(row.entry.source_ref), **amounts}

    def _source(self, ref: str) -> str:
        kind, name, *_ = ref.split(":")
        return self._names[UUID(name)] if kind == "round" else _OTHER_SOURCES[kind]

    def _hit(self, award: Award) -> Json:
        money_shown = ("amount", "meter_before", "meter_after", "reset_to")
        same = ("kind", "box", "player", "hand", "seq", "state")
        return {
            **{name: getattr(award, name) for name in same},
            **{name: _shown(getattr(award, name)) for name in money_shown},
            "level": award.level.code if award.level else None,
            "source": self._names[award.source_ref],
        }

    def _envy(self, award: Award) -> Json:
        assert award.hit is not None
        return {
            "source": self._names[award.source_ref], "box": award.box, "player": award.player,
            "state": award.state, "from_box": award.hit.box, "hand": award.hand, "amount": _shown(award.amount),
        }  # fmt: skip

    def _results(self) -> dict[str, list[Json]]:
        found: dict[str, list[Json]] = {name: [] for name in self._names.values()}
        for row in BoxResult.objects.filter(round__in=self._names).order_by("round_id", "version", "box"):
            found[self._names[row.round_id]].append(_box(row))
        return found


def results_of(settlements: dict[str, Json]) -> dict[str, list[Json]]:
    """The reference's settlements, cut down to what is stored of a box."""
    return {name: [_reference_box(box) for box in _by_number(one["boxes"])] for name, one in settlements.items()}


def _reference_box(box: Json) -> Json:
    wagers = {w["kind"]: [w["outcome"], w["returned"], w.get("capped", False)] for w in box["wagers"]}
    basis = next((w["basis"] for w in box["wagers"] if w["kind"] == "progressive"), None)
    hands = {name: box[name] for name in ("hand", "progressive_hand")}
    return {"version": 1, "box": box["box"], **hands, "wagers": wagers, "basis": basis}


def _by_number(boxes: list[Json]) -> list[Json]:
    return sorted(boxes, key=lambda box: box["box"])


def _box(row: BoxResult) -> Json:
    capped = row.capped or "-----"
    wagers = {
        kind.value: [OUTCOMES[outcome], _shown(getattr(row, kind.value)), mark == "c"]
        for kind, outcome, mark in zip(WagerKind, row.outcomes, capped, strict=True)
        if outcome != "-"
    }
    return {
        "version": row.version, "box": row.box, "hand": row.hand or None,
        "progressive_hand": row.progressive_hand or None, "wagers": wagers, "basis": row.basis or None,
    }  # fmt: skip


def _meter(level: Level) -> Json:
    pots = {pot: _exact(getattr(level, pot)) for pot in ("meter", "reserve", "overflow")}
    return {"displayed": money.show(money.displayed(int(level.meter)), USD), **pots}


def _exact(units: int) -> str:
    return money.show_exact(int(units), USD)


def _shown(units: int | None) -> str | None:
    return None if units is None else money.show(int(units), USD)
