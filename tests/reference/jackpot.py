"""A jackpot replayed: lock-outs, settlements and voids in queue order, and what its books must say after each.

Money in cents. Rules: hits are lines with a meter share; a share is of the displayed meter; 100% resets its level
at once; Envy goes by player, never by box.
"""

from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from typing import Any

from tests.reference.amounts import MILLION, cents, exact_text, half_up, text
from tests.reference.meters import Level, in_pots

Json = dict[str, Any]


@dataclass
class Prices:
    """What the Progressive gives one round: by box the wager's outcome and Envy rows, and the hits in order."""

    wagers: dict[int, Json] = field(default_factory=dict)
    envy: dict[int, list[Json]] = field(default_factory=dict)
    hits: list[Json] = field(default_factory=list)


class Replay:
    """A jackpot from its first funding on. `opening` brings a level's meter to a figure by an adjustment row.

    `result` is what its tables have won on the Progressive: stakes less contributions, fixed prizes and Envy; shares
    of a meter are the meter's.
    """

    def __init__(self, policy: Json, opening: dict[str, str] | None = None) -> None:
        self.policy = policy
        self.levels = {terms["level"]: Level(terms, policy["overflow_to"]) for terms in policy["levels"]}
        self.awards: list[Json] = []
        self.envy: list[Json] = []
        self.flags: list[Json] = []
        self.wagered = 0
        self.result = Fraction(0)
        self._stakes: dict[str, dict[int, int]] = {}
        self._parts: dict[str, dict[str, tuple[dict[str, Fraction], int]]] = {}
        for name, figure in (opening or {}).items():
            level = self.levels[name]
            change = cents(figure) - level.pots["meter"]
            level.post("meter", "adjustment", change, "opening")
            level.house += change

    # -- lock-out and void ------------------------------------------------------------------------------------------

    def lockout(self, ref: str, stakes: dict[int, int]) -> None:
        """Post the contributions of a round's Progressive stakes (cents by box), before anything of it is paid."""
        if not stakes:
            return
        staked = sum(stakes.values())
        self.wagered += staked
        self._stakes[ref] = stakes
        self._parts[ref] = {level.name: (level.contribute(staked, ref), level.resets) for level in self.levels.values()}
        self.result += staked - sum(in_pots(part) for part, _ in self._parts[ref].values())

    def void(self, ref: str, boxes: list[int]) -> None:
        """Give the stakes of a round's dead boxes back and treat their contributions by the void policy, at once."""
        stakes = self._stakes.pop(ref, {})
        dead = sum(stakes[box] for box in boxes if box in stakes)
        self.result -= dead
        for name, (whole, resets_then) in self._parts.pop(ref, {}).items():
            level = self.levels[name]
            part = level.part_of(dead, whole)
            self.result += in_pots(part)
            if self.policy["void_contributions"] == "keep":
                level.house += in_pots(part)
                continue
            borne = level.take_back(part, resets_then, ref)
            if borne:
                self.flags.append({"source": ref, "level": name, "house": exact_text(borne)})

    # -- settlement -------------------------------------------------------------------------------------------------

    def settle(self, ref: str, bets: list[Json], *, shared: bool = False, at: datetime | None = None) -> Prices:
        """Price a round's Progressive bets: `{box, player, stake, hand, alive}` with stake in cents.

        `hand` is the category of hole and flop; a bet not alive neither wins, triggers nor receives. `at` is when the
        round was complete.
        """
        bets = sorted(bets, key=lambda bet: bet["box"])
        prices = Prices()
        for bet in bets:
            prices.wagers[bet["box"]] = self._fixed(bet)
            self.result -= prices.wagers[bet["box"]]["returned"]
        for group in self._hits_in_order(bets, shared):
            self._pay_hit(ref, group, prices, at)
        if not shared:
            self._pay_envy(ref, bets, prices)
        self.awards += prices.hits
        return prices

    def _line(self, bet: Json) -> Json | None:
        line: Json | None = self.policy["progressive_table"].get(bet["hand"]) if bet["alive"] else None
        return line

    def _fixed(self, bet: Json) -> Json:
        line = self._line(bet)
        if line is None:
            return {"outcome": "lose", "returned": 0, "basis": None}
        returned = 0  # a share of a meter is put in when its hit is paid
        if line["basis"] == "for_one":
            returned = bet["stake"] * line["odds"]
        if line["basis"] == "fixed":
            returned = cents(line["amount"])
        return {"outcome": "win", "returned": returned, "basis": line["basis"]}

    def _hits_in_order(self, bets: list[Json], shared: bool) -> list[list[Json]]:
        """The hits, each a list of the bets that divide one share. The lines of the policy run from high to low."""
        winners = [bet for bet in bets if (self._line(bet) or {}).get("basis") == "meter_share"]
        high_first = self.policy["hit_order"] == "high_first"
        lines = list(self.policy["progressive_table"])
        by_strength = sorted({bet["hand"] for bet in winners}, key=lines.index, reverse=not high_first)
        groups: list[list[Json]] = []
        for hand in by_strength:
            equals = [bet for bet in winners if bet["hand"] == hand]
            if shared or self.policy["equal_rank"] == "split":
                groups.append(equals)
            else:
                groups += [[bet] for bet in equals]
        return groups

    def _pay_hit(self, ref: str, group: list[Json], prices: Prices, at: datetime | None) -> None:
        line = self._line(group[0])
        assert line is not None
        level = self.levels[line["level"]]
        share = half_up(Fraction(level.displayed * line["ppm"], MILLION))
        each, left = divmod(share, len(group))
        before = level.displayed
        late = at is not None and level.reset_at is not None and at < level.reset_at
        small = share < cents(self.policy["verify_from"])
        # One share is one row, however many divide it; a share of nothing has none and names the row before it.
        seq = level.post("meter", "award", -share, ref) or level.seqs["meter"]
        after = level.displayed
        hits = []
        for place, bet in enumerate(group):
            amount = each + (1 if place < left else 0)
            prices.wagers[bet["box"]]["returned"] = amount
            hits.append(
                {
                    "kind": "hit",
                    "box": bet["box"],
                    "player": bet["player"],
                    "hand": bet["hand"],
                    "level": level.name,
                    "amount": text(amount),
                    "meter_before": text(before),
                    "meter_after": text(after),
                    "reset_to": None,
                    "seq": seq,
                    "state": "paid" if small and not late else "pending",
                    "source": ref,
                }
            )
        if line["ppm"] == MILLION:
            level.reset(ref, at)
            for hit in hits:
                hit["reset_to"] = text(level.displayed)
        elif self.policy["after_share"] == "restore_base":
            level.restore(ref)
        prices.hits += hits

    def _pay_envy(self, ref: str, bets: list[Json], prices: Prices) -> None:
        """Each Progressive bet that is alive receives for the hits of other players, in hit order."""
        table = self.policy["envy_table"]
        triggers = [hit for hit in prices.hits if hit["hand"] in table]
        for bet in bets:
            others = [hit for hit in triggers if bet["alive"] and hit["player"] != bet["player"]]
            if others and self.policy["envy_per"] == "round":
                others = [max(others, key=lambda hit: cents(table[hit["hand"]]))]
            rows = [{"from_box": hit["box"], "hand": hit["hand"], "amount": table[hit["hand"]]} for hit in others]
            if rows:
                prices.envy[bet["box"]] = rows
                self.result -= sum(cents(row["amount"]) for row in rows)
            for hit, row in zip(others, rows, strict=True):
                state = "approved" if hit["state"] == "paid" else "pending"
                self.envy.append({"source": ref, "box": bet["box"], "player": bet["player"], "state": state, **row})

    # -- what the books say -----------------------------------------------------------------------------------------

    @property
    def statement(self) -> list[Json]:
        """All rows, level by level, inside a level in posting order; seq counts per level and pot."""
        return [row for level in self.levels.values() for row in level.rows]

    @property
    def meters(self) -> Json:
        """Each level's displayed and exact meter, reserve, overflow, and what the house has put in."""
        return {
            level.name: {
                "displayed": text(level.displayed),
                **{pot: exact_text(amount) for pot, amount in level.pots.items()},
                "house": exact_text(level.house),
            }
            for level in self.levels.values()
        }
