"""Summaries of a page: the sentences that together say most of what is telling in it.

Greedy coverage: every term has the weight that keywords.py gives it (frequent here, rare
elsewhere, in the title, in the first sentences). Again and again the sentence is taken that adds
most weight of terms not said yet, per square root of its length, with a bonus for early ones, until
nothing fits the length. This is the budgeted maximum coverage of Lin and Bilmes (2010) with their
scaled cost. TextRank ranks sentences by likeness to all others and so prefers those that say the
same; coverage does not repeat itself, needs no graph, and takes time linear in the text.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

from topiccrawl.text.keywords import MAX_SENTENCES, best_keywords, term_weights
from topiccrawl.text.sentences import split_sentences

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from topiccrawl.text.analyzer import TextAnalyzer

MAX_SUMMARY_SENTENCES = 60
"""Sentences that may come into a summary, the first ones (bounds the time)."""

_MIN_CHARACTERS = 10  # of a sentence: shorter ones are headings and exclamations (a guess)
_EARLY = 1.0  # bonus of the first sentence; falls to half of it at the fifth (a guess)
_NO_SENTENCE = re.compile(
    r"^\W{0,2}(?:责任编辑|責任編輯|责编|编辑|来源|來源|作者|记者|原标题|原標題|图|圖|版权|©|发布时间|本文|声明|免责|扫码|关注|点击)"
    r"|(?:摄|图)$|[:：]$"
)
_ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class Digest:
    """What a page is about, in words and in sentences."""

    keywords: list[str]
    summary: str


def digest(
    title: str,
    body: str,
    analyzer: TextAnalyzer,
    idf: Callable[[str], float],
    *,
    max_keywords: int = 8,
    max_chars: int = 200,
) -> Digest:
    """Keywords and summary of a page from one analysis of its text."""
    sentences = split_sentences(body)[:MAX_SENTENCES]
    title_terms, *terms = analyzer.terms_all([title, *sentences])
    weights = term_weights(terms, title_terms, idf)
    return Digest(
        best_keywords(title, sentences, terms, title_terms, weights, analyzer, max_keywords),
        _choose(title, sentences, terms, weights, max_chars),
    )


def summarize(
    title: str,
    body: str,
    analyzer: TextAnalyzer,
    idf: Callable[[str], float],
    max_chars: int = 200,
) -> str:
    """Sentences of ``body`` in their order, at most ``max_chars`` characters in all.

    A text that is short enough is its own summary; one whose first sentence is too long gives the
    beginning of that with an ellipsis.
    """
    return digest(title, body, analyzer, idf, max_keywords=0, max_chars=max_chars).summary


def _choose(
    title: str,
    sentences: Sequence[str],
    terms: Sequence[Sequence[str]],
    weights: dict[str, float],
    max_chars: int,
) -> str:
    """Greedy choice of sentences."""
    usable = [
        number
        for number, sentence in enumerate(sentences[:MAX_SUMMARY_SENTENCES])
        if len(sentence) >= _MIN_CHARACTERS
        and sentence != title
        and _NO_SENTENCE.search(sentence) is None
    ] or list(range(min(len(sentences), 1)))
    whole = _join([sentences[number] for number in usable])
    if len(whole) <= max_chars and len(sentences) <= MAX_SUMMARY_SENTENCES:
        return whole
    said: set[str] = set()
    chosen: list[int] = []
    room = max_chars
    # Lazy greedy: gains only shrink as more is said, so an old gain is an upper bound and most
    # sentences are never weighed again.
    heap: list[tuple[float, int, int]] = []
    factors: dict[int, float] = {}
    unsaid: dict[int, set[str]] = {}
    for place, number in enumerate(usable):
        length = len(sentences[number])
        if length <= room:
            factors[number] = (1.0 + _EARLY / (1.0 + place / 4)) / math.sqrt(length)
            unsaid[number] = set(terms[number])
            gain = sum(weights[term] for term in terms[number]) * factors[number]
            heap.append((-gain, number, -1))
    heapify(heap)
    while heap:
        bound, number, round_ = heappop(heap)
        if len(sentences[number]) > room or not bound:
            continue
        if round_ != len(chosen):
            unsaid[number] -= said
            gain = sum(sorted(weights[term] for term in unsaid[number])) * factors[number]
            heappush(heap, (-gain, number, len(chosen)))
            continue
        chosen.append(number)
        said |= unsaid[number]
        room -= len(sentences[number]) + 1
    if not chosen:
        first = sentences[usable[0]] if usable else ""
        return first if len(first) <= max_chars else first[: max(0, max_chars - 1)] + _ELLIPSIS
    return _join([sentences[number] for number in sorted(chosen)])


def _join(sentences: Sequence[str]) -> str:
    """Sentences in a line: with a space where Latin script needs one or the end mark is missing."""
    text = ""
    for sentence in sentences:
        if text and (text[-1].isascii() or text[-1].isalnum()):
            text += " "
        text += sentence
    return text
