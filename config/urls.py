"""Routes of the whole service."""

from django.contrib import admin
from django.urls import path

from config import health

urlpatterns = [
    path("livez", health.livez),
    path("readyz", health.readyz),
    path("admin/", admin.site.urls),
]
