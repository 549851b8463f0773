"""What is read from a document, and why one cannot be read."""

from __future__ import annotations

import unicodedata
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any, Final, Literal, Self, TypeAlias

#: Most characters of a document; what follows is left out (a guess: a thick book).
MAX_CHARACTERS: Final = 2_000_000

#: Most pages of a document that are read (a guess: yearbooks have 1,000).
MAX_PAGES: Final = 3_000

#: Share of characters without a meaning from which a text is unusable (a guess).
MOST_UNKNOWN: Final = 0.3

#: Why a document has no text, or not all of it.
Reason: TypeAlias = Literal[
    "",
    "encrypted",
    "no-text-layer",
    "unknown-characters",
    "damaged",
    "too-large",
    "timed-out",
    "crashed",
    "unsupported",
    "empty",
    "no-reader",
]


class UnreadableDocumentError(Exception):
    """A document that cannot be read; *reason* is one of :data:`Reason`."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(detail or reason)
        self.reason = reason
        self.detail = detail


@dataclass(slots=True)
class DocumentText:
    """Text and metadata of a document.

    With a reason and text, the text is a part: the document is damaged or too large.
    """

    kind: str = ""
    """Format: ``pdf``, ``docx`` … (:data:`topiccrawl.documents.formats.FORMATS`); empty if unknown."""
    title: str = ""
    """As the layout or the styles show it, empty if they do not."""
    stated_title: str = ""
    """As the metadata state it; often that of a template."""
    author: str = ""
    created: datetime | None = None
    modified: datetime | None = None
    lines: list[str] = field(default_factory=list)
    """Paragraphs in reading order; a row of a table is one, its cells separated by tabs."""
    pages: int = 0
    """Pages, sheets or slides; 0 if the format has none."""
    reason: Reason = ""
    detail: str = ""
    """More about the reason, e.g. the message of a library."""

    @property
    def text(self) -> str:
        """The paragraphs, one line each."""
        return "\n".join(self.lines)

    def mark_damaged(self, nothing: str, detail: str = "") -> None:
        """Note that a part cannot be read; raise for a document without lines, with the detail *nothing*."""
        if not self.lines:
            raise UnreadableDocumentError("damaged", nothing)
        self.reason, self.detail = "damaged", detail or self.detail

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as JSON values."""
        times = {"created": self.created, "modified": self.modified}
        return asdict(self) | {k: v and v.isoformat() for k, v in times.items()}

    @classmethod
    def from_dict(cls, fields: dict[str, Any]) -> Self:
        """Return the text of :meth:`as_dict`."""
        times = {name: fields[name] for name in ("created", "modified")}
        return cls(**(fields | {k: v and datetime.fromisoformat(v) for k, v in times.items()}))


def unknown_share(text: str) -> float:
    """Share of characters that have no meaning: private use, unassigned, replacement characters."""
    plain = [c for c in text if not c.isspace()]
    bad = sum(1 for c in plain if c == "\ufffd" or unicodedata.category(c) in ("Co", "Cn", "Cc"))
    return bad / len(plain) if plain else 0.0


def clean_lines(text: str) -> list[str]:
    """Return the lines of *text* without control characters, outer white space and empty lines."""
    lines = (line.translate(_CONTROLS).strip() for line in text[:MAX_CHARACTERS].splitlines())
    return [line for line in lines if line]


#: Characters that are not text: controls, marks of direction, surrogates that libraries leave behind.
_CONTROLS: Final = {
    **dict.fromkeys([*range(0x09), *range(0x0E, 0x20), *range(0x7F, 0xA0)]),
    **dict.fromkeys([0xFEFF, 0xFFFE, 0xFFFF, 0x200B, 0x200E, 0x200F, *range(0x202A, 0x202F)]),
    **dict.fromkeys(range(0xD800, 0xE000), "\ufffd"),
    0xA0: " ",
}
