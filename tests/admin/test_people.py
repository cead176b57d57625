"""People pages: added, given another role, shut and opened, let in again; by an administrator, and never by oneself."""

import re
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from jackpot.domain.callers import Caller, Scope
from jackpot.domain.errors import Refused
from jackpot.domain.people import Role
from jackpot.models.second_factors import Authenticator
from jackpot.services import people, second_factors
from tests.admin.staff import PASSWORD, calling, code_of, member, signed_in, with_app

pytestmark = pytest.mark.django_db
PEOPLE = "/admin/auth/user/"
NEW = {"username": "eve", "first_name": "Eve", "last_name": "Ash", "role": "cashier", "note": "new here"}


@pytest.fixture
def root(db: None) -> User:
    return member("root", Role.ADMINISTRATOR)


@pytest.fixture
def ann(db: None) -> User:
    return member("ann", Role.OPERATOR)


@pytest.fixture
def client(root: User) -> Client:
    return signed_in(root)


def step(user: User, name: str) -> str:
    return reverse("admin:auth_user_step", args=[user.pk, name])


def log() -> str:
    return LogEntry.objects.order_by("-id")[0].change_message


def link_in(answer: Any) -> str:
    found = re.search(r"http://testserver(/admin/set-password/\S+?/)(?=[\s<&])", answer.content.decode())
    assert found is not None, answer.content.decode()
    return found[1]


