"""Changes: what was set otherwise for jackpots and rule sets in the day, from what to what, by whom and why.

Of a jackpot its own settings, what was decided on requests, and the rule sets of the tables linked to it; of a site the
jackpots at home there and the rule sets of its tables. Who asked, who approved or refused, and the reason stand where
two people decide. A key reads what came into force, of rule sets those of its own sites' tables,
and learns neither who nor why, nor what else was asked for.
"""

from jackpot.reports import Asked, Report, line, text, times
from jackpot.selectors import changes
from jackpot.selectors.changes import Change, People
from tables.models.rulesets import RuleSet, RuleSetVersion
from tables.selectors import tables

NAME = "changes"
COLUMNS = (
    *text("what"),
    *times("at"),
    *text("subject", "parameter", "before", "after", "by", "approver", "reason"),
)


def build(asked: Asked) -> Report:
    first, end = asked.bounds
    found = [*changes.of_jackpots(asked.jackpots, first, end), *_of_rule_sets(asked)]
    if asked.caller.is_person:
        found += changes.of_requests(asked.jackpots, asked.site, first, end)
    else:
        found = [change._replace(people=People()) for change in found]
    found.sort(key=lambda change: (change.at, change.what, change.subject, change.parameter))
    lines = [
        line(
            None, change.what, change.at, change.subject, change.parameter, change.before, change.after, *change.people
        )
        for change in found
    ]
    return asked.report(NAME, COLUMNS, lines)


def _of_rule_sets(asked: Asked) -> list[Change]:
    first, end = asked.bounds
    played = tables.seen_by(asked.caller)
    if asked.site is not None:
        played = played.filter(site_id=asked.site.pk)
    if asked.jackpot is not None:
        played = played.filter(jackpot=asked.jackpot)
    versions: dict[RuleSet, list[RuleSetVersion]] = {}
    wanted = RuleSetVersion.objects.filter(rule_set__in=played.values("rule_set"))
    for version in wanted.select_related("rule_set", "change__by", "change__request__asked_by").order_by("version"):
        versions.setdefault(version.rule_set, []).append(version)
    return [
        change
        for rule_set, known in versions.items()
        for change in changes.of_versions("rule set", rule_set.code, known, first, end, _people(known))
    ]


def _people(versions: list[RuleSetVersion]) -> dict[int, People]:
    """Who stands behind each version that two people approved."""
    return {version.version: changes.people_behind(version.change) for version in versions if version.change}
