"""Packs as files: their formats, media types and names."""

import json
from collections.abc import Callable, Mapping

from tables.http.evidence_documents import evidence_document
from tables.http.evidence_pdf import evidence_pdf
from tables.reports.daily_pack import DailyPack
from tables.reports.evidence import Evidence

MEDIA_TYPES = {"json": "application/json", "pdf": "application/pdf"}


def evidence_as_json(pack: Evidence) -> bytes:
    """Indented, in the order of docs/reports.md, UTF-8."""
    return (json.dumps(evidence_document(pack), ensure_ascii=False, indent=2) + "\n").encode()


def evidence_as_pdf(pack: Evidence) -> bytes:
    return evidence_pdf(evidence_document(pack))


EVIDENCE: Mapping[str, Callable[[Evidence], bytes]] = {"json": evidence_as_json, "pdf": evidence_as_pdf}


def evidence_name(pack: Evidence, extension: str) -> str:
    """`evidence_GAME-NUMBER_AWARD.pdf`; both are letters, digits and hyphens."""
    return f"evidence_{pack.round.game_number}_{pack.hit.pk}.{extension}"


def daily_name(pack: DailyPack) -> str:
    """`daily_SITE_2026-11-29.pdf`."""
    return f"daily_{pack.site.code}_{pack.day.isoformat()}.pdf"
