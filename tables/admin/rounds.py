"""The console's page of a round: its cards, its boxes in their places, and what each got."""

from collections.abc import Iterable

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from jackpot.admin.base import ReadOnly, amount
from tables.domain.cards import in_symbols
from tables.domain.facts import BoxFacts
from tables.models.rounds import BoxResult, Round
from tables.selectors import loading
from tables.selectors.results import returned_to

_COLOURS = {"s": "inherit", "h": "#dc2626", "d": "#dc2626", "c": "inherit"}
_CARD = '<span style="border:1px solid;border-radius:4px;padding:1px 5px;margin-right:3px;color:{}">{}</span>'
_CELL = "<td style='padding:4px 10px'>{}</td>"


@admin.register(Round)
class RoundAdmin(ReadOnly):
    list_display = ("game_number", "table", "phase", "started_at", "settled_at", "late", "external_id")
    list_select_related = ("table",)
    list_filter = ("phase", "site", "table", "late")
    search_fields = ("game_number", "external_id")
    ordering = ("-id",)
    fields = (
        "game_number", "external_id", "integrator", "table", "phase", "problem", "rule_set", "policy", "started_at",
        "locked_at", "completed_at", "settled_at", "gaming_day", "late", "void_reason", "void_note",
        "board", "dealers_hand", "boxes_on_the_table",
    )  # fmt: skip
    readonly_fields = ("board", "dealers_hand", "boxes_on_the_table")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Round]:
        rounds: QuerySet[Round] = super().get_queryset(request)
        return rounds.select_related("table", "rule_set__rule_set", "policy__jackpot")

    @admin.display(description="board")
    def board(self, rnd: Round) -> SafeString:
        return drawn(rnd.flop + rnd.turn + rnd.river)

    @admin.display(description="dealer")
    def dealers_hand(self, rnd: Round) -> SafeString:
        return drawn(rnd.dealer)

    @admin.display(description="boxes")
    def boxes_on_the_table(self, rnd: Round) -> SafeString:
        boxes = loading.boxes_of(rnd.id)
        results = {result.box: result for result in BoxResult.objects.filter(round=rnd, version=rnd.version)}
        head = ("box", "player", "cards", "decision", "hand", "ante", "trips", "progressive", "returned", "")
        rows = format_html_join("", "<tr>{}</tr>", ((_row(rnd, box, results.get(box.box)),) for box in boxes))
        return format_html("<table><tr>{}</tr>{}</table>", _cells(head), rows)


def drawn(cards: str) -> SafeString:
    """A run of stored cards, drawn as cards."""
    pairs = loading.cards_in(cards) or ()
    return format_html_join("", _CARD, ((_COLOURS[card[1]], in_symbols(card)) for card in pairs))


def _row(rnd: Round, box: BoxFacts, result: BoxResult | None) -> SafeString:
    cur = rnd.table.currency
    decision = f"{box.decision.action} {box.decision.street}"
    cells: list[object] = [box.box, box.player, drawn("".join(box.cards or ())), decision]
    cells.append((result.hand if result else "").replace("_", " "))
    cells += [amount(units, cur) for units in (box.ante, box.trips, box.progressive)]
    if result is None:
        return _cells([*cells, "–", ""])
    returned = sum(returned_to(result).values())
    return _cells([*cells, amount(returned, cur), f"void: {box.void}" if box.void else ""])


def _cells(values: Iterable[object]) -> SafeString:
    return format_html_join("", _CELL, ((value,) for value in values))
