"""ASGI entry: everything, streams included. What `serve` and `make run` use."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django_application = get_asgi_application()

from config.edge import Edge  # noqa: E402 - needs Django set up

application = Edge(django_application)
