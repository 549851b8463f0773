"""Links as rows: the columns whose content SQLite itself never reads.

Evidence and request are JSON, which is readable and cannot carry code.  Texts are bytes: lone
surrogates occur in URLs on the Web, and SQLite's own texts refuse them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from topiccrawl.frontier.contract import QueuedLink
from topiccrawl.frontier.records import UnreadableRecordError, decoded, read_evidence, read_link
from topiccrawl.scoring.evidence import LinkEvidence

_ERRORS: Final = "surrogatepass"
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
#: The largest integer of SQLite.
_LARGEST: Final = 2**63 - 1

#: Columns of ``links`` that :func:`unpacked_evidence` reads.
EVIDENCE: Final = "depth, why"
#: Columns of ``links`` that :func:`unpacked_link` reads.
LINK: Final = f"url, request, {EVIDENCE}"


def as_bytes(text: str) -> bytes:
    """Return *text* in the form stored in the file."""
    return text.encode("utf-8", _ERRORS)


def as_text(data: bytes) -> str:
    """Undo :func:`as_bytes`."""
    return data.decode("utf-8", _ERRORS)


def packed_evidence(evidence: LinkEvidence) -> bytes:
    """Return the evidence without score and depth, for the column ``why``."""
    return as_bytes(_encode(evidence.reasons))


def packed_depth(evidence: LinkEvidence) -> int:
    """Return the depth, limited to what SQLite can store."""
    return max(-_LARGEST, min(evidence.depth, _LARGEST))


def packed_request(request: Mapping[str, Any]) -> bytes | None:
    """Return the request; ``None`` for the most common one, which is empty."""
    return as_bytes(_encode(request)) if request else None


def unpacked_evidence(score: float, depth: int, why: bytes) -> LinkEvidence:
    """Read the columns ``EVIDENCE``; raise :class:`UnreadableRecordError` if they are damaged."""
    return read_evidence(score, depth, decoded(why))


def unpacked_link(
    host: str, score: float, url: bytes, request: bytes | None, depth: int, why: bytes
) -> QueuedLink:
    """Read the columns ``LINK``; raise :class:`UnreadableRecordError` if they are damaged."""
    data = {} if request is None else decoded(request)
    return read_link(_text(url), host, unpacked_evidence(score, depth, why), data)


def _text(data: object) -> str:
    try:
        return as_text(data)  # type: ignore[arg-type]
    except (ValueError, AttributeError) as error:
        raise UnreadableRecordError(f"no text: {error}") from error
