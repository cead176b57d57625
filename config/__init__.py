"""The deployment: settings, routes, processes. Loads the Celery app, so that tasks find it wherever they are called."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
