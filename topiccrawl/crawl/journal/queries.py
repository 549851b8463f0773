"""Queries in the crawl's journal: workers share them, and a run that goes on does not ask again."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from topiccrawl.sources.engine import Question
from topiccrawl.sources.results import Answer, Asked, Result, Verdict


@dataclass(frozen=True, slots=True)
class SearchEntry:
    """A query before it is sent (no answer), and after."""

    engine: str
    question: Question
    page: int
    at: float
    answer: Answer | None = None

    @classmethod
    def reset(cls, at: float) -> SearchEntry:
        """Return the entry by which all earlier ones are forgotten."""
        return cls("", Question(""), 0, at)

    @property
    def is_reset(self) -> bool:
        """Whether all earlier entries are forgotten."""
        return not self.engine

    def asked(self) -> Asked:
        """Return the query with its answer."""
        assert self.answer is not None
        return Asked(self.engine, self.question, self.page, self.at, self.answer)


def pack_entry(entry: SearchEntry) -> bytes:
    """Return the entry as the journal keeps it."""
    question = entry.question
    record: list[Any] = [entry.engine, question.words, question.site, entry.page, entry.at]
    if entry.answer is not None:
        answer = entry.answer
        results = [[it.url, it.title, it.snippet, list(it.engines)] for it in answer.results]
        record.append([str(answer.verdict), answer.detail, answer.retry_after, results])
    return json.dumps(record, ensure_ascii=False).encode("utf-8", "surrogatepass")


def unpack_entry(data: bytes) -> SearchEntry:
    """Return the entry; raises ``ValueError`` or ``TypeError`` for anything else."""
    engine, words, site, page, at, *rest = json.loads(data)
    answer = None
    if rest:
        verdict, detail, retry_after, lines = rest[0]
        results = tuple(
            Result(str(url), str(title), str(snippet), tuple(map(str, engines)))
            for url, title, snippet, engines in lines
        )
        answer = Answer(Verdict(verdict), results, str(detail), float(retry_after))
    return SearchEntry(str(engine), Question(str(words), str(site)), int(page), float(at), answer)
