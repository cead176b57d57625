"""What the console shows of a correction that was asked for: facts, figures, and what becomes of the round's awards."""

from uuid import UUID

from jackpot import services as jackpot
from jackpot.admin.base import words
from jackpot.domain.errors import Refused, refuse
from tables.admin.change_tables import Shown, Table, Tabled, trouble_of
from tables.admin.correction_facts import correction_facts, correction_figures
from tables.domain import corrections as records
from tables.selectors import rounds
from tables.services import corrections, previews


def shown(request: jackpot.ChangeRequest, decision: jackpot.ChangeDecision | None) -> Shown:
    """The facts that were asked for; while it waits the figures that would change, then what became of awards."""
    facts = correction_facts(request)
    if decision is not None:
        return Shown([facts, *_awards(decision)])
    try:
        return Shown([facts, _figures(request)])
    except Refused as refused:
        return Shown([facts], trouble_of(refused))


def _figures(request: jackpot.ChangeRequest) -> Tabled:
    """As an approval would change them now. Raises Refused with what stands in its way."""
    round_id = UUID(request.subject.partition(":")[2])
    rnd = rounds.of_id(round_id)
    if rnd.version != request.document["version"]:
        raise refuse("illegal_move", "the round was corrected since this was asked; ask for what is wrong now")
    currency = rnd.table.currency
    corrected = records.read(request.document, currency)
    wanted = corrections.wanted_of(round_id=round_id, corrected=corrected)
    return correction_figures(previews.preview(wanted), currency)


def _awards(decision: jackpot.ChangeDecision) -> list[Table]:
    """What became of the awards that there were, and which ones came."""
    before, after = decision.before or {}, decision.after or {}
    became = {one["award"]: one for one in after.get("awards", ())}
    rows = [
        (str(one["box"]), one["player"], words(one["hand"]), one["amount"], one["state"],
         became[one["award"]]["became"], became[one["award"]]["mispaid"])
        for one in before.get("awards", ())
    ]  # fmt: skip
    opened = [
        (str(one["box"]), one["player"], words(one["hand"]), one["amount"], "yes" if one["difference_of"] else "no")
        for one in after.get("opened", ())
    ]
    columns = ("Box", "Player", "Hand", "Amount", "State before", "Became", "Mispaid")
    added = ("Box", "Player", "Hand", "Amount", "Adds to a paid one")
    found = [Table("Awards that there were", columns, rows, (0, 3, 6)), Table("New awards", added, opened, (0, 3))]
    return [table for table in found if table.rows]
