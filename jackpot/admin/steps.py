"""What a person may do on a page of the console: a step shows the facts, says what it does, and asks before it acts.

A step has an address of its own under its record's page. GET shows it and changes nothing; POST carries it out through
a service, or shows again why it was refused. It needs no script. A form that is sent twice, by a double click or the
browser's way back, acts once: the second time shows what the first came to.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import strip_tags
from django.utils.safestring import SafeString

from jackpot import tasks
from jackpot.admin.base import ReadOnly, caller_of, words
from jackpot.domain.callers import Caller
from jackpot.domain.errors import Refused, Violation
from jackpot.domain.events import Event
from jackpot.http.catalogue import CATALOGUE
from jackpot.services import repeats

LONGEST_NOTE = 500
PREVIEW = "preview"
"""The name of a button that shows a step's form again, with what it comes to, and acts on nothing."""

ONCE = "once"
"""The field of a step's form by which it is known when it is sent again."""

_SAID = {
    "in_progress": "this is being done already: look at the page in a moment",
    "idempotency_conflict": "this form was sent before with other content, and acted on: open it anew",
}
AGE = "Age"
"""The name of a fact that is another each second, and no change to be logged."""

NONE = ("", "Choose")
Fact = tuple[str, object]


class Note(forms.Form):
    """A remark, which may be left out. `record` is what the step is about; forms of other steps may look at it."""

    note = forms.CharField(required=False, max_length=LONGEST_NOTE, widget=forms.Textarea(attrs={"rows": 3}))

    def __init__(self, data: Any = None, *, record: Any, **kwargs: Any) -> None:
        self.record = record
        super().__init__(data, **kwargs)

    def forgive_what_lacks(self) -> None:
        """Name what is wrong already, and not what is still to be filled in."""
        for name, errors in list(self.errors.as_data().items()):
            if any(error.code == "required" for error in errors):
                del self.errors[name]

    def field_of(self, pointer: str) -> str | None:
        """The field that a refusal points to; None for what concerns the whole."""
        name = pointer.rpartition("/")[2]
        return name if name in self.fields else None

    def complete(self) -> bool:
        """Whether the step may act on what was said; a form that first shows what would come of it is sent again."""
        return True


class Reason(Note):
    """A remark that must be made."""

    note = forms.CharField(label="Reason", max_length=LONGEST_NOTE, widget=forms.Textarea(attrs={"rows": 3}))


class Asking(Note):
    """What is asked for ends with a reason of a closed list and a note, which the reason `other` needs."""

    reasons: Sequence[str]
    reason = forms.ChoiceField()
    note = forms.CharField(
        required=False, max_length=LONGEST_NOTE, widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Needed with the reason other",
    )  # fmt: skip

    def __init__(self, data: Any = None, *, record: Any, **kwargs: Any) -> None:
        super().__init__(data, record=record, **kwargs)
        self.fields["reason"] = forms.ChoiceField(choices=[NONE, *((one, words(one)) for one in self.reasons)])

    def order_fields(self, field_order: Any) -> None:
        """Those that are named first, then what the kind adds, then reason and note."""
        names = list(field_order or ())
        between = [name for name in self.fields if name not in (*names, "reason", "note")]
        super().order_fields([*names, *between, "reason", "note"])


@dataclass(frozen=True, slots=True)
class Acting:
    """A step being taken: on what, by whom, with what was said in its form, when."""

    record: Any
    request: HttpRequest
    caller: Caller
    said: dict[str, Any]
    now: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Done:
    """What a step came to: the message that is shown then, what is to be told of it, and where it leads (an address;
    empty: to the record's page). What is told is published as the last thing of the transaction. `warns`: it is nothing
    good.
    """

    message: str
    told: Sequence[Event] = ()
    to: str = ""
    warns: bool = False


def _nothing(record: Any) -> Sequence[Fact]:
    return ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """One thing to do. `name` stands in its address; `about` says what happens, and what can't be undone.

    `offered`: whether it is in order as the record stands (the service decides again, under its lock). `act` does it
    and answers with what it came to, or only the message; it raises Refused. `facts` are what must be seen before.
    """

    name: str
    label: str
    about: str
    needs: str
    act: Callable[[Acting], Done | str]
    offered: Callable[[Any], bool] = lambda record: True
    form: type[Note] = Note
    facts: Callable[[Any], Sequence[Fact]] = _nothing
    grave: bool = False
    template: str = "jackpot/console/step.html"


