"""The sign's addresses, under `/sign/`."""

from django.urls import path

from jackpot.sign import views

addresses = [
    path("<slug:code>/", views.page, name="sign"),
    path("<slug:code>/now", views.now),
    path("<slug:code>/stream", views.stream),
]
