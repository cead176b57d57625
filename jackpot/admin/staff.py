"""The console's page of those who sign in. Nobody is removed: what a person did stays under his name."""

from typing import Any

from django.contrib import admin
from django.contrib.auth import get_user_model
from django.contrib.auth.admin import UserAdmin
from django.http import HttpRequest

User = get_user_model()
admin.site.unregister(User)


@admin.register(User)
class StaffAdmin(UserAdmin):
    """Django's, without removal, which would take the person's log along and is not granted to the service."""

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
