"""Whole rounds as they are sent, read strictly into `Reported`; money in the currency of the round's table."""

from collections.abc import Iterable, Mapping

from jackpot.http.reading import ObjectReader, Reader, anything, each, reading
from jackpot.http.values import integer, money, text, time
from jackpot.money import Currency
from tables.api.reading_parts import STAND_IN, Void, card, cards, decision, void, void_reason
from tables.domain.facts import AUTOMATIC_FOLD, BoxFacts, Reported, RoundFacts
from tables.domain.rules import MAX_BOX_NUMBER
from tables.http.texts import player

MOST_ROUNDS = 1_000
LONGEST_EXTERNAL_ID = 100

external_id: Reader[str] = text(LONGEST_EXTERNAL_ID)
_number = integer()


def batch(body: object) -> list[object]:
    """The rounds of a batch, each still as it was sent: what is wrong with one spoils no other."""
    with reading(body) as sent:
        return sent.required("rounds", each(anything, most=MOST_ROUNDS))


def tables_named(bodies: Iterable[object]) -> set[str]:
    """The table codes in these bodies, as far as there are any."""
    named = (body.get("table") for body in bodies if isinstance(body, dict))
    return {code for code in named if isinstance(code, str)}


def whole_round(body: object, currencies: Mapping[str, Currency]) -> Reported:
    """One whole round. At a table that is not in `currencies` only the shape of amounts is held against it.

    Raises Refused with everything that is wrong with the body.
    """
    (code,) = tables_named([body]) or ("",)
    with reading(body) as sent:
        table = sent.required("table", text(32))
        identity = sent.required("external_id", external_id)
        started_at = sent.required("started_at", time)
        locked_at = sent.optional("locked_at", time)
        completed_at = sent.required("completed_at", time)
        voided = sent.optional("void", void)
        facts = _facts(sent, currencies.get(code, STAND_IN), voided)
    return Reported(table, identity, started_at, locked_at, completed_at, facts, voided.note if voided else "")


def _facts(sent: ObjectReader, currency: Currency, voided: Void | None) -> RoundFacts:
    boxes = sent.required("boxes", each(_box_in(currency), most=MAX_BOX_NUMBER))
    return RoundFacts(
        boxes=tuple(boxes or ()),
        flop=sent.optional("flop", cards),
        turn=sent.optional("turn", card),
        river=sent.optional("river", card),
        dealer=sent.optional("dealer", cards),
        player_cards=sent.optional("player_cards", cards),
        void=voided.reason if voided else None,
    )


def _box_in(currency: Currency) -> Reader[BoxFacts]:
    amount = money(currency)

    def read(value: object) -> BoxFacts:
        with reading(value) as sent:
            box = BoxFacts(
                box=sent.required("box", _number),
                player=sent.required("player", player),
                ante=sent.required("ante", amount),
                trips=sent.optional("trips", amount, 0),
                progressive=sent.optional("progressive", amount, 0),
                cards=sent.optional("cards", cards),
                decision=sent.optional("decision", decision, AUTOMATIC_FOLD),
                void=sent.optional("void", void_reason),
            )
            blind = sent.optional("blind", amount, box.ante)
            if blind is not None and box.ante is not None and blind != box.ante:
                sent.fault("blind_mismatch", "the Blind equals the Ante", "blind")
        return box

    return read
