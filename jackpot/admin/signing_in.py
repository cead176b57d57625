"""Signing in: what comes after the right password, a first password by a link, and what is said to who is locked out.

Until the second factor is passed these pages are all that is there (`jackpot.http.staff_sessions`).
"""

from base64 import b32encode
from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import quote, urlencode

import segno
from django import forms
from django.conf import settings
from django.contrib import admin
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.contrib.auth.views import PasswordResetConfirmView
from django.core.signing import BadSignature, TimestampSigner
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import path, reverse, reverse_lazy
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import url_has_allowed_host_and_scheme, urlsafe_base64_encode
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache
from django_otp import login

from jackpot.domain.errors import Refused
from jackpot.http.catalogue import CATALOGUE
from jackpot.models.second_factors import secret_of
from jackpot.services import action_log, second_factors

ISSUER = "Jackpot accounting"
_SHOWN_SECONDS = 60 * 60
"""How long a picture that is on the screen may still be taken up."""

View = Callable[[HttpRequest], HttpResponse]


class Code(forms.Form):
    """A code of the app, or a recovery code."""

    code = forms.CharField(
        max_length=20,
        widget=forms.TextInput({"autocomplete": "one-time-code", "autocapitalize": "none", "spellcheck": "false"}),
    )


def _for_person(view: View) -> View:
    """For somebody whose password was right; others sign in first."""

    @wraps(view)
    def checked(request: HttpRequest) -> HttpResponse:
        if not request.user.is_authenticated or not request.user.is_staff:
            return HttpResponseRedirect(reverse("admin:login"))
        if request.method not in ("GET", "HEAD", "POST"):
            return HttpResponse(status=405, headers={"Allow": "GET, HEAD, POST"})
        return view(request)

    return never_cache(checked)