class Stepped(ReadOnly):
    """A page of facts with steps. `drawn`: how an app that knows more of a record draws it (see `page_of`)."""

    steps: Sequence[Step] = ()
    drawn: Callable[[Any], SafeString] | None = None
    change_form_outer_before_template = "jackpot/console/steps.html"

    def get_urls(self) -> list[URLPattern]:
        name = f"{self.opts.app_label}_{self.opts.model_name}_step"
        at = path("<path:object_id>/step/<slug:name>/", self.admin_site.admin_view(self.step_view), name=name)
        return [at, *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        record = self.get_object(request, object_id)
        offered = [] if record is None else self.offered(request, record)
        context = {"steps": [(step, self.step_address(record, step)) for step in offered]} | (extra_context or {})
        answer: HttpResponse = super().change_view(request, object_id, form_url, context)
        return answer

    def looked_at(self, request: HttpRequest, object_id: str) -> Any:
        """The record of a page that is made otherwise than by Django: it is read, by those who may look at it."""
        if request.method not in ("GET", "HEAD"):
            raise PermissionDenied
        record = self.get_object(request, object_id)
        if record is None:
            raise Http404
        if not self.has_view_permission(request, record):
            raise PermissionDenied
        return record

    def page(self, request: HttpRequest, record: Any, template: str, title: str, **shown: Any) -> HttpResponse:
        """Such a page, with the steps that may be taken."""
        steps = [(step, self.step_address(record, step)) for step in self.offered(request, record)]
        every = self.admin_site.each_context(request) | {"title": title, "opts": self.opts, "steps": steps}
        return render(request, template, every | shown)

    def offered(self, request: HttpRequest, record: Any) -> list[Step]:
        """The steps that are in order for this record and may be taken by who looks at it."""
        return [step for step in self.steps if self.may(request, step, record) and step.offered(record)]

    def may(self, request: HttpRequest, step: Step, record: Any) -> bool:
        """Whether who looks has the permission for a step."""
        return request.user.has_perm(step.needs)

    def step_address(self, record: Any, step: Step) -> str:
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_step", args=[record.pk, step.name])

    def step_view(self, request: HttpRequest, object_id: str, name: str) -> HttpResponse:
        """The page of a step, and the step itself."""
        if request.method not in ("GET", "HEAD", "POST"):
            return HttpResponse(status=405, headers={"Allow": "GET, HEAD, POST"})
        step = next((step for step in self.steps if step.name == name), None)
        record = self.get_object(request, object_id)
        if step is None or record is None:
            raise Http404
        if not (self.has_view_permission(request, record) and self.may(request, step, record)):
            raise PermissionDenied
        form = step.form(request.POST if request.method == "POST" else None, record=record)
        if PREVIEW in request.POST:
            form.forgive_what_lacks()
        if request.method != "POST" or PREVIEW in request.POST:
            return self._shown(request, step, record, form)
        if not form.is_valid():
            return self._shown(request, step, record, form, status=400)
        if not form.complete():
            return self._shown(request, step, record, form)
        try:
            done = self._take(request, step, record, form)
        except Refused as refused:
            for violation in refused.violations:
                form.add_error(form.field_of(violation.pointer), _said(violation))
            return self._shown(request, step, record, form, status=CATALOGUE[refused.code].status)
        (messages.warning if done["warns"] else messages.success)(request, done["message"])
        return redirect(done["to"] or self.after(request, step, record))

    def after(self, request: HttpRequest, step: Step, record: Any) -> str:
        """Where one stands after a step: on the record's page."""
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_change", args=[record.pk])

    def beside(self, request: HttpRequest, step: Step, record: Any) -> dict[str, Any]:
        """What a step's own template shows beside its facts."""
        return {}

    def _take(self, request: HttpRequest, step: Step, record: Any, form: Note) -> dict[str, Any]:
        """Act once, in one transaction; what it came to, as `Done` has it. Then whoever sends is woken."""
        acting = Acting(record, request, caller_of(request), form.cleaned_data, timezone.now())

        def perform() -> repeats.Done:
            before = step.facts(record)
            done = step.act(acting)
            done = Done(message=done) if isinstance(done, str) else done
            after = step.facts(self.get_object(request, str(record.pk)))
            why = acting.said.get("note") or ""
            self.log_change(request, record, _logged(f"{step.label}: {done.message}", why, before, after))
            return {"message": done.message, "to": done.to, "warns": done.warns}, done.told

        said = {name: values for name, values in request.POST.lists() if name not in (ONCE, "csrfmiddlewaretoken")}
        asked = repeats.Asked(f"console:{_once(request)}", "POST", request.path, said)
        document = repeats.once(caller=acting.caller, asked=asked, perform=perform, now=acting.now).document
        tasks.wake()
        return document

    def _shown(self, request: HttpRequest, step: Step, record: Any, form: Note, *, status: int = 200) -> HttpResponse:
        context = self.admin_site.each_context(request) | {
            "title": f"{step.label} · {record}", "step": step, "record": record, "form": form, "opts": self.opts,
            "facts": step.facts(record), "in_order": step.offered(record), "back": self.after(request, step, record),
            "once": _once(request), **self.beside(request, step, record),
        }  # fmt: skip
        return render(request, step.template, context, status=status)


def page_of(model: type[Model]) -> Stepped:
    """The page of a model, to which an app that knows more of it adds steps, or how to draw it."""
    page = admin.site.get_model_admin(model)
    if not isinstance(page, Stepped):
        raise TypeError(f"the page of {model} has no steps")
    return page


def _logged(message: str, why: str, before: Sequence[Fact], after: Sequence[Fact]) -> str:
    """What is written down of a step: what it came to, why, and each fact that is another now."""
    stood = {name: strip_tags(str(value)) for name, value in before}
    stands = {name: strip_tags(str(value)) for name, value in after}
    names = [name for name in {**stood, **stands} if name != AGE and stood.get(name) != stands.get(name)]
    changes = [f"{name}: {stood.get(name, '–')} → {stands.get(name, '–')}" for name in names]
    return "; ".join([message, *([f"why: {why}"] if why else []), *changes])


def _once(request: HttpRequest) -> str:
    """By what a form is known: new, unless it came with the form and shows it again."""
    try:
        return str(UUID(request.POST.get(ONCE, "")))
    except ValueError:
        return str(uuid4())


def _said(violation: Violation) -> str:
    return _SAID.get(violation.code, violation.detail)
