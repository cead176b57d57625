"""Endpoints and deliveries: what is sent to whom, when, in which order, and what becomes of what fails."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from jackpot.domain.errors import Refused
from jackpot.domain.events import Event as Told
from jackpot.domain.events import EventType
from jackpot.domain.webhooks import PASSED_AFTER, TRIED_FOR
from jackpot.models.clients import Integrator
from jackpot.models.jackpots import Jackpot
from jackpot.models.webhooks import Delivery, Endpoint
from jackpot.services import events
from jackpot.webhooks import deliveries, endpoints
from jackpot.webhooks.deliveries import Sending
from tests.factories import NOW, House
from tests.owner import as_owner

URL = "https://hooks.example.com/a"
HIT, ROUND = EventType.JACKPOT_HIT, EventType.ROUND_SETTLED
pytestmark = pytest.mark.django_db


@pytest.fixture
def acme(db: None) -> Integrator:
    return Integrator.objects.create(name="Acme")


@pytest.fixture
def endpoint(acme: Integrator) -> int:
    return added().endpoint_id


def added(url: str = URL, *types: str, integrator: str = "Acme", private: bool = False) -> endpoints.Added:
    return endpoints.add(integrator=integrator, url=url, types=types, private=private, now=NOW)


def tell(*kinds: EventType, link: Jackpot | None = None, integrator: str = "Acme") -> None:
    owner = Integrator.objects.get(name=integrator).pk
    events.publish([Told(owner, kind, NOW, {"n": n}, jackpot_id=link.pk if link else None)
                    for n, kind in enumerate(kinds)])  # fmt: skip


def take(endpoint: int, at: datetime = NOW) -> Sending:
    sending = deliveries.claim(endpoint, now=at)
    assert sending is not None
    return sending


def nothing(endpoint: int, at: datetime = NOW) -> bool:
    return deliveries.claim(endpoint, now=at) is None


def taken(sending: Sending, at: datetime = NOW) -> None:
    deliveries.delivered(sending.delivery_id, status=200, now=at)


def refused(sending: Sending, at: datetime = NOW, status: int | None = 500) -> None:
    deliveries.failed(sending.delivery_id, status=status, error=f"it answered {status}", now=at, jitter=0.5)


def deliver_all(endpoint: int, at: datetime = NOW) -> list[int]:
    """The seqs of what is delivered, one after the other."""
    found = []
    while sending := deliveries.claim(endpoint, now=at):
        taken(sending, at)
        found.append(sending.seq)
    return found


def states() -> dict[int, str]:
    return dict(Delivery.objects.values_list("seq", "state"))


class TestWhatIsTold:
    def test_all_that_happens_after_it_was_added(self, acme: Integrator) -> None:
        tell(ROUND)
        endpoint = added().endpoint_id
        assert nothing(endpoint)
        tell(ROUND, EventType.DAY_CLOSED)
        assert deliver_all(endpoint) == [2, 3]
        tell(ROUND)
        assert deliver_all(endpoint) == [4]

    def test_some_types(self, acme: Integrator, demo: House) -> None:
        endpoint = added(URL, ROUND, HIT).endpoint_id
        tell(EventType.DAY_CLOSED, ROUND)
        tell(HIT, link=demo.jackpot)
        tell(EventType.DAY_CLOSED)
        assert deliver_all(endpoint) == [2, 3]
        assert Endpoint.objects.get().read_to == 4

    def test_its_own_integrators(self, endpoint: int) -> None:
        Integrator.objects.create(name="Rival")
        other = added(integrator="Rival").endpoint_id
        tell(ROUND, integrator="Rival")
        assert nothing(endpoint)
        assert deliver_all(other) == [1]

    def test_what_is_sent_is_the_event(self, endpoint: int) -> None:
        tell(ROUND)
        sending = take(endpoint)
        event = Integrator.objects.get().events.get()
        assert (sending.event_id, sending.type, sending.seq, sending.at, sending.data, sending.url) == (
            event.pk, "round.settled", 1, NOW, {"n": 0}, URL,
        )  # fmt: skip

    def test_what_is_in_hand_carries_the_secrets(self, endpoint: int) -> None:
        endpoints.rotate(endpoint_id=endpoint, now=NOW)
        tell(ROUND)
        assert take(endpoint).secrets == endpoints.live_secrets(Endpoint.objects.get(), now=NOW)

    def test_many_are_read_in_parts(self, endpoint: int, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(deliveries, "READ_AT_ONCE", 2)
        tell(*[ROUND] * 5)
        assert deliver_all(endpoint) == [1, 2, 3, 4, 5]

    def test_no_more_are_read_while_enough_wait_to_be_sent(
        self, endpoint: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """An endpoint that is away fills no table; what it does not take holds up nothing else."""
        monkeypatch.setattr(deliveries, "READ_AT_ONCE", 2)
        tell(*[ROUND] * 9)
        at = NOW
        for read in (2, 4, 4, 6):
            refused(take(endpoint, at), at)
            assert Endpoint.objects.get().read_to == read
            at = Endpoint.objects.get().paused_to
            Delivery.objects.filter(attempts__gt=0).update(due_at=at + timedelta(hours=1))

    def test_reading_on_takes_the_same_number_of_statements(
        self, endpoint: int, django_assert_max_num_queries: Callable[..., Any]
    ) -> None:
        tell(*[ROUND] * 300)
        with django_assert_max_num_queries(12):
            take(endpoint)


class TestFlight:
    def test_one_at_a_time_until_it_has_answered_then_four(self, endpoint: int) -> None:
        tell(*[ROUND] * 9)
        assert deliveries.due(now=NOW) == {endpoint: 1}
        first = take(endpoint)
        assert nothing(endpoint) and deliveries.due(now=NOW) == {}
        taken(first)
        assert deliveries.due(now=NOW) == {endpoint: 4}
        flying = [take(endpoint) for _ in range(4)]
        assert nothing(endpoint) and deliveries.due(now=NOW) == {}
        taken(flying[2])
        assert deliveries.due(now=NOW) == {endpoint: 1}
        refused(flying[0])
        later = NOW + timedelta(seconds=2)
        assert nothing(endpoint, later)  # two still fly, and one that fails has one

    def test_one_that_fails_is_left_alone_for_longer_and_longer(self, endpoint: int) -> None:
        """So that many that hang do not fill the pool: 10 seconds of hanging, then up to 5 minutes of nothing."""
        tell(*[ROUND] * 30)
        at, pauses = NOW, []
        for _ in range(20):
            refused(take(endpoint, at), at)
            ends = Endpoint.objects.get().paused_to
            assert nothing(endpoint, ends - timedelta(milliseconds=1))
            pauses.append((ends - at).total_seconds())
            at = ends
        assert pauses[:4] == [1, 2, 4, 8]
        assert pauses[-1] == 300
        taken(take(endpoint, at), at)
        assert (Endpoint.objects.get().failures, deliveries.due(now=at)) == (0, {endpoint: 4})

    def test_what_a_dead_sender_had_in_hand_is_taken_again_with_the_same_id(self, endpoint: int) -> None:
        tell(ROUND)
        lost = take(endpoint)
        assert nothing(endpoint, NOW + deliveries.LEASE - timedelta(seconds=1))
        again = take(endpoint, NOW + deliveries.LEASE)
        assert (again.event_id, again.seq) == (lost.event_id, lost.seq)
        taken(again)
        # The first one was not dead after all: what it says changes nothing.
        refused(lost)
        assert states() == {1: "delivered"}

    def test_due_asks_once_however_many_endpoints(
        self, acme: Integrator, django_assert_num_queries: Callable[..., Any]
    ) -> None:
        ids = [added(f"{URL}{n}").endpoint_id for n in range(5)]
        tell(ROUND)
        with django_assert_num_queries(1):
            assert deliveries.due(now=NOW) == dict.fromkeys(ids, 1)


class TestOrder:
    """Of jackpot.* and award.* of one jackpot."""

    @pytest.fixture
    def link(self, demo: House, endpoint: int) -> Jackpot:
        """A jackpot, and an endpoint that has answered before."""
        tell(ROUND)
        assert deliver_all(endpoint) == [1]
        return demo.jackpot

    def test_one_at_a_time_beside_other_kinds(self, link: Jackpot, endpoint: int) -> None:
        tell(HIT, EventType.AWARD_PAID, link=link)
        tell(ROUND)
        first, beside = take(endpoint), take(endpoint)
        assert (first.seq, beside.seq) == (2, 4)
        assert nothing(endpoint)
        taken(first)
        assert take(endpoint).seq == 3

    def test_envy_is_in_no_order(self, link: Jackpot, endpoint: int) -> None:
        tell(HIT, EventType.ENVY_AWARDED, link=link)
        assert [take(endpoint).seq, take(endpoint).seq] == [2, 3]

    def test_another_jackpot_has_an_order_of_its_own(self, link: Jackpot, endpoint: int) -> None:
        other = Jackpot.objects.create(
            code="OTHER", name="Other", currency_code="USD", home_site=link.home_site, opened_at=NOW
        )
        tell(HIT, HIT, link=link)
        tell(HIT, link=other)
        assert [take(endpoint).seq, take(endpoint).seq] == [2, 4]

    def test_after_five_minutes_of_failure_later_ones_pass(self, link: Jackpot, endpoint: int) -> None:
        tell(HIT, HIT, HIT, link=link)
        at = NOW
        while at < NOW + PASSED_AFTER:
            refused(take(endpoint, at), at)
            bad = Delivery.objects.get(seq=2)
            at = max(bad.due_at, Endpoint.objects.get().paused_to)
            before = min(at, NOW + PASSED_AFTER) - timedelta(milliseconds=1)
            assert nothing(endpoint, before)
        Endpoint.objects.update(paused_to=NOW)
        Delivery.objects.filter(seq=2).update(due_at=at + timedelta(hours=1))
        assert deliver_all(endpoint, NOW + PASSED_AFTER) == [3, 4]
        assert deliver_all(endpoint, at + timedelta(hours=1)) == [2]

    def test_an_endpoint_that_is_enabled_again_begins_in_order(self, link: Jackpot, endpoint: int) -> None:
        tell(HIT, HIT, link=link)
        refused(take(endpoint), status=410)
        later = NOW + 2 * PASSED_AFTER
        endpoints.enable(endpoint_id=endpoint, now=later)
        assert take(endpoint, later).seq == 2
        assert nothing(endpoint, later)

    def test_one_that_is_parked_holds_up_nobody(self, link: Jackpot, endpoint: int) -> None:
        tell(HIT, HIT, link=link)
        with as_owner():
            Delivery.objects.all().delete()
        deliveries.claim(endpoint, now=NOW)
        Delivery.objects.filter(seq=2).update(state="parked", leased_to=None)
        assert deliver_all(endpoint) == [3]

    def test_one_that_is_sent_again_holds_up_nobody(self, link: Jackpot, endpoint: int) -> None:
        tell(HIT, link=link)
        assert deliver_all(endpoint) == [2]
        tell(HIT, link=link)
        assert endpoints.redeliver(endpoint_id=endpoint, seqs=[2], now=NOW) == 1
        assert [take(endpoint).seq, take(endpoint).seq] == [2, 3]


class TestParked:
    def test_after_three_days_and_visibly(self, endpoint: int) -> None:
        tell(ROUND)
        at, attempts = NOW, 0
        while sending := deliveries.claim(endpoint, now=at):
            refused(sending, at)
            attempts += 1
            found = Delivery.objects.get()
            if found.state == "parked":
                break
            at = max(found.due_at, Endpoint.objects.get().paused_to)
        assert at == NOW + TRIED_FOR
        assert 20 <= attempts <= 30
        assert (found.attempts, found.status, found.error) == (attempts, 500, "it answered 500")
        assert nothing(endpoint, at + timedelta(days=1))

    def test_what_waited_behind_it_all_the_time_is_parked_with_it(self, endpoint: int) -> None:
        tell(*[ROUND] * 5)
        refused(take(endpoint))
        tell(ROUND)
        late = NOW + timedelta(days=1)
        refused(take(endpoint, late), late)  # reads the sixth, whose three days begin now
        ends = NOW + TRIED_FOR
        refused(take(endpoint, ends), ends)
        assert states() == dict.fromkeys(range(1, 6), "parked") | {6: "pending"}
        assert endpoints.redeliver(endpoint_id=endpoint, seqs=None, now=ends) == 5
        back = ends + timedelta(minutes=10)
        assert deliver_all(endpoint, back) == [1, 2, 3, 4, 5, 6]

    def test_delivered_ones_are_sent_again_with_the_same_id(self, endpoint: int) -> None:
        tell(ROUND, ROUND)
        first = take(endpoint)
        taken(first)
        assert deliver_all(endpoint) == [2]
        assert endpoints.redeliver(endpoint_id=endpoint, seqs=[1, 99], now=NOW) == 1
        assert take(endpoint).event_id == first.event_id


class TestDisabled:
    def test_410_disables_it(self, endpoint: int) -> None:
        tell(ROUND, ROUND)
        refused(take(endpoint), status=410)
        assert (Endpoint.objects.get().state, Endpoint.objects.get().why) == ("disabled", "it answered 410 Gone")
        later = NOW + timedelta(days=4)
        assert nothing(endpoint, later) and deliveries.due(now=later) == {}

    def test_enabled_again_it_is_told_all_that_it_missed(self, endpoint: int) -> None:
        tell(ROUND)
        refused(take(endpoint), status=410)
        endpoints.disable(endpoint_id=endpoint)
        tell(ROUND)
        later = NOW + timedelta(days=9)
        endpoints.enable(endpoint_id=endpoint, now=later)
        refused(take(endpoint, later), later)
        assert states() == {1: "pending", 2: "pending"}
        assert deliver_all(endpoint, later + timedelta(minutes=1)) == [1, 2]

    def test_what_is_not_there(self, db: None) -> None:
        for call in (endpoints.disable, lambda **where: endpoints.rotate(**where, now=NOW)):
            with pytest.raises(Refused, match="there is no endpoint 7"):
                call(endpoint_id=7)
