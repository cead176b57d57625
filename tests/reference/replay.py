"""Whole rounds through main bets and jackpot, in queue order: settlements as the API shows them, and the books."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from tests.reference.amounts import cents, text
from tests.reference.jackpot import Prices, Replay
from tests.reference.rounds import settle_round

Json = dict[str, Any]
KINDS = ("ante", "blind", "play", "trips", "progressive")


class Floor:
    """Tables with their rule sets, and one jackpot for those that offer the Progressive.

    `rules` maps a table's code to its settings. Rounds are whole-round bodies of the API; a live round is the same
    body given to `lock` and later to `complete`. A round or box void that needs a second person counts as approved.
    """

    def __init__(self, rules: dict[str, Json], policy: Json | None = None, opening: dict[str, str] | None = None):
        self.rules = rules
        self.jackpot = Replay(policy, opening) if policy else None
        self.settlements: dict[str, Json] = {}
        self.tables: dict[str, dict[str, Json]] = {}

    def lock(self, round_: Json) -> None:
        """The lock-out: contributions of every Progressive stake, those of boxes void later included."""
        if self.jackpot:
            self.jackpot.lockout(round_["external_id"], progressive_stakes(round_))

    def complete(self, round_: Json) -> Json:
        """Settle a locked round. Answers the settlement, without settled_at, rule_set and the ids of awards."""
        ref = round_["external_id"]
        rules = self.rules[round_["table"]]
        main = settle_round(round_, rules)
        stakes = progressive_stakes(round_)
        prices = Prices()
        if self.jackpot and stakes:
            dead = [box["box"] for box in main["boxes"] if box["void"]]
            if dead:
                self.jackpot.void(ref, dead)
            bets = [
                {
                    "box": box["box"],
                    "player": box["player"],
                    "stake": stakes[box["box"]],
                    "hand": box["progressive_hand"],
                    "alive": box["alive"],
                }
                for box in main["boxes"]
                if box["box"] in stakes and not box["void"]
            ]
            at = datetime.fromisoformat(round_["completed_at"]) if "completed_at" in round_ else None
            prices = self.jackpot.settle(ref, bets, shared=rules["hand_mode"] == "shared", at=at)
        settlement = _settlement(main, stakes, prices)
        self.settlements[ref] = settlement
        self._count(round_["table"], settlement)
        return settlement

    def play(self, round_: Json) -> Json:
        """A whole round: its lock-out followed at once by its completion.

        A void round that does not say when it was locked was never locked out: it contributes nothing.
        """
        if not round_.get("void") or round_.get("locked_at"):
            self.lock(round_)
        return self.complete(round_)

    def _count(self, table: str, settlement: Json) -> None:
        """Rounds, and staked and returned by bet (Envy beside them), refunds left out of both."""
        sums = self.tables.setdefault(
            table, {"rounds": {"count": 0}, "envy": {"paid": 0}, **{k: {"staked": 0, "returned": 0} for k in KINDS}}
        )
        sums["rounds"]["count"] += 1
        for box in settlement["boxes"]:
            sums["envy"]["paid"] += sum(cents(row["amount"]) for row in box["envy"])
            for wager in box["wagers"]:
                if wager["outcome"] != "refund":
                    sums[wager["kind"]]["staked"] += cents(wager["stake"])
                    sums[wager["kind"]]["returned"] += cents(wager["returned"])


def progressive_stakes(round_: Json) -> dict[int, int]:
    """Cents on the Progressive by box number."""
    stakes = {box["box"]: cents(box.get("progressive") or "0") for box in round_["boxes"]}
    return {box: stake for box, stake in stakes.items() if stake}


def replay(
    rounds: Iterable[Json],
    rules: dict[str, Json],
    policy: Json | None = None,
    opening: dict[str, str] | None = None,
) -> Json:
    """Play whole rounds in queue order and give everything that must come out.

    Keys: settlements (by external_id), statement, awards, envy, meters, flags, tables (cents).
    """
    floor = Floor(rules, policy, opening)
    for round_ in rounds:
        floor.play(round_)
    books = floor.jackpot
    return {
        "settlements": floor.settlements,
        "statement": books.statement if books else [],
        "awards": books.awards if books else [],
        "envy": books.envy if books else [],
        "meters": books.meters if books else {},
        "flags": books.flags if books else [],
        "tables": floor.tables,
    }


def _settlement(main: Json, stakes: dict[int, int], prices: Prices) -> Json:
    boxes = [_box(box, stakes.get(box["box"], 0), prices) for box in main["boxes"]]
    envy = sum(cents(row["amount"]) for box in boxes for row in box["envy"])
    hidden = ("player", "source")
    return {
        "version": 1,
        "dealer": main["dealer"],
        "boxes": boxes,
        "awards": [{key: hit[key] for key in hit if key not in hidden} for hit in prices.hits],
        "totals": {
            "staked": text(sum(cents(box["staked"]) for box in boxes)),
            "returned": text(sum(cents(box["returned"]) for box in boxes)),
            "envy": text(envy),
        },
    }


def _box(box: Json, progressive: int, prices: Prices) -> Json:
    wagers = list(box["wagers"])
    if progressive:
        refund = {"outcome": "refund", "returned": progressive, "basis": None}
        priced = prices.wagers.get(box["box"], refund)
        wagers.append({"kind": "progressive", "stake": progressive, **priced})
    envy = prices.envy.get(box["box"], [])
    staked = sum(wager["stake"] for wager in wagers)
    returned = sum(wager["returned"] for wager in wagers) + sum(cents(row["amount"]) for row in envy)
    return {
        "box": box["box"],
        "player": box["player"],
        "hand": box["hand"],
        "best": box["best"],
        "progressive_hand": box["progressive_hand"],
        "wagers": [_wager(wager) for wager in wagers],
        "envy": envy,
        "staked": text(staked),
        "returned": text(returned),
        "net": text(returned - staked),
    }


def _wager(wager: Json) -> Json:
    money = {
        "stake": text(wager["stake"]),
        "returned": text(wager["returned"]),
        "net": text(wager["returned"] - wager["stake"]),
    }
    return {**wager, **money}
