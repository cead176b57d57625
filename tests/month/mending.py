"""Rounds whose facts turn out to have been wrong: corrected days later, to other facts or to a void."""

import random
from datetime import timedelta

from jackpot.models.awards import Award
from tables.api.reading_rounds import whole_round
from tables.models.rounds import Round
from tests.factories import person
from tests.factories.corrections import approve_correction, ask_correction
from tests.factories.shuffle import HITS, Shuffle
from tests.month.clock import Clock
from tests.month.dealing import without_progressive
from tests.month.house import Floor

KINDS = (*HITS, "plain", "plain", "void_round", "void_box")


class Mender:
    """Corrects a few settled rounds of the last days. eve asks: she decides on no award, since who says how a round
    was does not approve what it won.
    """

    def __init__(self, floor: Floor, clock: Clock, seed: int) -> None:
        self._floor, self._clock, self._draw = floor, clock, random.Random(seed)
        self._shuffle = Shuffle(seed, list(floor.tables))
        self.corrected = 0

    def work(self, *, at_most: int = 2) -> None:
        """Some at random, and one in which a hit is owed: it is withdrawn where it was none."""
        since = self._clock.now - timedelta(days=4)
        settled = Round.objects.filter(version__gt=0, locked_at__isnull=False, started_at__gte=since)
        found = list(settled.select_related("table").order_by("id"))
        owed = set(Award.objects.filter(state="pending", kind="hit").values_list("source_ref", flat=True))
        hits = [rnd for rnd in found if rnd.id in owed]
        chosen = self._draw.sample(found, min(at_most, len(found))) + self._draw.sample(hits, min(1, len(hits)))
        for rnd in dict.fromkeys(chosen):
            body = self._shuffle.round(self._draw.choice(KINDS)) | {"table": rnd.table.code}
            if not any(rnd.boxes.values_list("progressive", flat=True)):
                without_progressive(body["boxes"])
            facts = whole_round(body, {rnd.table.code: self._floor.tables[rnd.table.code]})
            asked = ask_correction(rnd.id, facts, by=person("eve"), at=self._clock.tick())
            approve_correction(asked, at=self._clock.tick())
            self.corrected += 1
