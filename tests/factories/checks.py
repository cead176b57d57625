"""Whether the books agree, reckoned afresh from what is posted; to be asked at the end of any story."""

from collections import defaultdict
from itertools import pairwise

from django.db import connection
from django.db.models import F, Sum

from jackpot.domain.accounts import Pot, pot_of
from jackpot.models.awards import Award, CarriedAward
from jackpot.models.jackpots import Jackpot, Level
from jackpot.models.lanes import Lane
from jackpot.models.ledger import Account, Entry, Leg, Link, StatementRow
from jackpot.selectors import books
from tables.services import audit, verify


def assert_books_agree() -> None:
    """Every entry balances; every pot, total, unpaid award, gaming day and chain link is what its parts say.

    And everything settled comes out the same when it is settled again from its cards, and nothing sealed was changed.
    """
    assert books.unbalanced_entries(Account.objects.values_list("code", flat=True)) == []
    for entry in Entry.objects.prefetch_related("legs"):
        assert entry.leg_count == len(entry.legs.all())
    for jackpot in Jackpot.objects.all():
        for check in books.check_pots(jackpot):
            assert check.agrees, check
        for roll in books.roll_forward(jackpot):
            assert roll.foots, roll
        owed, unpaid = books.unpaid_awards(jackpot)
        assert owed == unpaid
        for level in jackpot.levels.all():
            _assert_totals(level)
            _assert_days(level)
    for lane in Lane.objects.all():
        assert_chain_holds(lane)
    differences = audit.audit(Lane.objects.select_related("jackpot", "site")).findings.differences
    assert differences == [], differences[:5]
    differences = verify.verify().findings.differences
    assert differences == [], differences[:5]


def _assert_totals(level: Level) -> None:
    """The growing totals of a level, from its statement and from the stakes of its lane's lock-outs."""
    rows = StatementRow.objects.filter(level=level)
    by_kind = {row["kind"]: int(row["sum"]) for row in rows.values("kind").annotate(sum=Sum("amount"))}
    floats = Leg.objects.filter(
        entry__kind="lockout", entry__lane=level.jackpot.lane, account__code__startswith="float:"
    )
    assert level.contributed == by_kind.get("contribution", 0)
    assert level.awarded == -by_kind.get("award", 0)
    _assert_hits(level, rows.filter(kind="award").count())
    assert level.wagered == int(floats.aggregate(sum=Sum("amount"))["sum"] or 0)
    resets = rows.filter(kind="reset", pot="meter").order_by("-seq").values_list("seq", flat=True)
    if level.base:  # a reset to nothing has no row
        assert level.reset_seq == (resets.first() or 0)


def _assert_hits(level: Level, shares: int) -> None:
    """Each share is a hit, however many wagers divide it; a share of a meter that shows nothing has no row, nor has one
    that a correction takes from a meter that has nothing left.
    """
    hits = Award.objects.filter(level=level, kind=Award.Kind.HIT)
    nothing = hits.filter(meter_before=F("meter_after"))
    at_least = nothing.values("entry_id", "hand").distinct().count()
    later = hits.exclude(entry__actor="").count() + CarriedAward.objects.filter(award__in=hits).count()
    assert shares + at_least <= level.hits <= shares + nothing.count() + later


def _assert_days(level: Level) -> None:
    """Day by day the ledger and the statement of every pot are one."""
    for pot in Pot:
        by_day: dict[object, int] = defaultdict(int)
        for row in StatementRow.objects.filter(level=level, pot=pot).order_by("seq"):
            by_day[row.gaming_day] += row.amount
        assert list(by_day) == sorted(by_day, key=str)
        for leg in Leg.objects.filter(account__code=pot_of(level.jackpot.code, level.code, pot)):
            by_day[leg.gaming_day] += leg.amount
        assert not any(by_day.values()), (level, pot, by_day)


def assert_chain_holds(lane: Lane) -> None:
    """Every link seals its rows and the link before it, without a gap; the lane's head is the last one."""
    links = list(Link.objects.filter(lane=lane).order_by("seq"))
    assert [link.seq for link in links] == list(range(1, lane.sealed + 1))
    head = bytes(32)
    for link in links:
        assert bytes(link.previous) == head
        head = digest_now(link)
        assert bytes(link.digest) == head
    assert bytes(lane.head) == head
    assert all(before.posted_at <= after.posted_at for before, after in pairwise(links))


def digest_now(link: Link) -> bytes:
    """A link's digest as PostgreSQL reckons it from the rows that are there now."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT jackpot_link_digest(%s, %s, %s)", [link.lane_id, link.seq, bytes(link.previous)])
        return bytes(cursor.fetchone()[0])