def test_somebody_new_sets_the_password_by_a_link_that_is_good_once(client: Client) -> None:
    answer = client.post(f"{PEOPLE}add/", NEW, follow=True)
    eve = User.objects.get(username="eve")
    assert (people.powers_of(eve), eve.is_staff, eve.has_usable_password()) == ("cashier", True, False)
    assert log() == "Add a person: eve; why: new here; Role: – → cashier"
    link = link_in(answer)
    theirs = Client()
    form = theirs.get(link)
    weak = theirs.post(form["Location"], {"new_password1": "short", "new_password2": "short"})
    assert weak.status_code == 200 and b"too short" in weak.content
    set_ = theirs.post(form["Location"], {"new_password1": PASSWORD, "new_password2": PASSWORD})
    assert set_["Location"] == reverse("admin:login")
    assert theirs.post(reverse("admin:login"), {"username": "eve", "password": PASSWORD}).status_code == 302
    assert b"was used before" in Client().get(link, follow=True).content
    assert log() == "Password: set by its owner"
    assert not LogEntry.objects.filter(change_message__contains=link).exists()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"username": "ANN"}, "has this name already"), ({"username": "a b"}, "valid username"),
        ({"role": "king"}, "Select a valid choice"), ({"username": ""}, "required"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_and_nobody_is_added(client: Client, ann: User, wrong: Any, said: str) -> None:
    answer = client.post(f"{PEOPLE}add/", NEW | wrong)
    assert answer.status_code == 400 and said in answer.content.decode()
    assert User.objects.count() == 2 and not LogEntry.objects.exists()


def test_another_role_counts_at_once_and_takes_what_was_granted_by_hand(client: Client, ann: User) -> None:
    ann.user_permissions.add(Permission.objects.get(codename="pay_award"))
    theirs = signed_in(ann)
    assert theirs.get("/admin/admin/logentry/").status_code == 403
    assert client.post(step(ann, "role"), {"role": "auditor", "note": "moved"}).status_code == 302
    assert log() == ("Change role: ann is auditor now; why: moved; Role: operator, jackpot.pay_award → auditor")
    assert theirs.get("/admin/admin/logentry/").status_code == 200
    assert not User.objects.get(pk=ann.pk).has_perm("jackpot.pay_award")


def test_a_shut_account_is_out_at_once_and_is_never_removed(client: Client, ann: User) -> None:
    theirs = signed_in(ann)
    assert theirs.get("/admin/").status_code == 200
    assert client.post(step(ann, "shut"), {"note": "left"}).status_code == 302
    assert "Account: open → shut" in log()
    assert theirs.get("/admin/").status_code == 302
    assert theirs.get("/api/v1/jackpots/MAIN/").status_code == 401
    assert Client().post(reverse("admin:login"), {"username": "ann", "password": PASSWORD}).status_code == 200
    assert client.post(f"{PEOPLE}{ann.pk}/delete/", {"post": "yes"}).status_code == 403
    assert client.post(step(ann, "open"), {"note": "back"}).status_code == 302
    assert User.objects.get(pk=ann.pk).is_active


def test_a_reset_password_ends_sessions_and_gives_a_link(client: Client, ann: User) -> None:
    theirs = signed_in(ann)
    answer = client.post(step(ann, "password"), {"note": "forgotten"}, follow=True)
    assert theirs.get("/admin/").status_code == 302
    assert Client().get(link_in(answer), follow=True).status_code == 200
    assert "set-password" not in log()


def test_a_reset_second_factor_ends_what_it_opened(client: Client, ann: User, settings: Any) -> None:
    settings.STAFF_TWO_FACTOR = True
    theirs = signed_in(ann)
    assert client.post(step(ann, "second-factor"), {"note": "lost phone"}).status_code == 302
    assert "Second factor: set up → not set up" in log()
    assert theirs.get("/admin/").status_code == 302
    assert client.post(step(ann, "second-factor"), {"note": "again"}).status_code == 409


def test_letting_in_again_forgets_wrong_passwords_and_codes(client: Client, ann: User) -> None:
    app = with_app(ann)
    app.throttle_increment()
    theirs = Client()
    for _ in range(5):
        theirs.post(reverse("admin:login"), {"username": "ann", "password": "wrong"})
    right = {"username": "ann", "password": PASSWORD}
    assert theirs.post(reverse("admin:login"), right).status_code == 429
    assert client.post(step(ann, "let-in"), {}).status_code == 302
    assert theirs.post(reverse("admin:login"), right).status_code == 302
    assert Authenticator.objects.get(user=ann).throttling_failure_count == 0


OF_ONESELF = ("role", "rename", "password", "second-factor", "let-in", "shut", "open")


@pytest.mark.parametrize("name", OF_ONESELF)
def test_nobody_changes_his_own_account(client: Client, root: User, name: str) -> None:
    form = {"role": "supervisor", "note": "please", "first_name": "Root"}
    for answer in (client.get(step(root, name)), client.post(step(root, name), form)):
        assert answer.status_code == 403
    assert people.powers_of(User.objects.get(pk=root.pk)) == "administrator"
    assert not LogEntry.objects.exists()


def services(user: User, by: Caller) -> dict[str, Any]:
    return {
        "change_role": lambda: people.change_role(caller=by, user_id=user.pk, role="supervisor"),
        "rename": lambda: people.rename(caller=by, user_id=user.pk, first_name="x", last_name="y"),
        "set_active": lambda: people.set_active(caller=by, user_id=user.pk, active=False),
        "reset_password": lambda: people.reset_password(caller=by, user_id=user.pk),
        "reset_second_factor": lambda: people.reset_second_factor(caller=by, user_id=user.pk),
        "let_in_again": lambda: people.let_in_again(caller=by, user_id=user.pk),
    }


@pytest.mark.parametrize("name", services(User(pk=1), Caller(frozenset(), user_id=1)))
def test_the_services_refuse_it_too(root: User, ann: User, name: str) -> None:
    """Oneself; somebody without the permission; a key; a superuser's account."""
    above = member("above", superuser=True)
    key = Caller(frozenset({Scope.ROUNDS_READ}), integrator_id=1, site_ids=frozenset(), key_id=1)
    before = list(User.objects.order_by("pk").values())
    for of, by, code in (
        (root, calling(root), "second_person_required"),
        (root, calling(ann), "forbidden"),
        (ann, key, "person_required"),
        (above, calling(root), "forbidden"),
    ):
        with pytest.raises(Refused) as refused:
            services(of, by)[name]()
        assert refused.value.code == code
    assert list(User.objects.order_by("pk").values()) == before


def test_a_superusers_account_is_out_of_an_administrators_reach(client: Client) -> None:
    above = member("above", superuser=True)
    for name in OF_ONESELF:
        assert client.post(step(above, name), {"role": "cashier", "note": "x"}).status_code == 403


def test_no_page_offers_to_be_a_superuser_or_shows_a_password(client: Client, ann: User) -> None:
    for address in (f"{PEOPLE}add/", f"{PEOPLE}{ann.pk}/change/", step(ann, "role"), PEOPLE):
        page = client.get(address).content.decode()
        assert 'name="is_superuser"' not in page and ann.password not in page and 'name="password' not in page
    client.post(f"{PEOPLE}add/", NEW | {"is_superuser": "on", "is_active": "", "groups": "1"})
    eve = User.objects.get(username="eve")
    assert (eve.is_superuser, eve.is_active, people.powers_of(eve)) == (False, True, "cashier")


@pytest.mark.parametrize("role", [role for role in Role if role is not Role.ADMINISTRATOR])
def test_others_change_nobody(ann: User, role: Role) -> None:
    client = signed_in(member("bob", role))
    assert client.post(f"{PEOPLE}add/", NEW).status_code == 403
    for name in OF_ONESELF:
        assert client.post(step(ann, name), {"role": "supervisor", "note": "x"}).status_code == 403
    assert User.objects.count() == 2 and not LogEntry.objects.exists()


def test_roles_are_shown_and_changed_nowhere(client: Client) -> None:
    page = client.get("/admin/auth/group/").content.decode()
    assert all(role.about in page for role in Role)
    assert client.post("/admin/auth/group/add/", {"name": "kings"}).status_code == 403


class TestLog:
    def test_it_says_who_did_what_to_whom_and_is_searched(self, client: Client, ann: User) -> None:
        client.post(step(ann, "role"), {"role": "auditor", "note": "moved"})
        reader = signed_in(ann)
        for words in ("root", "ann", "moved", "auditor"):
            page = reader.get(f"/admin/admin/logentry/?q={words}").content.decode()
            assert "Role: operator → auditor" in page and f'href="{PEOPLE}{ann.pk}/change/"' in page
        assert "Role: operator" not in reader.get("/admin/admin/logentry/?q=nobody").content.decode()

    def test_sign_ins_are_listed_for_who_may_look(self, root: User, ann: User) -> None:
        Client().post(reverse("admin:login"), {"username": "ann", "password": PASSWORD})
        Client().post(reverse("admin:login"), {"username": "ann", "password": "wrong-password"})
        reader = signed_in(root)
        assert "127.0.0.1" in reader.get("/admin/axes/accesslog/").content.decode()
        page = reader.get("/admin/axes/accessattempt/").content.decode()
        assert "127.0.0.1" in page and "wrong-password" not in page
        assert signed_in(ann).get("/admin/axes/accesslog/").status_code == 403


@pytest.mark.parametrize(("first", "second"), [("password", "second-factor"), ("second-factor", "password")])
def test_nobody_takes_over_an_account_by_both_resets(client: Client, ann: User, first: str, second: str) -> None:
    with_app(ann)
    assert client.post(step(ann, first), {"note": "hers"}).status_code == 302
    stood = (User.objects.get(pk=ann.pk).password, Authenticator.objects.filter(user=ann).count())
    answer = client.post(step(ann, second), {"note": "mine"})
    assert answer.status_code == 403 and b"another administrator takes this one" in answer.content
    assert (User.objects.get(pk=ann.pk).password, Authenticator.objects.filter(user=ann).count()) == stood
    if first == "password":  # she has passed by her own app since
        Authenticator.objects.filter(user=ann).update(last_used_at=timezone.now())
    else:
        salt = second_factors.new_salt()
        app = Authenticator(user=ann, key=salt)
        second_factors.enrol(user=ann, salt=salt, code=code_of(app))
    assert client.post(step(ann, second), {"note": "lost that too"}).status_code == 302


def test_two_administrators_help_somebody_who_lost_both(client: Client, ann: User) -> None:
    with_app(ann)
    assert client.post(step(ann, "second-factor"), {"note": "lost"}).status_code == 302
    other = signed_in(member("second", Role.ADMINISTRATOR))
    assert other.post(step(ann, "password"), {"note": "lost"}).status_code == 302