@_for_person
def second_factor(request: HttpRequest) -> HttpResponse:
    """Asks for the code; whoever has no app yet is led to setting one up."""
    user: Any = request.user
    if user.is_verified():
        return HttpResponseRedirect(_wanted(request))
    if not second_factors.has_one(user):
        return HttpResponseRedirect(
            f"{reverse('console:second_factor_set_up')}?{urlencode({'next': _wanted(request)})}"
        )
    form = Code(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            device = second_factors.verify(user=user, code=form.cleaned_data["code"], now=timezone.now())
        except Refused as refused:
            return _shown(request, "second_factor", form, refused)
        _pass(request, device)
        return HttpResponseRedirect(_wanted(request))
    return _shown(request, "second_factor", form)


@_for_person
def set_up(request: HttpRequest) -> HttpResponse:
    """Shows the secret of a new app, as a picture and as text, and takes it up once the app shows the right code.

    Nothing is stored before: the secret comes back with the form, signed for this person.
    """
    user: Any = request.user
    if second_factors.has_one(user):
        return HttpResponseRedirect(reverse("console:second_factor"))
    signer = TimestampSigner(salt=f"jackpot.enrol.{user.pk}")
    salt = _salt(signer, request)
    form = Code(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            device, codes = second_factors.enrol(user=user, salt=salt, code=form.cleaned_data["code"])
        except Refused as refused:
            return _shown(request, "set_up", form, refused, **_secret(user, salt, signer))
        _pass(request, device)
        action_log.note(by_id=user.pk, record=user, message="Second factor: not set up → set up")
        return _codes_shown(request, codes)
    return _shown(request, "set_up", form, **_secret(user, salt, signer))


@_for_person
def my_second_factor(request: HttpRequest) -> HttpResponse:
    """One's own second factor: new recovery codes, or another app, each for a code of the present one."""
    user: Any = request.user
    if not second_factors.has_one(user):
        return HttpResponseRedirect(reverse("console:second_factor_set_up"))
    form = Code(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            second_factors.verify(user=user, code=form.cleaned_data["code"], now=timezone.now())
        except Refused as refused:
            return _shown(request, "my_second_factor", form, refused, left=second_factors.codes_left(user))
        if "replace" in request.POST:
            second_factors.reset(user)
            action_log.note(by_id=user.pk, record=user, message="Second factor: set up → to be set up anew")
            return HttpResponseRedirect(reverse("console:second_factor_set_up"))
        action_log.note(by_id=user.pk, record=user, message="Recovery codes: old ones → new ones")
        return _codes_shown(request, second_factors.renew_codes(user=user))
    return _shown(request, "my_second_factor", form, left=second_factors.codes_left(user))


class SetPassword(PasswordResetConfirmView):
    """Where a link from an administrator leads: somebody sets his own password."""

    template_name = "jackpot/console/set_password.html"
    success_url = reverse_lazy("admin:login")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return admin.site.each_context(self.request) | super().get_context_data(**kwargs)

    def form_valid(self, form: Any) -> HttpResponse:
        answer: HttpResponse = super().form_valid(form)
        action_log.note(by_id=form.user.pk, record=form.user, message="Password: set by its owner")
        return answer


def link_for(request: HttpRequest, user: User) -> str:
    """The link by which somebody sets his password: good once, for a day."""
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    place = reverse("console:set_password", args=[uid, default_token_generator.make_token(user)])
    return request.build_absolute_uri(place)


def locked_out(request: HttpRequest, response: object, credentials: object = None) -> HttpResponse:
    """Said to who has sent too many wrong passwords."""
    minutes = int(settings.AXES_COOLOFF_TIME.total_seconds() // 60)
    context = admin.site.each_context(request) | {"title": "Locked", "minutes": minutes}
    answer = render(request, "jackpot/console/locked.html", context, status=429)
    answer["Retry-After"] = str(minutes * 60)
    return answer


def _pass(request: HttpRequest, device: Any) -> None:
    """The session has passed; a key of it that somebody saw before is worth nothing now."""
    login(request, device)
    request.session.cycle_key()


def _wanted(request: HttpRequest) -> str:
    wanted = request.GET.get("next", "")
    safe = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    return wanted if safe else reverse("admin:index")


def _salt(signer: TimestampSigner, request: HttpRequest) -> str:
    try:
        return signer.unsign(request.POST.get("secret", ""), max_age=_SHOWN_SECONDS)
    except BadSignature:
        return second_factors.new_salt()


def _secret(user: User, salt: str, signer: TimestampSigner) -> dict[str, Any]:
    text = b32encode(secret_of(salt)).decode()
    label = quote(f"{ISSUER}:{user.get_username()}")
    picture = segno.make(f"otpauth://totp/{label}?{urlencode({'secret': text, 'issuer': ISSUER}, quote_via=quote)}")
    drawn = picture.svg_inline(scale=5, light="#fff", title="The secret as a QR code")
    return {
        "signed": signer.sign(salt),
        "secret": " ".join(text[place : place + 4] for place in range(0, len(text), 4)),
        "picture": mark_safe(drawn),  # noqa: S308 - drawn from numbers alone
    }


def _codes_shown(request: HttpRequest, codes: list[str]) -> HttpResponse:
    return _page(request, "recovery_codes", {"codes": codes, "next": _wanted(request), "title": "Recovery codes"})


def _shown(
    request: HttpRequest, name: str, form: forms.Form, refused: Refused | None = None, **more: object
) -> HttpResponse:
    status = 200 if request.method != "POST" else 400
    if refused is not None:
        status = CATALOGUE[refused.code].status
        for violation in refused.violations:
            form.add_error("code" if violation.pointer else None, violation.detail)
    return _page(request, name, {"form": form, "title": "Second factor", **more}, status=status)


def _page(request: HttpRequest, name: str, more: dict[str, Any], *, status: int = 200) -> HttpResponse:
    context = admin.site.each_context(request) | more
    return render(request, f"jackpot/console/{name}.html", context, status=status)


addresses = [
    path("second-factor/", second_factor, name="second_factor"),
    path("second-factor/set-up/", set_up, name="second_factor_set_up"),
    path("second-factor/mine/", my_second_factor, name="my_second_factor"),
    path("set-password/<uidb64>/<token>/", SetPassword.as_view(), name="set_password"),
]
