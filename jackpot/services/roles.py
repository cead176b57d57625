"""Roles of staff: groups of Django's, made from what the deployment's table says and never by hand."""

from collections.abc import Callable, Iterable

from django.contrib.auth.models import Group, Permission
from django.db import transaction

from jackpot.domain.people import Role


def renew(permissions_of: Callable[[Role, Iterable[str]], set[str]], *, using: str) -> None:
    """Give each role exactly the permissions it should have, and make those that are missing."""
    known = {
        f"{one.content_type.app_label}.{one.codename}": one
        for one in Permission.objects.using(using).select_related("content_type")
    }
    with transaction.atomic(using=using):
        for role in Role:
            group, _ = Group.objects.using(using).get_or_create(name=role)
            group.permissions.set([known[name] for name in sorted(permissions_of(role, known))])
