"""Where something comes from, as a link: references of entries lead to rounds, awards, changes and days."""

import re
from collections.abc import Mapping

from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

_UUID = r"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"
_PAGES: Mapping[str, tuple[re.Pattern[str], str]] = {
    "round": (re.compile(f"round:{_UUID}"), "admin:tables_round_change"),
    "award": (re.compile(f"award:{_UUID}"), "admin:jackpot_award_change"),
    "change": (re.compile(f"change:{_UUID}"), "admin:jackpot_changerequest_change"),
    "day": (re.compile(r"day:([\w-]+):(\d{4}-\d{2}-\d{2})$"), "console:day"),
}
"""By what a reference begins with: its form, and the page. The tables make some; they are known here by their names."""


def linked(source_ref: str) -> SafeString | str:
    """A reference that leads to what it names; as text where there is no page of it."""
    kind = source_ref.partition(":")[0]
    form, name = _PAGES.get(kind, (None, ""))
    named = form.match(source_ref) if form else None
    if named is None:
        return source_ref
    try:
        address = reverse(name, args=named.groups())
    except NoReverseMatch:
        return source_ref
    return format_html(
        '<a href="{}" title="{}">{} {}</a>', address, source_ref, kind, named[named.lastindex or 1][-12:]
    )
