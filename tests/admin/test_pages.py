"""The console's pages: each shows what is there, and none changes it."""

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from jackpot.admin.base import ReadOnly
from jackpot.domain import chain
from jackpot.models.jackpots import Jackpot, Level
from jackpot.models.lanes import Lane
from jackpot.models.sites import GamingDay, Site
from jackpot.services import action_log
from jackpot.services.readings import enter_reading
from jackpot.webhooks import deliveries, endpoints
from tables.models.rounds import Round
from tests.factories import NOW, ApiKeyFactory, House, ask_policy, caller, change_policy, play, reported, royal

OURS = [model for model, page in admin.site._registry.items() if isinstance(page, ReadOnly)]


@pytest.fixture
def staff(db: None) -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("admin"))
    return client


def address(model: type, page: str, *args: object) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)  # type: ignore[attr-defined]


def read(level: Level) -> None:
    """Somebody reads what the sign shows now."""
    reader = User.objects.create_superuser("reader")
    enter_reading(level=level, shown=0, read_at=timezone.now(), by=reader, now=timezone.now())


@pytest.mark.parametrize("model", OURS, ids=lambda model: model.__name__)
def test_every_list_and_page_opens_and_offers_no_change(demo: House, staff: Client, model: type) -> None:
    me = caller()
    hook = endpoints.add(integrator="Acme", url="https://hooks.example.com/", types=(), private=False, now=NOW)
    play(reported(royal(1)), by=me)
    assert deliveries.claim(hook.endpoint_id, now=NOW)
    ApiKeyFactory.create()
    ask_policy(demo.jackpot, base="500.00")
    read(Level.objects.select_related("jackpot").get())
    action_log.note(by_id=User.objects.get(username="admin").pk, record=demo.jackpot, message="Seen")
    Client().post(reverse("admin:login"), {"username": "admin", "password": "wrong"})
    assert staff.get(address(model, "changelist")).status_code == 200
    assert staff.get(address(model, "add")).status_code == (200 if model in (User, Site) else 403)
    some = model.objects.first()  # type: ignore[attr-defined]
    assert some is not None
    shown = staff.get(address(model, "change", some.pk), follow=True)
    assert shown.status_code == 200
    assert b'name="_save"' not in shown.content
    assert staff.post(address(model, "change", some.pk), {}).status_code == 403
    assert staff.post(address(model, "delete", some.pk), {"post": "yes"}).status_code == 403
    assert model.objects.filter(pk=some.pk).exists()  # type: ignore[attr-defined]


@pytest.mark.parametrize(("at", "status", "said"), [
    ("/admin/jackpot/award/add/", 403, "not for your role"), ("/admin/nowhere/", 404, "There is no such page"),
])  # fmt: skip
def test_what_is_not_there_or_not_allowed_says_so_to_people_and_leads_back(
    staff: Client, at: str, status: int, said: str
) -> None:
    answer = staff.get(at, HTTP_ACCEPT="text/html")
    assert answer.status_code == status
    assert said in answer.content.decode() and 'href="/admin/"' in answer.content.decode()


def test_lists_write_days_and_instants_with_the_year_first_and_their_zone(demo: House, staff: Client) -> None:
    opened = GamingDay.objects.get().opened_at
    assert f"{opened:%Y-%m-%d %H:%M:%S} UTC" in staff.get(address(GamingDay, "changelist")).content.decode()


def test_nobody_sees_a_page_without_signing_in(demo: House) -> None:
    for model in OURS:
        assert Client().get(address(model, "changelist")).status_code == 302


def test_a_round_shows_its_cards_boxes_and_what_each_got(demo: House, staff: Client) -> None:
    play(reported(royal(1)))
    page = staff.get(address(Round, "change", Round.objects.get().pk)).content.decode()
    for shown in ("ace of spades", "royal flush", "P-1", "settled", "casino-progressive@1", "MAIN@1"):
        assert shown in page, shown


def test_a_level_shows_which_policy_runs_it_and_which_waits(demo: House, staff: Client) -> None:
    change_policy(demo.jackpot, base="500.00")
    page = staff.get(address(Level, "changelist")).content.decode()
    assert "MAIN@1" in page and "MAIN@2" in page
    play(reported(royal(1)))
    page = staff.get(address(Level, "changelist")).content.decode()
    assert "MAIN@1" not in page and "MAIN@2" in page


def test_a_jackpot_shows_what_its_sign_shows(demo: House, staff: Client) -> None:
    page = staff.get(address(Jackpot, "changelist")).content.decode()
    assert "main 10000.00 USD" in page


def test_a_jackpot_shows_the_head_of_its_chain(demo: House, staff: Client) -> None:
    """As `verify --head` reads it back."""
    play(reported(royal(1)))
    lane = Lane.objects.get(jackpot=demo.jackpot)
    page = staff.get(address(Jackpot, "change", demo.jackpot.pk)).content.decode()
    assert chain.heads_in(page) == [(lane.pk, lane.sealed, bytes(lane.head))]
