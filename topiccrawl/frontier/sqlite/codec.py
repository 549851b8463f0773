"""Links as rows: what stands in the columns that SQLite itself never looks into.

LinkEvidence and request are JSON, which anybody may read and nobody can hide code in.  Texts are bytes:
lone surrogates occur in URLs of the wild, and SQLite's own texts refuse them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from topiccrawl.frontier.contract import QueuedLink
from topiccrawl.scoring.evidence import LinkEvidence

_ERRORS: Final = "surrogatepass"
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
#: SQLite's integers end there.
_LARGEST: Final = 2**63 - 1

#: Columns of ``links`` that :func:`evidence` reads, and with them those of a whole link.
WHY: Final = "depth, why"
WHOLE: Final = f"url, request, {WHY}"


def as_bytes(text: str) -> bytes:
    """Return text as it stands in the file."""
    return text.encode("utf-8", _ERRORS)


def as_text(data: bytes) -> str:
    """Undo :func:`as_bytes`."""
    return data.decode("utf-8", _ERRORS)


def packed_why(evidence: LinkEvidence) -> bytes:
    """Return the evidence without score and depth."""
    return as_bytes(_encode([evidence.parts, evidence.parent, evidence.anchor]))


def packed_depth(evidence: LinkEvidence) -> int:
    """Return the depth as SQLite can keep it."""
    return max(-_LARGEST, min(evidence.depth, _LARGEST))


def packed_request(request: Mapping[str, Any]) -> bytes | None:
    """Return the request; most have nothing beside their URL."""
    return as_bytes(_encode(request)) if request else None


def evidence(score: float, depth: int, why: bytes) -> LinkEvidence:
    """Read the columns ``WHY``."""
    parts, parent, anchor = json.loads(as_text(why))
    return LinkEvidence(score, parts, parent, anchor, depth)


def whole_link(
    host: str, score: float, url: bytes, request: bytes | None, depth: int, why: bytes
) -> QueuedLink:
    """Read the columns ``WHOLE``."""
    kept = {} if request is None else json.loads(as_text(request))
    return QueuedLink(as_text(url), host, evidence(score, depth, why), kept)
