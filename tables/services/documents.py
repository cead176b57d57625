"""Rule sets as the jackpot seals them: opaque, under references such as "rule_set:casino-progressive@1"."""

from jackpot import services as jackpot
from tables.models.rulesets import RuleSetVersion
from tables.selectors import versions

_KIND = "rule_set"


def ref_of(version: RuleSetVersion) -> str:
    """The reference under which a version is sealed."""
    return f"{_KIND}:{version}"


def rule_set(ref: str) -> jackpot.Document | None:
    """The rule set a reference names, as it is stored now; None where there is none."""
    kind, _, name = ref.partition(":")
    code, _, number = name.rpartition("@")
    if kind != _KIND or not number.isdecimal():
        return None
    found = RuleSetVersion.objects.select_related("rule_set").filter(rule_set__code=code, version=int(number)).first()
    return jackpot.Document(ref, versions.document_of(found)) if found else None
