"""Relevance of a line of results to a topic: of a title and a few words around its query."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from topiccrawl.topics.topic import Topic

__all__ = ["line_relevance"]

#: Relevance of a line with a keyword of value 1 in its title, and in its snippet alone (guesses).
_IN_TITLE: Final = 1.0
_IN_SNIPPET: Final = 0.8
#: Most for a line without a keyword, whose words are the topic's all the same (a guess).
_WORDS: Final = 0.6


def line_relevance(topic: Topic) -> Callable[[str, str], float]:
    """Return the function from title and snippet to a relevance in [0, 1].

    Lines are too short for the relevance of pages, which expects hundreds of terms.  A keyword in the title
    counts most; without any keyword, the page relevance over its threshold does.
    """

    def relevance(title: str, snippet: str) -> float:
        heading, words = topic.analyzer.terms_all([title, snippet])
        best = max(
            _IN_TITLE * topic.keyword_hits(heading).max_rel,
            _IN_SNIPPET * topic.keyword_hits(words).max_rel,
        )
        score = topic.relevance([*heading, *words]).score
        return max(best, _WORDS * min(1.0, score / (2 * topic.threshold)))

    return relevance
