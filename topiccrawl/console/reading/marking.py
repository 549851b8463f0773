"""Terms of a page marked in its text."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from topiccrawl.errors import ConfigurationError
from topiccrawl.store.search import SearchQuery, Snippet, highlighted, marked
from topiccrawl.text.folding import fold
from topiccrawl.topics.load import find_definition

if TYPE_CHECKING:
    from topiccrawl.console.desk import Desk
    from topiccrawl.store.contract import PageRecord

#: A part of a text, and whether it is marked.
Piece = tuple[str, bool]

#: Seconds for which the words of a topic are not read again (a guess: they are edited by hand).
_FRESH_SECONDS: Final = 60.0
#: Words of a topic that are marked, the most important ones (a guess: topics have some 200).
_MOST_WORDS: Final = 400
#: Characters of a title that are shown, as elsewhere (``titled``).
_MOST_TITLE: Final = 200


def terms_of(desk: Desk, page: PageRecord, query: str = "") -> list[str]:
    """Return the folded terms to mark: those of the user's *query*, else those of the topic."""
    if query.strip():
        return highlighted(SearchQuery.from_text(query))
    folded = {fold(term) for term, _share in page.main_terms} | _topic_words(desk, page.topic)
    return sorted(folded - {""}, key=lambda it: (-len(it), it))


def _topic_words(desk: Desk, topic: str) -> set[str]:
    """Return the folded words of a topic; none if the project does not define it."""
    known: dict[str, tuple[float, set[str]]] = desk.shared("topic words", dict)
    now = time.monotonic()
    if topic not in known or now - known[topic][0] > _FRESH_SECONDS:
        try:
            keywords = find_definition(topic).keywords
        except (ConfigurationError, OSError):
            keywords = ()
        words = sorted(keywords, key=lambda it: -it.value)[:_MOST_WORDS]
        known[topic] = (now, {fold(it.term) for it in words})
    return known[topic][1]


def paragraphs(text: str, terms: Sequence[str]) -> list[list[Piece]]:
    """Return the paragraphs of *text* as pieces."""
    return [pieces(marked(line, terms)) for line in text.split("\n") if line.strip()]


def pieces(snippet: Snippet) -> list[Piece]:
    """Return the text of *snippet* in pieces, marked and not."""
    return list(_pieces(snippet))


def title_pieces(snippet: Snippet) -> list[Piece]:
    """Return a title in pieces, cut."""
    found: list[Piece] = []
    left = _MOST_TITLE
    for text, is_marked in _pieces(snippet):
        found.append((text[:left] if len(text) <= left else f"{text[:left]}…", is_marked))
        left -= len(text)
        if left <= 0:
            break
    return found


def _pieces(snippet: Snippet) -> Iterable[Piece]:
    at = 0
    for start, end in snippet.marks:
        if start > at:
            yield snippet.text[at:start], False
        yield snippet.text[start:end], True
        at = end
    if at < len(snippet.text):
        yield snippet.text[at:], False
