"""The hand of an award, drawn as cards on its page: the jackpot keeps the facts of a round and never reads them."""

from django.utils.html import format_html
from django.utils.safestring import SafeString

from jackpot import services as jackpot
from jackpot.admin.steps import page_of
from jackpot.selectors import awards
from tables.admin.rounds import drawn

_HAND = (
    '<dl class="console-facts"><div><dt>Cards of box {}</dt><dd>{}</dd></div><div><dt>Flop</dt><dd>{}</dd></div></dl>'
)


def hand(award: jackpot.Award) -> SafeString:
    """The two cards and the flop that made a hit, as they were when it was settled; of an Envy those of its hit."""
    facts = awards.frozen(award)
    box = award.hit.box if award.hit else award.box
    if facts is None:
        return SafeString("")
    cards = facts["player_cards"] or next((one["cards"] for one in facts["boxes"] if one["box"] == box), None)
    return format_html(_HAND, box, drawn("".join(cards or ())), drawn("".join(facts["flop"] or ())))


page_of(jackpot.Award).drawn = hand
