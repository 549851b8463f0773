"""Terms of a page marked in its text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from topiccrawl.store.search import SearchQuery, highlighted, marked
from topiccrawl.text.folding import fold

if TYPE_CHECKING:
    from topiccrawl.store.contract import PageRecord
    from topiccrawl.store.search import Snippet

__all__ = ["Piece", "paragraphs", "pieces", "terms_of"]

#: A part of a text, and whether it is marked.
Piece = tuple[str, bool]


def terms_of(page: PageRecord, query: str = "") -> list[str]:
    """Return the folded terms to mark: those of the user's *query*, else those that decided."""
    if query.strip():
        return highlighted(SearchQuery.from_text(query))
    folded = {fold(term) for term, _share in page.main_terms}
    return sorted(folded - {""}, key=lambda it: (-len(it), it))


def paragraphs(text: str, terms: Sequence[str]) -> list[list[Piece]]:
    """Return the paragraphs of *text* as pieces."""
    return [pieces(marked(line, terms)) for line in text.split("\n") if line.strip()]


def pieces(snippet: Snippet) -> list[Piece]:
    """Return the text of *snippet* in pieces, marked and not."""
    return list(_pieces(snippet))


def _pieces(snippet: Snippet) -> Iterable[Piece]:
    at = 0
    for start, end in snippet.marks:
        if start > at:
            yield snippet.text[at:start], False
        yield snippet.text[start:end], True
        at = end
    if at < len(snippet.text):
        yield snippet.text[at:], False
