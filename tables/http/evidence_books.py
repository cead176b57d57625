"""The parts of an evidence pack that show the books: awards, statement, entries, the proof, documents and seals."""

import json
from collections.abc import Iterator

from jackpot.http.pdf.paper import ALARM, GREY, Paper
from jackpot.http.pdf.tables import Column, table
from tables.http.evidence_documents import Document
from tables.http.evidence_round import time, words


def awards(paper: Paper, pack: Document) -> None:
    award, approvals = pack["award"], pack["approvals"]
    line, late = pack["pay_table_line"], pack["meter_at_event"]
    paper.pairs(
        [
            ("Amount", f"{award['amount']} {award['currency']}"),
            ("Meter before", award["meter_before"]),
            ("Meter after", award["meter_after"]),
            ("Reset to", award["reset_to"] or "not reset"),
            ("Statement row", f"{award['level']} meter, seq {award['seq']}"),
            *([("Meter at event time", f"{late['after']} (seq {late['seq']})")] if late else []),
            ("Pay-table line", ", ".join(f"{words(k)} {v}" for k, v in sorted(line.items())) if line else "–"),
            ("Policy", award["policy"]),
            ("Approvals needed", f"{approvals['needed']} different members of staff"),
            ("Entered by", ", ".join(approvals["barred"]) or "nobody of the staff"),
            ("Decisions given", str(len(approvals["given"]))),
        ]
    )  # fmt: skip
    paper.gap(6)
    columns = [Column("Kind"), Column("Box", right=True), Column("Player"), Column("Hand"),
               Column("Amount", right=True), Column("State"), Column("From box", right=True),
               Column("Entry", right=True), Column("Award")]  # fmt: skip
    rows = [[one["kind"], str(one["box"]), one["player"], words(one["hand"]), one["amount"], one["state"],
             str(one["from_box"] or ""), str(one["entry"]), one["id"]] for one in pack["awards"]]  # fmt: skip
    paper.caption("Awards of this round")
    table(paper, columns, rows, size=7)
    _moves(paper, pack)


def _moves(paper: Paper, pack: Document) -> None:
    columns = [Column("At (UTC)"), Column("Award"), Column("Move"), Column("From"), Column("To"), Column("By"),
               Column("Decisions", right=True), Column("Note"), Column("Entry", right=True)]  # fmt: skip
    rows = [
        [time(move["at"]).replace(" UTC", ""), f"{one['kind']} box {one['box']}", move["move"], move["before"],
         move["after"], move["by"], str(move["approvals"]), move["note"] or "", str(move["entry"])]
        for one in pack["awards"]
        for move in one["moves"]
    ]  # fmt: skip
    paper.gap(6)
    paper.caption("What was done to them")
    if rows:
        table(paper, columns, rows, size=7)
    else:
        paper.text("Nothing was done to them yet.", size=8.5, color=GREY)


def changes(paper: Paper, pack: Document) -> None:
    """What was asked to be corrected, and what became of it."""
    columns = [Column("Asked at (UTC)"), Column("Kind"), Column("Reason"), Column("Asked by"), Column("Note"),
               Column("Decided"), Column("By"), Column("At (UTC)"), Column("Note")]  # fmt: skip
    rows = []
    for change in pack["changes"]:
        made = change["decided"] or {"decision": "waits", "by": "", "at": None, "note": None}
        rows.append([time(change["asked_at"]), change["kind"], words(change["reason"]), change["asked_by"],
                     change["note"] or "", made["decision"], made["by"], time(made["at"]),
                     made["note"] or ""])  # fmt: skip
    if rows:
        table(paper, columns, rows, size=7)
    else:
        paper.text("Nothing was asked to be corrected.", size=8.5, color=GREY)


def statement(paper: Paper, pack: Document) -> None:
    """Rows of this round in bold, those around them for comparison; a row of dots where the next is not shown."""
    columns = [Column("Seq", right=True), Column("Kind"), Column("Amount", right=True), Column("Before", right=True),
               Column("After", right=True), Column("Entry", right=True), Column("Source"), Column("Posted at (UTC)"),
               Column("Day")]  # fmt: skip
    for pot in pack["statement"]:
        paper.caption(f"{words(pot['level'])} {pot['pot']}; rows of this round in bold")
        rows, strong, last = [], set(), None
        for row in pot["rows"]:
            if last is not None and row["seq"] != last + 1:
                rows.append([f"… {row['seq'] - last - 1} more", *[""] * (len(columns) - 1)])
            if row["own"]:
                strong.add(len(rows))
            rows.append([str(row["seq"]), words(row["kind"]), row["amount"], row["before"], row["after"],
                         str(row["entry"]), row["source"], time(row["posted_at"]).replace(" UTC", ""),
                         row["gaming_day"]])  # fmt: skip
            last = row["seq"]
        table(paper, columns, rows, size=6.5, strong=frozenset(strong))
        paper.gap(8)


