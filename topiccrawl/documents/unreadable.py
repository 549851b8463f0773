"""Why no text can be read from a document, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topiccrawl import details

if TYPE_CHECKING:
    from topiccrawl.documents.text import DocumentText


def unreadable_detail(document: DocumentText) -> str:
    """Return why a document has no text, for people."""
    error = document.detail
    if document.reason == "timed-out":
        return details.SLOW_DOCUMENT(seconds=error)
    kinds = {
        "encrypted": details.ENCRYPTED,
        "no-text-layer": details.NO_TEXT_LAYER,
        "unknown-characters": details.UNKNOWN_CHARACTERS,
        "too-large": details.TOO_LARGE_DOCUMENT,
        "crashed": details.CRASHED_DOCUMENT,
        "empty": details.EMPTY_DOCUMENT,
        "no-reader": details.NO_READER,
        "unsupported": details.UNKNOWN_FORMAT,
    }
    return kinds.get(document.reason, details.DAMAGED)(error=error)
