"""Accounts of staff, kept by administrators: added with a role, given another, shut and opened again; never removed.

No administrator learns a password: who is new, or has forgotten his, sets one by a link that is good once. Nobody
changes his own account here. Each change is answered with what stood before and after, for the log.
"""

from dataclasses import dataclass

from axes.models import AccessAttempt
from django.contrib.auth.models import Group, User
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.db import transaction

from jackpot.domain.callers import Caller
from jackpot.domain.errors import Refused, Violation, refuse
from jackpot.domain.people import Role, check_reach
from jackpot.services import action_log, second_factors
from jackpot.services.constraints import refined
from jackpot.services.staff import person_who_may

ADD, CHANGE = "auth.add_user", "auth.change_user"
RESET_PASSWORD, RESET_SECOND_FACTOR = "Reset password", "Reset second factor"
"""What the log calls the two steps: who took one of them for somebody does not take the other."""
_TAKEN = Violation("invalid_value", "somebody has this name already", "/username")


@dataclass(frozen=True, slots=True)
class Changed:
    """What an account was before, and is after."""

    user: User
    before: str
    after: str


@transaction.atomic
def add_person(*, caller: Caller, username: str, first_name: str, last_name: str, role: str) -> User:
    """A new account, without a password yet.

    Raises Refused: `person_required`, `forbidden`, `invalid_value` for a name that is taken or can't be one.
    """
    person_who_may(caller, ADD)
    try:
        UnicodeUsernameValidator()(username)
    except ValidationError as error:
        raise refuse("invalid_value", error.messages[0], "/username") from error
    if User.objects.filter(username__iexact=username).exists():
        raise Refused([_TAKEN])
    user = User(username=username, first_name=first_name, last_name=last_name, is_staff=True)
    user.set_unusable_password()
    with refined({"auth_user_username_key": _TAKEN}):
        user.save()
    user.groups.set([_group(role)])
    return user


@transaction.atomic
def change_role(*, caller: Caller, user_id: int, role: str) -> Changed:
    """Another role in place of the one held, and of whatever was granted by hand.

    Raises Refused: `person_required`, `forbidden`, `second_person_required` for oneself, `illegal_move` where it is the
    role held.
    """
    user = _taken(caller, user_id)
    before = powers_of(user)
    if before == role:
        raise refuse("illegal_move", f"{user.username} is {role} already", "/role")
    user.groups.set([_group(role)])
    user.user_permissions.clear()
    return Changed(user, before, role)


@transaction.atomic
def rename(*, caller: Caller, user_id: int, first_name: str, last_name: str) -> Changed:
    """Another name to be known by; that of signing in stays. Raises Refused as `change_role` does."""
    user = _taken(caller, user_id)
    before = user.get_full_name()
    user.first_name, user.last_name = first_name, last_name
    user.save(update_fields=["first_name", "last_name"])
    return Changed(user, before or "no name", user.get_full_name() or "no name")


@transaction.atomic
def set_active(*, caller: Caller, user_id: int, active: bool) -> Changed:
    """Shut an account, whose sessions end at once, or open it again. Raises Refused as `change_role` does."""
    user = _taken(caller, user_id)
    if user.is_active == active:
        raise refuse("illegal_move", f"this account is {_state(active=active)} already")
    user.is_active = active
    user.save(update_fields=["is_active"])
    return Changed(user, _state(active=not active), _state(active=active))


@transaction.atomic
def reset_password(*, caller: Caller, user_id: int) -> User:
    """End the password, and the sessions that began with it; the person sets another by a link.

    Raises Refused as `change_role` does, and `second_person_required` for who reset the second factor.
    """
    user = _taken(caller, user_id)
    _check_not_both(caller, user, RESET_SECOND_FACTOR)
    user.set_unusable_password()
    user.save(update_fields=["password"])
    return user


@transaction.atomic
def reset_second_factor(*, caller: Caller, user_id: int) -> User:
    """Forget a lost app and its recovery codes: the person sets one up at the next sign-in.

    Raises Refused as `change_role` does, `second_person_required` for who reset the password, and `illegal_move` where
    there is nothing to forget.
    """
    user = _taken(caller, user_id)
    _check_not_both(caller, user, RESET_PASSWORD)
    if not second_factors.reset(user):
        raise refuse("illegal_move", "no second factor is set up")
    return user


@transaction.atomic
def let_in_again(*, caller: Caller, user_id: int) -> User:
    """Forget wrong passwords and codes, so that nobody waits for them. Raises Refused as `change_role` does."""
    user = _taken(caller, user_id)
    AccessAttempt.objects.filter(username=user.username).delete()
    second_factors.forgive(user)
    return user


def powers_of(user: User) -> str:
    """What somebody may do, in words: the role, and what else was granted past it."""
    roles = sorted(group.name for group in user.groups.all())
    by_hand = sorted(f"{one.content_type.app_label}.{one.codename}" for one in user.user_permissions.all())
    words = [*(["superuser"] if user.is_superuser else []), *roles, *by_hand]
    return ", ".join(words) or "no role"


def _taken(caller: Caller, user_id: int) -> User:
    """The account under its lock, for somebody who may change it."""
    by = User.objects.get(pk=person_who_may(caller, CHANGE))
    user = User.objects.select_for_update(no_key=True, of=("self",)).filter(pk=user_id, is_staff=True).first()
    if user is None:
        raise refuse("not_found", "there is no such member of staff")
    check_reach(by=by.pk, of=user.pk, by_superuser=by.is_superuser, of_superuser=user.is_superuser)
    return user


def _check_not_both(caller: Caller, user: User, other: str) -> None:
    """Who holds the link to a new password and has the app forgotten is in the account: that takes two, until its owner
    has passed the second factor again. Raises Refused.
    """
    done = action_log.last_done(by_id=caller.user_id or 0, record=user, label=other)
    if done is not None and not second_factors.passed_since(user, done):
        detail = f"{other} was your step: another administrator takes this one, or you once {user.username} signed in"
        raise refuse("second_person_required", detail)


def _group(role: str) -> Group:
    if role not in list(Role):
        raise refuse("invalid_value", "there is no such role", "/role")
    return Group.objects.get(name=role)


def _state(*, active: bool) -> str:
    return "open" if active else "shut"
