"""Reading the lanes' queues."""

from jackpot.models.lanes import Queued


def lanes_waiting() -> list[int]:
    """Lanes in whose queue something waits, the longest waiting first."""
    first = dict.fromkeys(Queued.objects.order_by("id").values_list("lane_id", flat=True))
    return list(first)


def waits(lane_id: int) -> bool:
    """Whether anything waits in a lane."""
    return Queued.objects.filter(lane_id=lane_id).exists()
