"""Parts of rounds that belong to no round: without the guards nothing keeps somebody from putting them there."""

from collections.abc import Iterator

from django.db.models import Exists, OuterRef

from tables.models.rounds import Box, BoxResult, Round, Superseded


def orphans() -> Iterator[tuple[str, str]]:
    """Boxes of no round and results of no box, as (what, where). The boxes of a version that was replaced stand in its
    record.
    """
    rounds = Round.objects.filter(pk=OuterRef("round_id"))
    for round_id, box in Box.objects.filter(~Exists(rounds)).values_list("round_id", "box").iterator():
        yield "box", f"box {box} of round {round_id}"
    boxes = Box.objects.filter(round_id=OuterRef("round_id"), box=OuterRef("box"))
    results = BoxResult.objects.filter(~Exists(boxes)).values_list("round_id", "version", "box")
    for round_id, version, box in results.iterator():
        kept = Superseded.objects.filter(round_id=round_id, version=version, document__boxes__contains=[{"box": box}])
        if kept.exists():
            continue
        yield "result", f"round {round_id}, version {version}, box {box}"
