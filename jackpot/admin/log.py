"""The console's pages of what people did, and of who signed in, or failed to."""

from axes.models import AccessAttempt, AccessLog
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from jackpot.admin.base import ReadOnly


@admin.register(LogEntry)
class LogAdmin(ReadOnly):
    """Who did what, when, with what stood before and after."""

    list_display = ("action_time", "user", "record", "did")
    list_display_links = ("action_time",)
    list_select_related = ("user", "content_type")
    list_filter = ("content_type",)
    date_hierarchy = "action_time"
    ordering = ("-action_time", "-id")
    search_fields = ("user__username", "object_repr", "change_message")
    search_help_text = "A person, a record, or words of what was done"
    fields = ("action_time", "user", "record", "did")
    readonly_fields = ("record", "did")

    @admin.display(description="what was done")
    def did(self, entry: LogEntry) -> str:
        return entry.get_change_message() or str(entry)

    @admin.display(description="record")
    def record(self, entry: LogEntry) -> SafeString | str:
        kind = entry.content_type
        if kind is None:
            return entry.object_repr
        name = f"{kind.name} {entry.object_repr}"
        try:
            place = reverse(f"admin:{kind.app_label}_{kind.model}_change", args=[entry.object_id])
        except NoReverseMatch:
            return name
        return format_html('<a href="{}" class="underline">{}</a>', place, name)


@admin.register(AccessLog)
class SignInAdmin(ReadOnly):
    """Passwords that were right: when, whose, from where."""

    list_display = ("attempt_time", "username", "ip_address", "logout_time")
    search_fields = ("username", "ip_address")
    date_hierarchy = "attempt_time"
    fields = ("attempt_time", "username", "ip_address", "user_agent", "logout_time")


@admin.register(AccessAttempt)
class FailedSignInAdmin(ReadOnly):
    """Wrong passwords of the last quarter of an hour, by which names are locked."""

    list_display = ("attempt_time", "username", "ip_address", "failures_since_start")
    search_fields = ("username", "ip_address")
    fields = ("attempt_time", "username", "ip_address", "user_agent", "failures_since_start")
