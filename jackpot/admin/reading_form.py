"""The form of a reading: its time is that of the clock at the jackpot's site, or UTC where that clock says it twice."""

from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils import timezone

from jackpot.admin.steps import Note
from jackpot.models.jackpots import Jackpot

_FORMAT = "%Y-%m-%dT%H:%M:%S"


class ReadingForm(Note):
    """Level, amount, time and note, of a jackpot."""

    field_order = ("level", "shown", "read_at", "clock", "note")
    level = forms.ChoiceField()
    shown = forms.CharField(label="The sign showed", max_length=24, help_text="The amount as it stood there, such as "
                            "10000.40", widget=forms.TextInput(attrs={"inputmode": "decimal"}))  # fmt: skip
    read_at = forms.DateTimeField(
        label="Read at",
        input_formats=[_FORMAT, f"{_FORMAT}.%f", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M"],
        widget=forms.DateTimeInput(format=_FORMAT, attrs={"type": "datetime-local", "step": "1"}),
    )  # fmt: skip
    clock = forms.ChoiceField(help_text="UTC for the hour that a clock shows twice when summer ends")
    note = forms.CharField(required=False, max_length=200, widget=forms.Textarea(attrs={"rows": 3}))

    def __init__(self, data: Any = None, *, record: Jackpot, **kwargs: Any) -> None:
        zone = record.home_site.timezone
        super().__init__(data, record=record, **kwargs)
        self.zones = list(dict.fromkeys((zone, "UTC")))
        self.fields["level"] = forms.ChoiceField(choices=[(one.code, one.code) for one in record.levels.all()])
        self.fields["clock"] = forms.ChoiceField(choices=[(one, one) for one in self.zones], initial=zone,
                                                 help_text=self.base_fields["clock"].help_text)  # fmt: skip
        self.initial["read_at"] = timezone.now().astimezone(ZoneInfo(zone)).replace(tzinfo=None)

    def full_clean(self) -> None:
        """The time is read by the clock that was chosen."""
        chosen = self.data.get("clock") if self.is_bound else None
        with timezone.override(chosen if chosen in self.zones else self.zones[0]):
            super().full_clean()
