"""The console's first login, an administrator: made where there is no staff yet, and shown as long as it works."""

import secrets
from dataclasses import dataclass
from pathlib import Path

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group

USERNAME = "admin"
ROLE = "administrator"


@dataclass(frozen=True, slots=True)
class Login:
    username: str
    password: str


def ensure(path: Path) -> Login | None:
    """The first login, made if no staff exists; None once its password was changed or it is no longer known.

    `path` is the file that remembers the password, for this user only.
    """
    users = get_user_model()._default_manager
    if not users.filter(is_staff=True).exists():
        password = secrets.token_urlsafe(12)
        user = users.create_user(USERNAME, password=password, is_staff=True)
        user.groups.add(Group.objects.get(name=ROLE))
        path.unlink(missing_ok=True)
        path.touch(mode=0o600)
        path.write_text(f"{password}\n")
    if not path.exists():
        return None
    password = path.read_text().strip()
    admin = users.filter(username=USERNAME, is_active=True, is_staff=True).first()
    return Login(USERNAME, password) if admin is not None and admin.check_password(password) else None
