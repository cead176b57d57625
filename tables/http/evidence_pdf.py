"""An evidence pack as a PDF: what its JSON document says, set for people who decide a dispute."""

from typing import Any

from jackpot.http.pdf.paper import ALARM, GREY, Paper, Running
from jackpot.http.pdf.tables import Column, table
from tables.http import evidence_books, evidence_round
from tables.http.drawn_cards import Cards
from tables.http.evidence_documents import Document

_BIG = 20.0


def evidence_pdf(pack: Document) -> bytes:
    """The file, drawn from the document of `evidence_documents`; the same document gives the same bytes."""
    award = pack["award"]
    running = Running(
        left=f"Evidence of award {award['id']}",
        right=f"{award['jackpot']} · {pack['round']['game_number']}",
        foot=f"Made at {pack['made_at']} by {pack['made_by']}",
    )
    paper = Paper(running, title=f"Evidence of award {award['id']}")
    _cover(paper, pack)
    for title, draw in _SECTIONS:
        paper.heading(title)
        paper.mark(title)
        draw(paper, pack)
    return paper.finish()


def _cover(paper: Paper, pack: Document) -> None:
    award, rnd = pack["award"], pack["round"]
    paper.text("Evidence pack", size=9, color=GREY)
    paper.heading(f"{_words(award['hand'])} · {award['amount']} {award['currency']}", size=_BIG)
    if rnd["mode"] == "test":
        paper.text("This is a test: a round of a sandbox site.", color=ALARM)
    if award["id"] != pack["asked_for"]:
        paper.text(f"Asked for by the Envy {pack['asked_for']}; an Envy is proved by its hit.", color=GREY)
    paper.gap(4)
    paper.pairs(
        [
            ("Player", f"{award['player']} (box {award['box']})"),
            ("Table and site", f"{rnd['table']} · {rnd['site']} ({rnd['site_name']}), {rnd['timezone']}"),
            ("Game number", rnd["game_number"]),
            ("Hit at", f"{_time(award['hit_at'])}{', a late hit' if award['late'] else ''}"),
            ("Jackpot and level", f"{award['jackpot']} · {award['level']}"),
            ("State", award["state"] + (f", version {rnd['version']} of the settlement in force")),
            ("Award", award["id"]),
            ("Round", rnd["id"]),
        ]
    )
    paper.gap(6)
    seven = [("Player", _pair_of(pack)), ("Flop", rnd["flop"]), ("Turn", _one(rnd["turn"])),
             ("River", _one(rnd["river"])), ("Dealer", rnd["dealer"])]  # fmt: skip
    _cards_in_a_row(paper, [(name, cards) for name, cards in seven if cards])
    paper.gap(8)
    findings = _findings(pack)
    table(paper, [Column("Looked at when this pack was made"), Column("Found")], findings, size=8.5,
          strong=frozenset(n for n, (_, found) in enumerate(findings) if found not in _GOOD))  # fmt: skip


_GOOD = {"yes", "no difference"}


def _findings(pack: Document) -> list[tuple[str, str]]:
    """What a reader wants to know first; each is shown in full further down."""
    facts, links = pack["facts"], pack["chain"]["links"]
    off = pack["performed_again"]["difference"]
    broken = [str(link["link"]) for link in links if not link["holds"]]
    kept = "not kept" if facts is None else ("yes" if facts["agrees"] else "NO")
    same = "no difference" if _zero(off) else f"DIFFERENCE {off}"
    hold = f"NO: {', '.join(broken)}" if broken else "yes"
    return [
        ("Round settled again from its facts comes to what was posted", same),
        ("Facts kept with the hit have the digest that its entry was sealed with", kept),
        ("Links of the chain that seal it have the digests of their rows", hold),
    ]


def _zero(amount: str) -> bool:
    return not amount.strip("-0.")


def _cards_in_a_row(paper: Paper, runs: list[tuple[str, list[str]]]) -> None:
    """Runs of cards side by side under their names; on to the next line where there is no room."""
    paper.need(50)
    x = paper.left
    top = paper.y
    for name, cards in runs:
        drawn = Cards(cards)
        if x + drawn.width > paper.left + paper.width:
            x, top = paper.left, top - 44
        paper.put(x, top - 9, name, size=8, color=GREY)
        drawn.draw(paper.canvas, x, top - 38)
        x += max(drawn.width, 30) + 14
    paper.y = top - 42


def _pair_of(pack: Document) -> list[str] | None:
    rnd = pack["round"]
    found = next((box["cards"] for box in rnd["boxes"] if box["box"] == pack["award"]["box"]), None)
    pair: list[str] | None = rnd.get("player_cards") or found
    return pair


def _one(card: str | None) -> list[str] | None:
    return [card] if card else None


def _words(name: Any) -> str:
    return str(name).replace("_", " ").capitalize()


def _time(at: str | None) -> str:
    return evidence_round.time(at)


_SECTIONS = (
    ("Round", evidence_round.facts),
    ("Boxes", evidence_round.boxes),
    ("Settlement", evidence_round.settlements),
    ("What happened, in order", evidence_round.timeline),
    ("Award, approvals and Envy", evidence_books.awards),
    ("Corrections", evidence_books.changes),
    ("Statement rows around it", evidence_books.statement),
    ("Entries in the ledger", evidence_books.entries),
    ("Performed again: expected v. posted", evidence_books.performed),
    ("Facts kept with the hit", evidence_books.facts),
    ("Rules and policy it was settled by", evidence_books.versions),
    ("Seals", evidence_books.chain),
)
