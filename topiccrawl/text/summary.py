"""Summaries of a page: the sentences that together cover its most specific terms.

Greedy coverage: every term has its weight of ``keywords`` (frequent here, rare elsewhere, in the title, in
the first sentences).  The next sentence is always the one that adds the largest weight of terms not covered
yet, per square root of its length, with a bonus for early sentences, until no sentence fits.  This is the
budgeted maximum coverage of Lin and Bilmes (2010) with their scaled cost.  TextRank ranks sentences by
similarity to all others and so prefers those with the same content; coverage avoids repetition, needs no
graph, and takes time linear in the text.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

from topiccrawl.text.keywords import MAX_KEYWORDS, Prepared, best_keywords
from topiccrawl.text.segment import HAN

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from topiccrawl.text.analyzer import TextAnalyzer

#: Number of sentences considered for a summary, from the beginning: bounds the time (a choice).
MAX_SUMMARY_SENTENCES = 60
#: Default number of sentences of a summary (a guess).
SENTENCES = 3

#: Han characters of a summary per sentence: twice an ordinary sentence (a guess).
_HAN_CHARACTERS = 70
#: The same in a script of letters: a Han character is worth some 2.5 letters.
_OTHER_CHARACTERS = 180
#: Characters that decide the script (a choice).
_SAMPLE = 1_000
_HAN = re.compile(f"[{HAN}]+")
#: Shortest sentence, in characters: shorter ones are headings and exclamations (a guess).
_MIN_CHARACTERS = 10
#: Bonus of the first sentence; half of it at the fifth (a guess).
_EARLY = 1.0
#: Bylines, credits, disclaimers and captions.
_NO_SENTENCE = re.compile(
    r"^\W{0,2}(?:\d[\d年月日时分秒\-/.:：\s]{7,30})?(?:责任编辑|責任編輯|责编|编辑|来源|來源|作者|记者|原标题|原標題|图|圖|版权|©|发布时间|本文|声明|免责|扫码|关注|点击)"
    r"|(?:摄|图)$|[:：]$"
)
_ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class Digest:
    """Keywords and summary of a page."""

    keywords: list[str]
    summary: str


def digest(
    title: str,
    body: str,
    analyzer: TextAnalyzer,
    idf: Callable[[str], float],
    *,
    max_keywords: int = MAX_KEYWORDS,
    max_sentences: int = SENTENCES,
    max_chars: int | None = None,
) -> Digest:
    """Return keywords and summary of a page from one analysis of its text.

    Parameters
    ----------
    title, body
        Texts of the page.
    analyzer
        Splits text into terms.
    idf
        Returns the inverse document frequency of a term.
    max_keywords
        Largest number of keywords; nothing is computed for 0.
    max_sentences
        Largest number of sentences of the summary; nothing is computed for 0.
    max_chars
        Largest number of characters of the summary; :func:`room` is the default.
    """
    if max_keywords <= 0 and max_sentences <= 0:
        return Digest([], "")
    page = Prepared.of(title, body, analyzer, idf)
    if max_chars is None:
        max_chars = room(body, max_sentences)
    return Digest(
        best_keywords(page, analyzer, max_keywords),
        _choose(title, page, max_sentences, max_chars) if max_sentences > 0 else "",
    )


def room(body: str, sentences: int) -> int:
    """Return the number of characters of a summary of *sentences* sentences, by the script of *body*."""
    sample = body[:_SAMPLE]
    chinese = sum(map(len, _HAN.findall(sample))) * 5 >= len(sample)
    return sentences * (_HAN_CHARACTERS if chinese else _OTHER_CHARACTERS)


def _choose(title: str, page: Prepared, max_sentences: int, max_chars: int) -> str:
    """Choose sentences greedily.

    A text that is short enough is its own summary.  If no sentence fits, the summary is the beginning of the
    first one with an ellipsis.
    """
    sentences, weights = page.sentences, page.weights
    usable = [
        number
        for number, sentence in enumerate(sentences[:MAX_SUMMARY_SENTENCES])
        if len(sentence) >= _MIN_CHARACTERS
        and sentence != title
        and _NO_SENTENCE.search(sentence) is None
    ] or list(range(min(len(sentences), 1)))
    if len(usable) <= max_sentences and len(sentences) <= MAX_SUMMARY_SENTENCES:
        whole = _join([sentences[number] for number in usable])
        if len(whole) <= max_chars:
            return whole
    covered: set[str] = set()
    chosen: list[int] = []
    left = max_chars
    # Lazy greedy: gains only shrink as more terms are covered, so an old gain is an upper bound and most
    # sentences are never weighed again.
    heap: list[tuple[float, int, int]] = []
    factors: dict[int, float] = {}
    uncovered: dict[int, set[str]] = {}
    for place, number in enumerate(usable):
        length = len(sentences[number])
        if length <= left:
            factors[number] = (1.0 + _EARLY / (1.0 + place / 4)) / math.sqrt(length)
            uncovered[number] = set(page.terms[number])
            # fsum: the iteration order of a set must not affect ties.
            gain = math.fsum(map(weights.__getitem__, uncovered[number])) * factors[number]
            heap.append((-gain, number, 0))
    heapify(heap)
    while heap and len(chosen) < max_sentences:
        bound, number, round_ = heappop(heap)
        if len(sentences[number]) > left or not bound:
            continue
        if round_ != len(chosen):
            uncovered[number] -= covered
            gain = math.fsum(map(weights.__getitem__, uncovered[number])) * factors[number]
            heappush(heap, (-gain, number, len(chosen)))
            continue
        chosen.append(number)
        covered |= uncovered[number]
        left -= len(sentences[number]) + 1
    if not chosen:
        first = sentences[usable[0]] if usable else ""
        return first if len(first) <= max_chars else first[: max(0, max_chars - 1)] + _ELLIPSIS
    return _join([sentences[number] for number in sorted(chosen)])


def _join(sentences: Sequence[str]) -> str:
    """Join sentences, with a space if Latin script needs one or the end mark is missing."""
    text = ""
    for sentence in sentences:
        if text and (text[-1].isascii() or text[-1].isalnum()):
            text += " "
        text += sentence
    return text
