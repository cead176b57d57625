"""Keys: issued once, kept hashed, limited, ended; and what people may do that keys may not."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError
from django.test import Client
from django.utils import timezone

from jackpot.domain.callers import Caller, Scope
from jackpot.domain.errors import Refused
from jackpot.http.views import ApiView
from jackpot.models.clients import ApiKey, Integrator
from jackpot.models.sites import Site
from jackpot.services import clients
from tests.api.test_problems import problem
from tests.owner import as_owner

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.api.probe")]
THINGS = "/api/v1/things/"
NOW = timezone.now()


def issue(site: Site, *scopes: str, days: int = 365) -> str:
    return clients.issue_key(integrator="Acme", sites=[site.code], scopes=scopes or ["rounds:read"], now=NOW, days=days)


def get(key: str, scheme: str = "Bearer") -> int:
    return Client().get(THINGS, headers={"Authorization": f"{scheme} {key}"}).status_code


def test_a_key_is_its_integrators_sites_and_scopes(site: Site) -> None:
    caller = clients.recognise(issue(site, "rounds:read", "awards:write"), now=NOW)
    assert caller == Caller(
        scopes=frozenset({Scope.ROUNDS_READ, Scope.AWARDS_WRITE}),
        integrator_id=Integrator.objects.get(name="Acme").pk,
        site_ids=frozenset({site.pk}),
        key_id=ApiKey.objects.get().pk,
    )


def test_the_secret_is_not_kept(site: Site) -> None:
    prefix, secret = issue(site).split(".")
    (row,) = ApiKey.objects.values()
    assert row["prefix"] == prefix
    assert secret not in str(row)


def test_two_keys_of_an_integrator_live_side_by_side_until_one_is_revoked(site: Site) -> None:
    old, new = issue(site), issue(site)
    assert (get(old), get(new)) == (200, 200)
    assert clients.revoke(prefix=old.split(".")[0], now=NOW)
    assert not clients.revoke(prefix=old.split(".")[0], now=NOW)
    assert (get(old), get(new)) == (401, 200)


def test_a_key_expires(site: Site) -> None:
    key = issue(site, days=1)
    assert clients.recognise(key, now=NOW + timedelta(hours=24, microseconds=-1))
    assert clients.recognise(key, now=NOW + timedelta(hours=24)) is None


def test_what_is_no_live_key(site: Site) -> None:
    key = issue(site)
    prefix, secret = key.split(".")
    wrong = [
        prefix,
        secret,
        f"{prefix}.",
        f"{prefix}.{'A' * 43}",
        f"{'a' * 12}.{secret}",
        key + "x",
        key.upper(),
        "ключ",
    ]
    assert get(key) == get(key, "bearer") == 200
    assert {get(text) for text in wrong} == {401}
    assert get(key, "Basic") == get(key, "Token") == 401


def test_who_does_not_say_who_they_are_is_told_how(client: Client) -> None:
    answer = client.get(THINGS)
    problem(answer, 401, "unauthenticated")
    assert answer["WWW-Authenticate"] == 'Bearer realm="api"'


def test_last_use_is_noted_to_the_minute(site: Site) -> None:
    key = issue(site)
    used = []
    for seconds in (0, 30, 61):
        clients.recognise(key, now=NOW + timedelta(seconds=seconds))
        used.append(ApiKey.objects.get().last_used_at)
    assert used == [NOW, NOW, NOW + timedelta(seconds=61)]


def test_recognising_a_key_that_was_just_used_takes_one_query(
    site: Site, django_assert_num_queries: Callable[..., object]
) -> None:
    key = issue(site)
    clients.recognise(key, now=NOW)
    with django_assert_num_queries(1):  # type: ignore[attr-defined]
        clients.recognise(key, now=NOW)


def test_scopes(caller: Callable[..., Client]) -> None:
    reader = caller("Acme", Scope.ROUNDS_READ)
    assert reader.get(THINGS).status_code == reader.head(THINGS).status_code == 200
    answer = reader.post(THINGS, {"number": 1}, content_type="application/json")
    assert "rounds:write" in problem(answer, 403, "scope_required")["detail"]
    problem(caller("Acme", Scope.ROUNDS_WRITE).get(THINGS), 403, "scope_required")


def test_persons(caller: Callable[..., Client]) -> None:
    problem(caller().post("/api/v1/approval/"), 403, "person_required")
    staff = User.objects.create_user("ann", password="a long password", is_staff=True)
    person = Client(enforce_csrf_checks=True)
    person.force_login(staff)
    assert person.get(THINGS).status_code == 200
    problem(person.post("/api/v1/approval/"), 403, "forbidden")  # without the CSRF token
    person = Client()
    person.force_login(staff)
    assert person.post("/api/v1/approval/", {}, content_type="application/json").json() == {"by": staff.pk}
    problem(person.post(THINGS, {"number": 1}, content_type="application/json"), 403, "scope_required")


@pytest.mark.parametrize("flags", [{"is_staff": False}, {"is_staff": True, "is_active": False}])
def test_a_session_alone_makes_nobody_staff(client: Client, flags: dict[str, bool]) -> None:
    client.force_login(User.objects.create(username="bob", **flags))
    problem(client.get(THINGS), 401, "unauthenticated")


def test_one_integrator_does_not_see_another(caller: Callable[..., Client]) -> None:
    ours, theirs = caller("Acme"), caller("Other")
    prefix = ApiKey.objects.get(integrator__name="Other").prefix
    assert ours.get(f"{THINGS}?prefix={prefix}").json()["results"] == []
    assert len(theirs.get(f"{THINGS}?prefix={prefix}").json()["results"]) == 1


def test_a_view_must_say_what_it_needs() -> None:
    for method, what in (("get", "reading"), ("post", "writing"), ("delete", "writing")):
        with pytest.raises(TypeError, match=f"does not say what {what} needs"):
            type("Open", (ApiView,), {method: print})


def test_a_caller_is_a_key_or_a_person() -> None:
    for wrong in ({}, {"key_id": 1, "user_id": 1}, {"key_id": 1}, {"key_id": 1, "integrator_id": 1}):
        with pytest.raises(ValueError, match=r"a caller is either|a key is bound"):
            Caller(scopes=frozenset(), **wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "wrong",
    [
        *({"integrator": ""}, {"integrator": "x" * 101}, {"integrator": "a\0b"}, {"sites": []}, {"scopes": []}),
        *({"sites": ["SITE-1", "NOWHERE"]}, {"scopes": ["rounds:read", "rounds:steal"]}, {"days": 0}, {"days": 10**9}),
    ],
)
def test_a_key_is_not_issued_for_nonsense(site: Site, wrong: dict[str, object]) -> None:
    asked = {"integrator": "Acme", "sites": [site.code], "scopes": ["rounds:read"], "now": NOW} | wrong
    with pytest.raises(Refused):
        clients.issue_key(**asked)  # type: ignore[arg-type]
    assert not Integrator.objects.exists()


def test_the_database_refuses_a_key_without_scopes_or_with_unknown_ones(site: Site) -> None:
    issue(site)
    for scopes in ([], ["rounds:steal"]):
        with pytest.raises(IntegrityError, match="api_key_scopes_known"), as_owner():
            ApiKey.objects.update(scopes=scopes)
