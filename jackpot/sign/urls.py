"""The sign's addresses, under `/sign/`."""

from django.urls import path

from jackpot.sign import views

addresses = [
    path("<str:code>/", views.page, name="sign"),
    path("<str:code>/now", views.now),
    path("<str:code>/stream", views.stream),
]
