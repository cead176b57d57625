"""Sites, integrators, their keys and the callers these stand for."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from django.contrib.auth.models import User
from factory.declarations import LazyAttribute, Sequence, SubFactory
from factory.django import DjangoModelFactory

from jackpot import services as jackpot
from jackpot.domain.callers import STAFF_SCOPES, Caller, Scope
from jackpot.models.clients import ApiKey, Integrator
from jackpot.models.sites import Site
from jackpot.services import clients

NOW = datetime(2026, 11, 29, 14, 24, 10, tzinfo=UTC)
"""The time at which tests take place: when the round of api.md is complete."""

ALL_SCOPES = tuple(scope.value for scope in Scope)


class SiteFactory(DjangoModelFactory):
    """A site with its lane and its cage, opened by the product's service."""

    class Meta:
        model = Site

    code = Sequence(lambda n: f"SITE-{n}")
    name = LazyAttribute(lambda site: f"Casino {site.code}")

    @classmethod
    def _create(cls, model_class: type[Site], *args: Any, **kwargs: Any) -> Site:
        return jackpot.open_site(**kwargs)


class IntegratorFactory(DjangoModelFactory):
    """A company whose systems send rounds."""

    class Meta:
        model = Integrator

    name = Sequence(lambda n: f"Integrator {n}")


class ApiKeyFactory(DjangoModelFactory):
    """A live key's row for tests of what is stored; its secret is unknown. To call as somebody use `caller`."""

    class Meta:
        model = ApiKey

    integrator = SubFactory(IntegratorFactory)
    prefix = Sequence(lambda n: f"key{n:09}")
    secret_hash = "0" * 64
    scopes = list(ALL_SCOPES)
    created_at = NOW
    expires_at = LazyAttribute(lambda key: key.created_at.replace(year=key.created_at.year + 1))


def caller(*sites: Site | str, integrator: str = "Acme", scopes: Iterable[str] = ALL_SCOPES) -> Caller:
    """The caller behind a new key of these sites (all there are where none is named), recognised by its text."""
    codes = [site.code if isinstance(site, Site) else site for site in sites]
    codes = codes or list(Site.objects.values_list("code", flat=True))
    text = clients.issue_key(integrator=integrator, sites=codes, scopes=scopes, now=NOW)
    found = clients.recognise(text, now=NOW)
    assert found is not None
    return found


def person(name: str) -> Caller:
    """A member of staff who may do everything alone that one may; new unless there is one of this name."""
    user, _ = User.objects.get_or_create(username=name, defaults={"is_staff": True, "is_superuser": True})
    return Caller(STAFF_SCOPES, user_id=user.pk)
