"""The auditor's pack as one ZIP: files as they are had one by one, and the SHA-256 of each."""

from collections.abc import Iterator
from hashlib import sha256
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from jackpot.http.reports.csv_files import csv_file
from jackpot.http.reports.renderers import file_name
from jackpot.http.reports.xlsx_files import xlsx_file
from tables.http import packs
from tables.http.daily_pdf import daily_pdf
from tables.reports.auditors_pack import AuditorsPack

MEDIA_TYPE = "application/zip"
SUMS = "SHA256SUMS"


def auditors_zip(pack: AuditorsPack) -> bytes:
    """The file. Its sums are in the form that `sha256sum --check` reads."""
    made = BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED) as archive:
        sums = []
        for name, content in _files(pack):
            _add(archive, pack, name, content)
            sums.append(f"{sha256(content).hexdigest()}  {name}")
        _add(archive, pack, SUMS, "\n".join([*sums, ""]).encode())
    return made.getvalue()


def zip_name(pack: AuditorsPack) -> str:
    """`auditor_SITE_2026-11-29.zip`."""
    return f"auditor_{pack.daily.site.code}_{pack.daily.day.isoformat()}.zip"


def _files(pack: AuditorsPack) -> Iterator[tuple[str, bytes]]:
    yield packs.daily_name(pack.daily), daily_pdf(pack.daily)
    for report in pack.daily.reports:
        yield f"reports/{file_name(report, 'csv')}", csv_file(report)
        yield f"reports/{file_name(report, 'xlsx')}", xlsx_file(report)
    for evidence in pack.evidence:
        for extension, write in packs.EVIDENCE.items():
            yield f"evidence/{packs.evidence_name(evidence, extension)}", write(evidence)
    heads = list(pack.heads)
    if pack.closed is not None:
        yield f"closing_{pack.daily.site.code}_{pack.daily.day.isoformat()}.json", pack.closed.record.record()
        heads.insert(0, pack.closed.head)
    yield "heads.txt", "\n".join([*dict.fromkeys(heads), ""]).encode()


def _add(archive: ZipFile, pack: AuditorsPack, name: str, content: bytes) -> None:
    entry = ZipInfo(name, pack.daily.made_at.timetuple()[:6])
    entry.compress_type, entry.external_attr = ZIP_DEFLATED, 0o644 << 16
    archive.writestr(entry, content)
