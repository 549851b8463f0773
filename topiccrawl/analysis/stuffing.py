"""Pages that are stuffed with a topic's words: a soup of keywords, without sentences.

Such pages are made for search engines: lists of keywords, doorway pages, pages of tags, words in random order.  They
have more of the topic's words than pages that people write, so that no measure of relevance rejects them, and the page
classifier would take them for its surest examples.

Fluent text on the topic that says nothing cannot be told from text in this way: sentences of other pages that are
glued together, and what a language model writes.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from topiccrawl import details
from topiccrawl.page.notcontent import NotContent
from topiccrawl.text.prose import function_share, misplaced

if TYPE_CHECKING:
    from collections.abc import Sequence

    from topiccrawl.topics.topic import Topic

# The constants were chosen with five of twelve kinds of made soups on 44 topics, with 8,027 real pages with a body, and
# with lists, tables and glossaries written for it (2026-11); see docs/laboratory/judge.md.
#: Fewest terms of a page that is judged (a choice: short notices have less).
LEAST_TERMS: Final = 50
#: Multiples of the topic's learned threshold that real relevant pages hardly reach: 95 % and 99 % of them have less.
DENSE: Final = 2.0
VERY_DENSE: Final = 2.5
#: Function words relative to running text below which a page has no sentences.
NO_SENTENCES: Final = 0.3
#: Share of the letters that the terms must make up, or the page consists of something else than words: made soups
#: without sentences have .76 at least, texts of one sentence for each 27 drawn characters up to .43.
OF_TERMS: Final = 0.7
#: Characters in the middle of a longer text that are looked at first: most pages have sentences there (a choice).
MIDDLE: Final = 2_000
#: Numbers per term from which a page without sentences is a table, a catalog or a bibliography.
NUMBERS: Final = 0.3
#: Share of the pairs of neighboring repeated terms that occur once, below which the words have an order, as in the rows
#: of a list: of very dense pages, and of others.  Made soups have .09 at least, bags of words .56; lists written for it
#: have up to .02, or .54 if they cross countries with kinds of associations.
NEW_ORDER: Final = 0.08
NO_ORDER: Final = 0.6
#: Share of the terms that occur once below which a page repeats few words, absolute and relative to the share of the
#: topic's words.  Real dense pages without sentences have .09 and 39 % at least.
FEW_ONCE: Final = 0.05
FEW_ONCE_OF_TOPIC: Final = 0.3
#: Multiple of the threshold from which a page without sentences is nothing but the topic's words: real ones have up to
#: 2.7, unless each word stands there once, as in a glossary or in headlines: these have .66 of such terms at least.
ONLY_TOPIC: Final = 3.0
GLOSSARY: Final = 0.5
#: Misplaced function words, number and share, from which words are in no order: real dense pages have up to .044.
MISPLACED: Final = 6
MISPLACED_SHARE: Final = 0.05

_NUMBER: Final = re.compile(r"\d+")
_LETTER: Final = re.compile(r"[^\W\d_]")


def stuffing(topic: Topic, text: str, terms: Sequence[str], relevance: float) -> NotContent | None:
    """Return that a page is stuffed with the words of *topic*, ``None`` if it may be text.

    With r the relevance as a multiple of the topic's learned threshold, at least 1, it is stuffed

    - without sentences (:func:`~topiccrawl.text.prose.function_share` < .3), tables left out (3 numbers for 10 terms),
      of terms (70 % of the letters), if u ≤ max(.05, .3·t), or r ≥ 3 and u ≤ .5; and of the pairs of neighboring
      terms that are both repeated, 60 % are not, 8 % if r ≥ 2.5.  u is the share of the terms that occur once, t that
      of the topic's words;
    - with words in no order, if r ≥ 2 and at least 6 and 5 % of the function words are
      :func:`~topiccrawl.text.prose.misplaced`.

    Parameters
    ----------
    text
        The body of the page.
    terms
        Terms of title and body.
    relevance
        Relevance of the page, in [0, 1].
    """
    times = relevance / topic.learned_threshold
    if times < 1 or len(terms) < LEAST_TERMS:
        return None
    if not _has_sentences(text):
        once = _soup(text, terms, NEW_ORDER if times >= VERY_DENSE else NO_ORDER)
        if once is not None and once <= _most_once(topic, terms, times):
            return NotContent("stuffing", details.SOUP(share=f"{1 - once:.0%}"))
    if times >= DENSE:
        wrong, found = misplaced(text)
        if wrong >= max(MISPLACED, MISPLACED_SHARE * found):
            return NotContent("stuffing", details.WORDS_IN_NO_ORDER(n=wrong, all=found))
    return None


def _most_once(topic: Topic, terms: Sequence[str], times: float) -> float:
    """Return the largest share of *terms* that may occur once in a soup."""
    own = sum(end - start for start, end, _, _ in topic.vocabulary.spans(terms)) / len(terms)
    few = max(FEW_ONCE, FEW_ONCE_OF_TOPIC * own)
    return max(GLOSSARY, few) if times >= ONLY_TOPIC else few


def _has_sentences(text: str) -> bool:
    start = max(0, len(text) - MIDDLE) // 2
    if function_share(text[start : start + MIDDLE]) >= NO_SENTENCES:
        return True
    return len(text) > MIDDLE and function_share(text) >= NO_SENTENCES


def _soup(text: str, terms: Sequence[str], least_new: float) -> float | None:
    """Return the share of *terms* that occur once, ``None`` if they have an order, numbers or other text around.

    *least_new* is the least share of new pairs.
    """
    if len(_NUMBER.findall(text)) >= NUMBERS * len(terms):
        return None
    if sum(map(len, terms)) < OF_TERMS * len(_LETTER.findall(text)):
        return None
    counts = Counter(terms)
    pairs = Counter(pair for pair in pairwise(terms) if counts[pair[0]] > 1 < counts[pair[1]])
    new = sum(count == 1 for count in pairs.values())
    if new < least_new * pairs.total():
        return None
    return sum(count == 1 for count in counts.values()) / len(terms)
