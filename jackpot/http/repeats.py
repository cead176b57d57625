"""How an answer says that it repeats an earlier one."""

REPLAYED_HEADER = "Idempotency-Replayed"


def replay_headers(replayed: bool) -> dict[str, str]:
    """The headers to add to an answer."""
    return {REPLAYED_HEADER: "true"} if replayed else {}
