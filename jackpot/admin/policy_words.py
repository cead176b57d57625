"""How the settings of a policy, and of what else is asked for and decided on, are called; and versions of a policy
beside each other: each setting in words and money, and where it is another.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from jackpot.admin.base import percent
from jackpot.domain.changes import settings
from jackpot.models.jackpots import PolicyVersion
from jackpot.money import Currency

_MONEY = {"stake", "verify_from", "base", "limit", "amount"}
_NAMES = {
    "stake": "Stake", "verify_from": "Approval needed from", "approvals": "People who approve",
    "hit_order": "Order of hits", "equal_rank": "Hits of equal rank", "after_share": "After a share below 100%",
    "overflow_to": "Overflow goes to", "void_contributions": "Contributions of voids", "envy_per": "Envy is paid per",
    "base": "base", "limit": "limit", "increment_ppm": "increment rate", "reserve_ppm": "reserve rate",
    "basis": "paid by", "odds": "odds for one", "amount": "fixed amount", "ppm": "share of the meter",
    "level": "of level", "levels": "Level", "progressive_table": "Pay table", "envy_table": "Envy",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of several versions, oldest first: its name, and its values, each with whether it was changed then."""

    name: str
    values: Sequence[tuple[str, bool]]

    @property
    def differs(self) -> bool:
        return any(changed for _, changed in self.values)


def side_by_side(versions: Sequence[PolicyVersion], cur: Currency) -> list[Setting]:
    """Every setting of some versions, given oldest first; what only names an item stands in the others' names."""
    found = [settings(version.document) for version in versions]
    keys = [key for key in dict.fromkeys(key for one in found for key in one) if not key.endswith((".code", ".hand"))]
    return [_setting(key, [one.get(key) for one in found], cur) for key in keys]


def _setting(key: str, values: Sequence[str | None], cur: Currency) -> Setting:
    before = [values[0], *values[:-1]]
    changed = [now != then for then, now in zip(before, values, strict=True)]
    words = [in_words(key, value, cur) for value in values]
    return Setting(named(key), list(zip(words, changed, strict=True)))


def named(key: str) -> str:
    """A setting's key ("levels.main.base") as people read it: "Level main: base"; a pot's name stays."""
    if ":" in key:
        return key
    first, *rest = key.split(".")
    name = _NAMES.get(first, first.replace("_", " ").capitalize())
    if not rest:
        return name
    subject, *last = rest
    return ": ".join([f"{name} {subject.replace('_', ' ')}", *(_NAMES.get(one, one.replace("_", " ")) for one in last)])


def in_words(key: str, value: str | None, cur: Currency | None) -> str:
    """A setting's value as people read it, money with its code where one is given; a dash where it is not set."""
    last = key.rpartition(".")[2]
    if value is None or value == "null":
        return "–"
    if last.endswith("ppm") and value.isdigit():
        return f"{value} ppm ({percent(int(value))})"
    if cur is not None and (last in _MONEY or key.startswith("envy_table.")):
        return f"{value} {cur.code}"
    return value.replace("_", " ") if value.replace("_", "").isalpha() else value
