"""Language, summary and keywords of a text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from topiccrawl.text.idf import IdfTable
from topiccrawl.text.language import detect_language
from topiccrawl.text.summary import digest

if TYPE_CHECKING:
    from topiccrawl.text.analyzer import TextAnalyzer


class SummaryLimits(NamedTuple):
    """Length of summary and keywords; 0 leaves them empty."""

    sentences: int
    keywords: int


@dataclass(frozen=True, slots=True)
class Summarized:
    """A text in short."""

    language: str
    summary: str
    keywords: list[str]


def summarized(analyzer: TextAnalyzer, title: str, body: str, limits: SummaryLimits) -> Summarized:
    """Return a text in short; *analyzer* is the topic's, so that words of the topic are not split."""
    found = digest(
        title,
        body,
        analyzer,
        _idf_table().idf,
        max_keywords=limits.keywords,
        max_sentences=limits.sentences,
    )
    return Summarized(detect_language(body), found.summary, found.keywords)


@cache
def _idf_table() -> IdfTable:
    return IdfTable()
