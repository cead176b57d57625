"""The console's pages of events, and of where they are sent."""

from django.contrib import admin

from jackpot.admin.base import ReadOnly
from jackpot.models.events import Event
from jackpot.models.webhooks import Delivery, Endpoint


@admin.register(Event)
class EventAdmin(ReadOnly):
    list_display = ("at", "integrator", "seq", "type", "jackpot", "site")
    list_select_related = ("integrator", "jackpot", "site")
    list_filter = ("integrator", "type")
    ordering = ("-id",)  # in the order in which they were published, as the ids are


@admin.register(Endpoint)
class EndpointAdmin(ReadOnly):
    list_display = ("id", "integrator", "url", "state", "why", "read_to", "failures", "answered_at", "paused_to")
    list_select_related = ("integrator",)
    list_filter = ("state", "integrator")


@admin.register(Delivery)
class DeliveryAdmin(ReadOnly):
    list_display = ("id", "endpoint", "seq", "kind", "state", "attempts", "due_at", "delivered_at", "status", "error")
    list_select_related = ("endpoint", "event")
    list_filter = ("state", "endpoint")
    raw_id_fields = ("event",)
    ordering = ("-id",)

    @admin.display(description="event")
    def kind(self, delivery: Delivery) -> str:
        return delivery.event.type
