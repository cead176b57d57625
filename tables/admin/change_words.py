"""How the settings of a policy, and the pots of a jackpot, are called on the console's pages."""

from jackpot.admin.base import percent

_NAMES = {
    "increment_ppm": "increment rate",
    "reserve_ppm": "reserve rate",
    "odds": "odds for one",
    "amount": "fixed amount",
    "ppm": "share of the meter",
    "basis": "paid by",
    "hit_order": "order of hits",
    "equal_rank": "hits of equal rank",
    "after_share": "after a share below 100%",
    "overflow_to": "overflow goes to",
    "void_contributions": "contributions of voids",
    "envy_per": "Envy is paid per",
    "verify_from": "approval needed from",
    "approvals": "people who approve",
}
_GROUPS = {"levels": "Level", "progressive_table": "Pay table", "envy_table": "Envy"}


def setting(key: str) -> str:
    """A key of `jackpot.changed` as people call it: "Level main: increment rate"; that of a pot stays."""
    group, _, rest = key.partition(".")
    if group not in _GROUPS:
        name = _NAMES.get(key, key)
        return name if ":" in name else name[:1].upper() + name[1:].replace("_", " ")
    item, _, name = rest.partition(".")
    item = item.replace("_", " ")
    return f"{_GROUPS[group]} {item}: {_NAMES.get(name, name)}" if name else f"{_GROUPS[group]} {item}"


def said(key: str, value: str | None) -> str:
    """A value as people read it: a rate in ppm with its per cent; nothing, and no limit, as a dash."""
    if value is None or value == "null":
        return "–"
    if key.endswith("ppm") and value.isdigit():
        return f"{value} ppm ({percent(int(value))})"
    return value.replace("_", " ") if value.replace("_", "").isalpha() else value
