"""The parts of an evidence pack that show the round: its facts, boxes, settlements, and what happened in it."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from jackpot.http.pdf.paper import GREY, Paper
from jackpot.http.pdf.tables import Cell, Column, table
from tables.domain.cards import in_symbols
from tables.http.drawn_cards import Cards
from tables.http.evidence_documents import Document

_SMALL = 0.6
_MOST_IN_A_CELL = 5


def time(at: str | None) -> str:
    """An instant as people read it, in UTC: "2026-11-29 14:24:10 UTC"."""
    return "–" if at is None else at.replace("T", " ").replace("Z", " UTC")


def words(name: object) -> str:
    return "–" if name in (None, "") else str(name).replace("_", " ")


def facts(paper: Paper, pack: Document) -> None:
    rnd = pack["round"]
    void = f"{words(rnd['void']['reason'])} {rnd['void']['note']}" if rnd["void"] else "no"
    paper.pairs(
        [
            ("Phase", rnd["phase"]),
            ("Sent by", rnd["integrator"]),
            ("External id", rnd["external_id"] or "–"),
            ("Mode", rnd["mode"]),
            ("Started", time(rnd["started_at"])),
            ("Betting closed", time(rnd["locked_at"])),
            ("Completed", time(rnd["completed_at"])),
            ("Settled", time(rnd["settled_at"])),
            ("Gaming day", f"{rnd['gaming_day']}{', late: its own day took nothing more' if rnd['late'] else ''}"),
            ("Rule set", rnd["rule_set"] or "–"),
            ("Policy", rnd["jackpot_policy"] or "–"),
            ("Void", void),
            ("Problem", "none" if rnd["problem"] is None else str(rnd["problem"])),
        ]
    )


def boxes(paper: Paper, pack: Document) -> None:
    """A row a box: who, the cards, the decision, and every bet."""
    _boxes(paper, pack["round"])


def _boxes(paper: Paper, facts: Document) -> None:
    columns = [Column("Box", right=True), Column("Player"), Column("Cards"), Column("Decision"),
               *(Column(bet, right=True) for bet in ("Ante", "Blind", "Play", "Trips", "Progressive")),
               Column("Void")]  # fmt: skip
    shared = facts.get("player_cards")
    rows: list[list[Cell]] = []
    for box in facts["boxes"]:
        cards = shared or box["cards"]
        drawn: Cell = Cards(cards, _SMALL) if cards and len(cards) <= _MOST_IN_A_CELL else symbols(cards)
        void = f"{words(box['void']['reason'])} {box['void']['note']}" if box["void"] else ""
        bets = [box[bet] for bet in ("ante", "blind", "play", "trips", "progressive")]
        rows.append([str(box["box"]), box["player"], drawn, _decision(box["decision"]), *bets, void])
    table(paper, columns, rows, size=7.5)
    if shared:
        paper.gap(3)
        paper.text("All boxes play the one hand of the player.", size=8, color=GREY)


def symbols(cards: list[str] | None) -> str:
    return " ".join(map(in_symbols, cards or ()))


def _decision(made: Document | None) -> str:
    if made is None:
        return "none"
    times = f" {made['multiplier']}×" if made["multiplier"] else ""
    return f"{made['action']}{times} {made['street']}{' (automatic)' if made['automatic'] else ''}"


def settlements(paper: Paper, pack: Document) -> None:
    """Every version, the one in force last; a row a bet, and one for each Envy that a box got."""
    for version in pack["settlements"]:
        standing = "in force" if version["in_force"] else "replaced by a later version"
        paper.caption(f"Version {version.get('version', 1)}, {standing}")
        if not version["in_force"]:
            board = [*(version["facts"]["flop"] or ()), version["facts"]["turn"], version["facts"]["river"]]
            paper.text(f"Board then: {symbols([card for card in board if card])}", size=8.5)
            _boxes(paper, version["facts"])
            paper.gap(3)
        dealer = version.get("dealer")
        if dealer:
            opens = "qualifies" if dealer["qualifies"] else "does not qualify"
            paper.text(f"Dealer: {words(dealer['hand'])} ({symbols(dealer['best'])}), {opens}", size=8.5)
        _results(paper, version)
        totals = version.get("totals")
        if totals:
            paper.gap(3)
            said = f"Staked {totals['staked']}, returned {totals['returned']}, of which Envy {totals['envy']}"
            paper.text(said, size=8.5)
        paper.gap(6)


def _results(paper: Paper, version: Document) -> None:
    columns = [Column("Box", right=True), Column("Player"), Column("Hand"), Column("Bet"), Column("Stake", right=True),
               Column("Outcome"), Column("Returned", right=True), Column("Net", right=True),
               Column("Paid by")]  # fmt: skip
    rows: list[list[str]] = []
    strong = set()
    for box in version.get("boxes", ()):
        for wager in box["wagers"]:
            hand = box["progressive_hand"] if wager["kind"] == "progressive" else box["hand"]
            paid = words(wager.get("basis") or "") if wager.get("basis") else ""
            capped = "payout limit" if wager.get("capped") else ""
            rows.append([str(box["box"]), box["player"], words(hand), wager["kind"], wager["stake"], wager["outcome"],
                         wager["returned"], wager["net"], paid or capped])  # fmt: skip
        rows += [[str(box["box"]), box["player"], words(envy["hand"]), "envy", "", f"box {envy['from_box']}",
                  envy["amount"], envy["amount"], "envy table"] for envy in box["envy"]]  # fmt: skip
        strong.add(len(rows))
        rows.append([str(box["box"]), "", "", "all", box["staked"], "", box["returned"], box["net"], ""])
    table(paper, columns, rows, size=7, strong=frozenset(strong))


def timeline(paper: Paper, pack: Document) -> None:
    """What the round, the books and people did, by the time at which it happened; what was known only later stands
    where it was posted.
    """
    happened = sorted([*_of_round(pack["round"]), *_of_books(pack)], key=lambda one: datetime.fromisoformat(one[0]))
    columns = [Column("At (UTC)"), Column("What"), Column("Which")]
    table(paper, columns, [[time(at).replace(" UTC", ""), what, which] for at, what, which in happened], size=7)


def _of_round(rnd: Document) -> Iterator[tuple[str, str, str]]:
    times = (("started_at", "round started"), ("locked_at", "betting closed"), ("completed_at", "round complete"))
    for name, what in times:
        if rnd[name]:
            yield rnd[name], what, ""
    for event in rnd["events"]:
        yield event["at"], f"event: {words(event['kind'])}", _said(event["data"])


def _of_books(pack: Document) -> Iterator[tuple[str, str, str]]:
    for entry in pack["entries"]:
        if entry["kind"] not in ("award_move", "award_paid", "award_returned"):
            yield entry["posted_at"], f"posted: {words(entry['kind'])}", f"entry {entry['entry']}, {entry['source']}"
    for award in pack["awards"]:
        for move in award["moves"]:
            what = f"{award['kind']} of box {award['box']}: {move['before']} → {move['after']}"
            yield move["at"], f"award: {move['move']} by {move['by']}", f"{what}. {move['note'] or ''}".strip()


def _said(data: Any) -> str:
    """What an event says, without its braces."""
    if isinstance(data, dict):
        return ", ".join(f"{words(name)} {_said(value)}" for name, value in data.items() if value is not None)
    if isinstance(data, list):
        return "; ".join(map(_said, data))
    return str(data)