def entries(paper: Paper, pack: Document) -> None:
    """Each entry with its legs; debits and credits foot."""
    columns = [Column("Account"), Column("Gaming day"), Column("Debit", right=True), Column("Credit", right=True)]
    for entry in pack["entries"]:
        paper.need(70)
        reverses = f", reverses entry {entry['reverses']}" if entry["reverses"] else ""
        paper.text(f"Entry {entry['entry']}: {words(entry['kind'])}{reverses}", size=9)
        said = [entry["source"], f"happened {time(entry['event_at'])}", f"posted {time(entry['posted_at'])}",
                f"link {entry['link']} of {entry['lane']}", *([f"by {entry['actor']}"] if entry["actor"] else []),
                *([entry["reason"]] if entry["reason"] else [])]  # fmt: skip
        paper.text(" · ".join(said), size=7, color=GREY)
        if entry["facts_sha256"]:
            paper.mono(f"facts sha256 {entry['facts_sha256']}", size=6.5)
        rows = [[leg["account"], leg["gaming_day"], leg["debit"] or "", leg["credit"] or ""] for leg in entry["legs"]]
        if rows:
            table(paper, columns, rows, total=["Total", "", *entry["totals"]], size=7)
        else:
            paper.text("records a move of an award; no money moves", size=8, color=GREY)
        paper.gap(8)


def performed(paper: Paper, pack: Document) -> None:
    """The round settled again from its cards, bets, decisions and versions."""
    found = pack["performed_again"]
    columns = [Column("What"), Column("Expected", right=True), Column("Posted", right=True)]
    rows = [[what, found[f"{name}_expected"], found[f"{name}_posted"]] for what, name in
            (("Contribution to the pots", "contribution"), ("Returned on all bets", "returned"),
             ("Envy", "envy"))]  # fmt: skip
    table(paper, columns, rows, size=8)
    paper.gap(3)
    paper.text(f"Difference, every bet, contribution and Envy by itself: {found['difference']}", size=8.5)


def facts(paper: Paper, pack: Document) -> None:
    kept = pack["facts"]
    if kept is None:
        paper.text("No facts were kept with this hit.", color=ALARM)
        return
    pairs = [("sha256 of the facts", kept["sha256"]), (f"sealed in entry {kept['entry']}", str(kept["entry_sha256"]))]
    paper.pairs([*pairs, ("They agree", "yes" if kept["agrees"] else "NO")], mono=[name for name, _ in pairs])
    paper.gap(4)
    paper.text("Canonical JSON (keys sorted, no blanks, UTF-8), amounts in millionths of the minor unit:", size=8,
               color=GREY)  # fmt: skip
    paper.mono(json.dumps(kept["document"], sort_keys=True, separators=(",", ":"), ensure_ascii=False), size=6.5)


def versions(paper: Paper, pack: Document) -> None:
    for name, version in pack["versions"].items():
        if version is None:
            continue
        paper.need(60)
        paper.text(f"{words(name).capitalize()} {version['version']}", size=9)
        paper.pairs([("In force from", time(version["in_force_at"])), ("sha256", version["sha256"])], size=8,
                    mono=["sha256"])  # fmt: skip
        for line in _pretty(version["document"]):
            paper.mono(line, size=6.5)
        paper.gap(8)


def _pretty(document: object) -> Iterator[str]:
    """A document in lines of one setting each; lists of plain values stay on one line."""
    if not isinstance(document, dict):
        yield json.dumps(document, ensure_ascii=False)
        return
    for key, value in sorted(document.items()):
        if isinstance(value, list) and value and isinstance(value[0], dict):
            yield f"{key}:"
            yield from (f"    {json.dumps(one, sort_keys=True, ensure_ascii=False)}" for one in value)
        else:
            yield f"{key}: {json.dumps(value, sort_keys=True, ensure_ascii=False)}"


def chain(paper: Paper, pack: Document) -> None:
    """The links that seal all of the above, each reckoned again from its rows as they stand now."""
    for link in pack["chain"]["links"]:
        paper.need(60)
        paper.text(f"Link {link['link']} of lane {link['lane']}, posted {time(link['posted_at'])}", size=9)
        sealed = ", ".join(map(str, link["entries"]))
        digests = [("previous", link["previous"]), ("sha256", link["sha256"]),
                   ("reckoned again", link["reckoned_again"])]  # fmt: skip
        holds = "yes" if link["holds"] else "NO: rows were changed after they were sealed"
        paper.pairs([("Seals of this round", f"entries {sealed}"), *digests, ("Holds", holds)], size=8,
                    mono=[name for name, _ in digests])  # fmt: skip
        paper.gap(6)
    for head in pack["chain"]["heads"]:
        paper.text(f"When this pack was made, the chain of {head['lane']} had reached link {head['link']}:", size=8.5)
        paper.mono(head["sha256"])
