"""Rounds, their boxes, what happened in them, and what each box got."""

from django.db import models
from django.db.models import Q

from jackpot.models.change_requests import ChangeRequest
from jackpot.models.clients import Integrator
from jackpot.models.fields import Units
from jackpot.models.jackpots import PolicyVersion
from jackpot.models.lanes import Lane
from jackpot.models.sites import Site
from tables.domain.round_state import Phase
from tables.models.rulesets import RuleSetVersion
from tables.models.tables import Table

UNSETTLED = Q(version=0) & ~(Q(phase=Phase.VOID.value) & Q(void_reason=""))
"""Rounds that are played, wait for a worker or stand aside. One whose betting closed without a bet is over."""

_WHOLE_DECK = 104
"""Characters of cards: what is void for its number of cards is kept with as many as it had."""


class Round(models.Model):
    """A round at a table: its facts (with its boxes), its place in time, and its phase.

    Cards are stored in the normal form, one after the other ("QsJsTs"), empty where not dealt or not given. Rule set,
    policy and lane are those in force at the lock-out and stay for ever.
    """

    id = models.UUIDField(primary_key=True)
    integrator = models.ForeignKey(Integrator, on_delete=models.PROTECT, db_index=False, related_name="rounds")
    external_id = models.CharField(max_length=100, null=True, blank=True)  # noqa: DJ001  # unique where given
    content = models.BinaryField(null=True, help_text="fingerprint of what was sent, to tell a repeat from a conflict")
    table = models.ForeignKey(Table, on_delete=models.PROTECT, db_index=False, related_name="rounds")
    site = models.ForeignKey(Site, on_delete=models.PROTECT, db_index=False, related_name="rounds")
    game_number = models.CharField(max_length=60)
    phase = models.CharField(max_length=10, choices=[(phase.value, phase.value) for phase in Phase])
    resumes_to = models.CharField(max_length=10, blank=True, help_text="the phase a suspended round goes back to")
    version = models.PositiveSmallIntegerField(default=0, help_text="the settlement in force; 0 = none yet")
    rule_set = models.ForeignKey(RuleSetVersion, on_delete=models.PROTECT, null=True, db_index=False, related_name="+")
    policy = models.ForeignKey(PolicyVersion, on_delete=models.PROTECT, null=True, db_index=False, related_name="+")
    lane = models.ForeignKey(Lane, on_delete=models.PROTECT, db_index=False, related_name="+")
    live = models.BooleanField(help_text="played step by step, not reported as a whole")
    started_at = models.DateTimeField()
    locked_at = models.DateTimeField(null=True, blank=True)
    completed_at = models.DateTimeField(null=True, blank=True)
    settled_at = models.DateTimeField(null=True, blank=True)
    deadline = models.DateTimeField(null=True, blank=True, help_text="when the clock of the present phase runs out")
    clock_left = models.DurationField(null=True, blank=True, help_text="what a suspended clock had left")
    gaming_day = models.DateField(null=True, blank=True)
    late = models.BooleanField(default=False)
    flop = models.CharField(max_length=_WHOLE_DECK, blank=True)
    turn = models.CharField(max_length=2, blank=True)
    river = models.CharField(max_length=2, blank=True)
    dealer = models.CharField(max_length=_WHOLE_DECK, blank=True)
    player_cards = models.CharField(max_length=_WHOLE_DECK, blank=True, help_text="the one pair of a shared hand")
    void_reason = models.CharField(max_length=24, blank=True)
    void_note = models.CharField(max_length=200, blank=True)
    problem = models.JSONField(null=True, blank=True, help_text="why it failed")

    class Meta:
        indexes = [
            models.Index(fields=["table", "started_at"], name="round_by_table"),
            models.Index(fields=["integrator", "id"], name="round_by_integrator"),
            models.Index(fields=["site", "started_at"], condition=UNSETTLED, name="round_unsettled"),
            models.Index(
                fields=["gaming_day", "id", "site"], condition=Q(gaming_day__isnull=False), name="round_by_day"
            ),
            models.Index(fields=["id"], condition=Q(phase=Phase.VOID.value), name="round_void"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["integrator", "external_id"], name="round_external_id_once"),
            # Compared byte by byte, so that the same index finds a number's beginning.
            models.UniqueConstraint(
                fields=["game_number"], opclasses=["varchar_pattern_ops"], name="round_game_number_once"
            ),
            models.UniqueConstraint(
                fields=["table"],
                condition=Q(live=True) & ~Q(phase__in=["complete", "settled", "void", "failed"]),
                name="round_one_open_a_table",
            ),
        ]

    def __str__(self) -> str:
        return self.game_number


