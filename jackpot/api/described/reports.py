"""Reports; their columns are in docs/reports.md."""

from jackpot.http.calls import Answer, Call
from jackpot.http.reports.renderers import ReportCSV, ReportXLSX
from jackpot.http.schemas import CODE, Schema, listed, one_of, ref, said, shown

NAMES = (
    "roll-forward", "expected-posted", "readings", "tables", "awards", "liabilities", "changes", "duplicates", "late",
    "voids", "by-site",
)  # fmt: skip

_CELL: Schema = {"type": ["string", "integer", "null"]}
_CELLS: Schema = {"type": "object", "additionalProperties": _CELL}

REPORT_SCHEMAS: dict[str, Schema] = {
    "Report": shown(
        {
            "report": one_of(NAMES),
            "filters": said({"type": "object", "additionalProperties": {"type": "string"}}, "What was asked."),
            "made_at": ref("Time"),
            "columns": listed({"type": "string"}, least=1),
            "rows": said(
                listed(_CELLS),
                "Each names its cells by column: amounts, percentages and times as text, counts as numbers.",
            ),
            "totals": said(
                _CELLS | {"required": ["currency"]},
                "The currency, and the total of each column that has one, null over several currencies; beside them"
                " what a total is held against.",
            ),
        }
    ),
}

REPORT_CALLS: dict[str, Call] = {
    "GET /reports/{name}/": Call(
        id="readReport",
        tag="Reports",
        summary="A report",
        says="One report of a gaming day, for a site or a jackpot: give one of the two. A key reads what its own rounds"
        " came to, and of a jackpot what its statement tells everybody. As JSON, or, for who accepts them, as CSV or"
        " XLSX.",
        path={"name": one_of(NAMES) | {"examples": ["tables"]}},
        query={
            "day": ref("Day"),
            "site": said(CODE, "A site of the key."),
            "jackpot": said(CODE, "A jackpot that the key sees."),
        },
        needed=["day"],
        refusals=["missing_field", "invalid_time"],
        answers={
            200: Answer(
                says="The report.",
                schema=ref("Report"),
                media_types={
                    ReportCSV.media_type: {"type": "string"},
                    ReportXLSX.media_type: {"type": "string", "format": "binary"},
                },
                kept=True,
            )
        },
    )
}
