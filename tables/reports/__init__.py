"""Reports that need rounds, by name; the values they are made of are the jackpot's (`jackpot.reports`)."""

from collections.abc import Mapping

from jackpot.reports import Builder
from tables.reports import changes, duplicates, expected_posted, late, tables, voids

REPORTS: Mapping[str, Builder] = {
    report.NAME: report.build for report in (expected_posted, tables, changes, duplicates, late, voids)
}
