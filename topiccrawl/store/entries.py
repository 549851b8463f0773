"""Entries of the search index: what is entered of a page, as words that every tokenizer keeps."""

from __future__ import annotations

from typing import Final, NamedTuple

from topiccrawl.text.folding import fold, marks, spaced

#: Version of the entries, which changes with everything that changes what is entered.
VERSION: Final = 1


class Entry(NamedTuple):
    """What the index has of a page, in the order of its columns."""

    title: str
    """Folded characters with spaces between them."""
    body: str
    marks: str
    """Each character of punctuation once."""


def entry_of(title: str, body: str) -> Entry:
    """Return the entry of a page."""
    return Entry(spaced(fold(title)), spaced(fold(body)), spaced(marks(title + body)))
