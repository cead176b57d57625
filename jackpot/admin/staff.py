"""The console's pages of those who sign in. Nobody is removed: what a person did stays under his name."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.models import ADDITION
from django.contrib.auth.models import Group, User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from jackpot.admin.base import ReadOnly, caller_of
from jackpot.admin.signing_in import link_for
from jackpot.admin.steps import Acting, Fact, Note, Reason, Step, Stepped
from jackpot.domain.errors import Refused
from jackpot.domain.people import Role
from jackpot.http.catalogue import CATALOGUE
from jackpot.models.second_factors import Authenticator
from jackpot.services import action_log, people, second_factors

for _model in (User, Group, TOTPDevice, StaticDevice):
    admin.site.unregister(_model)

_ROLES = [("", "Choose"), *((role.value, f"{role}: {role.about}") for role in Role)]
_LINK_SAID = "Hand this link to {}, by a way that only {} reads; it is good once, for a day: {}"


class Naming(Note):
    """What somebody is called."""

    first_name = forms.CharField(max_length=150, required=False)
    last_name = forms.CharField(max_length=150, required=False)
    field_order: Sequence[str] = ("first_name", "last_name", "note")

    def __init__(self, data: Any = None, *, record: Any, **kwargs: Any) -> None:
        super().__init__(data, record=record, **kwargs)
        if record is not None:
            self.initial.update(first_name=record.first_name, last_name=record.last_name)


class Choosing(Reason):
    """A role, and why."""

    role = forms.ChoiceField(choices=_ROLES)
    field_order = ("role", "note")


class Adding(Naming):
    """Somebody new."""

    username = forms.CharField(
        max_length=150, label="Name to sign in with", widget=forms.TextInput({"autocomplete": "off"})
    )
    role = forms.ChoiceField(choices=_ROLES)
    field_order = ("username", "first_name", "last_name", "role", "note")


def _facts(user: User) -> list[Fact]:
    return [
        ("Signs in as", user.username),
        ("Name", user.get_full_name() or "–"),
        ("Role", people.powers_of(user)),
        ("Account", "open" if user.is_active else "shut"),
        ("Second factor", "set up" if second_factors.has_one(user) else "not set up"),
        ("Last signed in", user.last_login or "never"),
    ]


def _change_role(acting: Acting) -> str:
    done = people.change_role(caller=acting.caller, user_id=acting.record.pk, role=acting.said["role"])
    return f"{done.user.username} is {done.after} now"


def _rename(acting: Acting) -> str:
    said = acting.said
    done = people.rename(
        caller=acting.caller, user_id=acting.record.pk, first_name=said["first_name"], last_name=said["last_name"]
    )
    return f"{done.user.username} is {done.after} now"


def _shut(acting: Acting) -> str:
    done = people.set_active(caller=acting.caller, user_id=acting.record.pk, active=False)
    return f"{done.user.username} is {done.after} now"


def _open(acting: Acting) -> str:
    done = people.set_active(caller=acting.caller, user_id=acting.record.pk, active=True)
    return f"{done.user.username} is {done.after} now"


def _reset_password(acting: Acting) -> str:
    user = people.reset_password(caller=acting.caller, user_id=acting.record.pk)
    _say_link(acting.request, user)
    return f"{user.username}: the password is no longer good"


def _reset_second_factor(acting: Acting) -> str:
    user = people.reset_second_factor(caller=acting.caller, user_id=acting.record.pk)
    return f"{user.username} sets it up anew"


def _let_in(acting: Acting) -> str:
    user = people.let_in_again(caller=acting.caller, user_id=acting.record.pk)
    return f"{user.username}: wrong passwords and codes are forgotten"


def _say_link(request: HttpRequest, user: User) -> None:
    """To who asked for it alone; it stands in no log."""
    messages.warning(request, _LINK_SAID.format(user.username, user.username, link_for(request, user)))


@admin.register(User)
class StaffAdmin(Stepped):
    list_display = ("username", "full_name", "role", "is_active", "second_factor", "last_login")
    list_filter = ("is_active", "groups")
    search_fields = ("username", "first_name", "last_name")
    ordering = ("username",)
    fields = ("signs_in_as", "full_name", "role", "account", "second_factor", "last_login", "date_joined")
    readonly_fields = ("signs_in_as", "full_name", "role", "account", "second_factor")
    steps = (
        Step(
            name="role", label="Change role", needs=people.CHANGE, act=_change_role, form=Choosing, facts=_facts,
            about="Gives this person another role, at once. Whatever was granted past roles goes with the old one.",
        ),
        Step(
            name="rename", label="Change name", needs=people.CHANGE, act=_rename, form=Naming, facts=_facts,
            about="Changes what this person is called. The name to sign in with stays.",
        ),
        Step(
            name="password", label=people.RESET_PASSWORD, needs=people.CHANGE, act=_reset_password, form=Reason,
            facts=_facts, grave=True, offered=lambda user: user.is_active,
            about="Ends the password and every session of this person, who sets another by a link that you hand over."
            " Who did this does not reset the second factor as well, before its owner has signed in.",
        ),
        Step(
            name="second-factor", label=people.RESET_SECOND_FACTOR, needs=people.CHANGE, act=_reset_second_factor,
            form=Reason, facts=_facts, grave=True, offered=lambda user: user.has_app,
            about="For a lost phone: forgets the app and the recovery codes. Whoever signs in next with this person's"
            " password sets up another app: be sure who asks.",
        ),
        Step(
            name="let-in", label="Let in again", needs=people.CHANGE, act=_let_in, facts=_facts,
            about="Forgets wrong passwords and codes, so that this person may sign in at once.",
        ),
        Step(
            name="shut", label="Shut account", needs=people.CHANGE, act=_shut, form=Reason, facts=_facts, grave=True,
            offered=lambda user: user.is_active,
            about="Ends every session of this person, who can't sign in until the account is opened again.",
        ),
        Step(
            name="open", label="Open account", needs=people.CHANGE, act=_open, form=Reason, facts=_facts,
            offered=lambda user: not user.is_active,
            about="Lets this person sign in again, with the role and the password held before.",
        ),
    )  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        users: QuerySet[User] = super().get_queryset(request)
        app = Authenticator.objects.filter(user=OuterRef("pk"), confirmed=True)
        by_hand = "user_permissions__content_type"
        return users.filter(is_staff=True).prefetch_related("groups", by_hand).annotate(has_app=Exists(app))

    def may(self, request: HttpRequest, step: Step, record: Any) -> bool:
        """Nobody changes his own account, nor one that may do more than any role."""
        own, above = record.pk == request.user.pk, record.is_superuser and not request.user.is_superuser
        return super().may(request, step, record) and not own and not above

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        return bool(request.user.has_perm(people.ADD))

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """Somebody new, with a role, and a link to set a password by."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = Adding(request.POST if request.method == "POST" else None, record=None)
        if request.method != "POST":
            return self._adding(request, form)
        if not form.is_valid():
            return self._adding(request, form, status=400)
        try:
            user = self._add(request, form.cleaned_data)
        except Refused as refused:
            for violation in refused.violations:
                form.add_error(form.field_of(violation.pointer), violation.detail)
            return self._adding(request, form, status=CATALOGUE[refused.code].status)
        _say_link(request, user)
        return HttpResponseRedirect(reverse("admin:auth_user_change", args=[user.pk]))

    @transaction.atomic
    def _add(self, request: HttpRequest, said: dict[str, Any]) -> User:
        fields = {name: said[name] for name in ("username", "first_name", "last_name", "role")}
        user = people.add_person(caller=caller_of(request), **fields)
        why = f"; why: {said['note']}" if said["note"] else ""
        message = f"Add a person: {user.username}{why}; Role: – → {said['role']}"
        action_log.note(by_id=request.user.pk, record=user, message=message, flag=ADDITION)  # type: ignore[arg-type]
        return user

    def _adding(self, request: HttpRequest, form: Adding, *, status: int = 200) -> HttpResponse:
        context = self.admin_site.each_context(request) | {
            "title": "Add a person", "form": form, "opts": self.opts, "in_order": True,
            "back": reverse("admin:auth_user_changelist"),
            "step": {"label": "Add this person", "about": "An account with one role. Its owner sets the password, by a"
                     " link that you get once this is done, and then the second factor."},
        }  # fmt: skip
        return render(request, "jackpot/console/step.html", context, status=status)

    @admin.display(description="signs in as")
    def signs_in_as(self, user: User) -> str:
        return user.username

    @admin.display(description="account")
    def account(self, user: User) -> str:
        return "open" if user.is_active else "shut"

    @admin.display(description="name")
    def full_name(self, user: User) -> str:
        return user.get_full_name() or "–"

    @admin.display(description="role")
    def role(self, user: User) -> str:
        return people.powers_of(user)

    @admin.display(description="second factor", boolean=True)
    def second_factor(self, user: Any) -> bool:
        return bool(user.has_app)


@admin.register(Group)
class RoleAdmin(ReadOnly):
    """Roles as `migrate` makes them of `config/staff_roles.py`: looked at here, and changed nowhere."""

    list_display = ("name", "about")
    fields = ("name", "about", "may")
    readonly_fields = ("about", "may")

    @admin.display(description="for")
    def about(self, group: Group) -> str:
        return Role(group.name).about if group.name in list(Role) else "not a role of this release"

    @admin.display(description="may, beside looking")
    def may(self, group: Group) -> str:
        names = group.permissions.exclude(codename__startswith="view_").order_by("content_type__app_label", "codename")
        return ", ".join(f"{one.content_type.app_label}.{one.codename}" for one in names.select_related("content_type"))
