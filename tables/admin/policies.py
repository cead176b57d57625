"""Asking for a new version of a jackpot's policy: a step of its page, at the tables, which know the hands it pays."""

from django.urls import reverse

from jackpot import services as jackpot
from jackpot.admin.base import exact, when
from jackpot.admin.steps import Acting, Done, Fact, Step, page_of
from tables.admin.policy_form import PolicyForm
from tables.services import houses


def _ask(acting: Acting) -> Done:
    said = acting.said
    request_id = houses.ask_for_policy(
        caller=acting.caller, linked=acting.record, document=said["document"], reason=said["reason"],
        note=said["note"], now=acting.now,
    )  # fmt: skip
    to = reverse("admin:jackpot_changerequest_change", args=[request_id])
    return Done(message=f"Asked for: policy {acting.record}. Another person decides on it", to=to)


def _facts(record: jackpot.Jackpot) -> list[Fact]:
    last = record.policies.latest("version")
    since = when(last.in_force_at, record.home_site.timezone)
    meters = [(f"Meter {level.code} now", exact(level.meter, record.currency)) for level in record.levels.all()]
    return [("Policy", f"{last}, in force since {since}"), *meters]


ASK = Step(
    name="policy", label="Ask for a new policy", needs="jackpot.ask_policy", act=_ask, form=PolicyForm, facts=_facts,
    about="Rounds that are locked out from the approval on play the new version. Base, rates and limit of a level come "
    "into force with its next reset. No round that was played is changed.",
    offered=lambda record: record.state != record.State.RETIRED, template="tables/policy_step.html",
)  # fmt: skip

page = page_of(jackpot.Jackpot)
page.steps = (*page.steps, ASK)