class Superseded(models.Model):
    """The facts of a version that a correction replaced, as they stood. Append-only; `sql/corrections.sql` guards it.

    `document` is the record of `tables.domain.corrections`; `settled_at` when the version came into force,
    `replaced_at` and `replaced_day` when and under which gaming day of the site the next one did.
    """

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="superseded", db_index=False)
    version = models.PositiveSmallIntegerField()
    document = models.JSONField()
    settled_at = models.DateTimeField()
    replaced_at = models.DateTimeField()
    replaced_day = models.DateField()
    change = models.OneToOneField(ChangeRequest, on_delete=models.PROTECT, related_name="+")

    class Meta:
        indexes = [models.Index(fields=["replaced_day"], name="superseded_by_day")]
        constraints = [models.UniqueConstraint(fields=["round", "version"], name="superseded_once")]

    def __str__(self) -> str:
        return f"{self.round_id} v{self.version}"


class Box(models.Model):
    """A betting position of a round: who, what was staked, the cards, the decision. The Blind equals the Ante.

    Written while betting is open or with the whole round; frozen once the round is complete.
    """

    pk = models.CompositePrimaryKey("round_id", "box")
    round = models.ForeignKey(Round, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False,
                              related_name="boxes")  # fmt: skip
    box = models.PositiveIntegerField()
    player = models.CharField(max_length=64)
    ante = Units()
    trips = Units(default=0)
    progressive = Units(default=0)
    cards = models.CharField(max_length=_WHOLE_DECK, blank=True)
    action = models.CharField(max_length=5, blank=True, help_text="play or fold; empty while undecided")
    street = models.CharField(max_length=7, blank=True)
    multiplier = models.PositiveSmallIntegerField(default=0)
    automatic = models.BooleanField(default=False)
    checked = models.CharField(max_length=7, blank=True, help_text="the last street on which the box checked")
    void_reason = models.CharField(max_length=24, blank=True)
    void_note = models.CharField(max_length=200, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["player"], name="box_by_player"),
            models.Index(fields=["round_id"], condition=~Q(void_reason=""), name="box_void"),
        ]
        constraints = [models.CheckConstraint(condition=Q(ante__gt=0, trips__gte=0, progressive__gte=0), name="stakes")]

    def __str__(self) -> str:
        return f"{self.round_id} box {self.box}"


class BoxResult(models.Model):
    """What a box got in one version of a round's settlement: hands by name, an outcome and what came back per bet.

    `outcomes` holds a letter for each of ante, blind, play, trips, progressive: w(in), l(ose), p(ush), r(efund) or
    - (not staked); `capped` the same with c where the payout limit bit. Amounts in ledger units, the stake inside.
    """

    pk = models.CompositePrimaryKey("round_id", "version", "box")
    round = models.ForeignKey(Round, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False,
                              related_name="results")  # fmt: skip
    version = models.PositiveSmallIntegerField()
    box = models.PositiveIntegerField()
    hand = models.CharField(max_length=16, blank=True)
    progressive_hand = models.CharField(max_length=16, blank=True)
    outcomes = models.CharField(max_length=5)
    capped = models.CharField(max_length=5, blank=True)
    ante = Units()
    blind = Units()
    play = Units()
    trips = Units()
    progressive = Units()
    basis = models.CharField(max_length=12, blank=True, help_text="how the Progressive's prize was reckoned")

    class Meta:
        indexes = [
            # The others are in one round of six at least: a list comes upon them before long.
            models.Index(
                fields=["hand", "round_id"],
                condition=Q(hand__in=["royal_flush", "straight_flush", "four_of_a_kind"]),
                name="result_rare_hand",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.round_id} v{self.version} box {self.box}"


class RoundEvent(models.Model):
    """A step in a round's life, in the order in which the service took it."""

    id = models.BigAutoField(primary_key=True)
    round = models.ForeignKey(Round, on_delete=models.DO_NOTHING, db_constraint=False, related_name="events")
    kind = models.CharField(max_length=16)
    at = models.DateTimeField()
    data = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"{self.kind} {self.at:%H:%M:%S}"
