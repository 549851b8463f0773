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

from topiccrawl.text.keywords import MAX_KEYWORDS, Prepared, best_keywords
from topiccrawl.text.segment import HAN

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from topiccrawl.text.analyzer import TextAnalyzer

MAX_SUMMARY_SENTENCES = 60
"""Sentences that may come into a summary, the first ones (bounds the time)."""

SENTENCES = 3
"""Sentences of a summary unless another number is asked for (a guess)."""

_HAN_CHARACTERS = 70  # of a summary for each of its sentences: twice an ordinary one (a guess)
_OTHER_CHARACTERS = 180  # the same in a script of letters: a Han character is worth some 2.5
_SAMPLE = 1_000  # characters that tell the script
_HAN = re.compile(f"[{HAN}]")
_MIN_CHARACTERS = 10  # of a sentence: shorter ones are headings and exclamations (a guess)
_EARLY = 1.0  # bonus of the first sentence; falls to half of it at the fifth (a guess)
_NO_SENTENCE = re.compile(
    r"^\W{0,2}(?:\d[\d年月日时分秒\-/.:：\s]{7,30})?(?:责任编辑|責任編輯|责编|编辑|来源|來源|作者|记者|原标题|原標題|图|圖|版权|©|发布时间|本文|声明|免责|扫码|关注|点击)"
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
    max_keywords: int = MAX_KEYWORDS,
    max_sentences: int = SENTENCES,
    max_chars: int | None = None,
) -> Digest:
    """Keywords and summary of a page from one analysis of its text; 0 of either costs nothing.

    The summary has at most ``max_chars`` characters; see :func:`room` for the default.
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
    """Characters that a summary of so many sentences may have: more where letters are not Han."""
    sample = body[:_SAMPLE]
    chinese = len(_HAN.findall(sample)) * 5 >= len(sample)
    return sentences * (_HAN_CHARACTERS if chinese else _OTHER_CHARACTERS)


def _choose(title: str, page: Prepared, max_sentences: int, max_chars: int) -> str:
    """Greedy choice of sentences."""
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
    said: set[str] = set()
    chosen: list[int] = []
    left = max_chars
    # Lazy greedy: gains only shrink as more is said, so an old gain is an upper bound and most
    # sentences are never weighed again.
    heap: list[tuple[float, int, int]] = []
    factors: dict[int, float] = {}
    unsaid: dict[int, set[str]] = {}
    for place, number in enumerate(usable):
        length = len(sentences[number])
        if length <= left:
            factors[number] = (1.0 + _EARLY / (1.0 + place / 4)) / math.sqrt(length)
            unsaid[number] = set(page.terms[number])
            # fsum: the order of a set must not decide between equals.
            gain = math.fsum(map(weights.__getitem__, unsaid[number])) * factors[number]
            heap.append((-gain, number, 0))
    heapify(heap)
    while heap and len(chosen) < max_sentences:
        bound, number, round_ = heappop(heap)
        if len(sentences[number]) > left or not bound:
            continue
        if round_ != len(chosen):
            unsaid[number] -= said
            gain = math.fsum(map(weights.__getitem__, unsaid[number])) * factors[number]
            heappush(heap, (-gain, number, len(chosen)))
            continue
        chosen.append(number)
        said |= unsaid[number]
        left -= len(sentences[number]) + 1
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
