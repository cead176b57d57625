"""People of each role in front of the console, signed in as far as they got."""

from django.contrib.auth.models import Group, User
from django.test import Client
from django_otp import DEVICE_ID_SESSION_KEY
from django_otp.oath import TOTP

from jackpot.domain.callers import STAFF_SCOPES, Caller
from jackpot.domain.people import Role
from jackpot.models.second_factors import Authenticator
from jackpot.services import second_factors

PASSWORD = "correct horse battery"  # noqa: S105 - of people who are not there


def member(name: str, role: Role | None = None, *, superuser: bool = False) -> User:
    """A member of staff with a role, or without any."""
    user = User.objects.create_user(name, password=PASSWORD, is_staff=True, is_superuser=superuser)
    if role is not None:
        user.groups.add(Group.objects.get(name=role))
    return user


def calling(user: User) -> Caller:
    return Caller(STAFF_SCOPES, user_id=user.pk)


def with_app(user: User) -> Authenticator:
    """His app, set up."""
    return Authenticator.objects.create(user=user, name="second factor", key=second_factors.new_salt())


def code_of(app: Authenticator, *, steps: int = 0) -> str:
    """What the app shows, or shows in so many half minutes."""
    totp = TOTP(app.bin_key)
    return f"{TOTP(app.bin_key, t0=-30 * steps).token() if steps else totp.token():06}"


def signed_in(user: User, *, passed: bool = True) -> Client:
    """A session of his, which has passed the second factor or has not."""
    client = Client()
    client.force_login(user)
    if passed:
        app = Authenticator.objects.filter(user=user).first() or with_app(user)
        session = client.session
        session[DEVICE_ID_SESSION_KEY] = app.persistent_id
        session.save()
    return client
