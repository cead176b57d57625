"""The hand of an award, drawn as cards on its page: the jackpot keeps the facts of a round and never reads them."""

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from jackpot import services as jackpot
from jackpot.admin.steps import page_of
from jackpot.selectors import awards
from tables.admin.drawn import drawn


def hand(award: jackpot.Award) -> SafeString:
    """The two cards and the flop that made a hit, as they were when it was settled; of an Envy those of its hit."""
    facts = awards.frozen(award)
    if facts is None:
        return SafeString("")
    box = award.hit.box if award.hit else award.box
    cards = facts["player_cards"] or next((one["cards"] for one in facts["boxes"] if one["box"] == box), None)
    shown = {"box": box, "cards": drawn("".join(cards or ())), "flop": drawn("".join(facts["flop"] or ()))}
    return render_to_string("tables/hand.html", shown)


page_of(jackpot.Award).drawn = hand
