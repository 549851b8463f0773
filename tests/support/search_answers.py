"""Answers of search engines, and a pool that they fill."""

from __future__ import annotations

from collections.abc import Sequence

from topiccrawl.sources.engine import Question
from topiccrawl.sources.fusion import SourcePool
from topiccrawl.sources.results import Answer, Asked, Result, Verdict

TEA = Question("茶文化")


def pool() -> SourcePool:
    """An empty pool, for which titles with 茶 are relevant."""
    return SourcePool(lambda url: url, lambda title, snippet: 1.0 if "茶" in title else 0.2)


def asked(
    engine: str,
    pages: Sequence[str],
    question: Question = TEA,
    *,
    page: int = 0,
    at: float = 0.0,
    title: str = "茶",
    engines: tuple[str, ...] = (),
) -> Asked:
    """A good answer of *engine* with these pages, best first."""
    results = [Result(f"http://{name}/", f"{title} {name}", "", engines) for name in pages]
    return Asked(engine, question, page, at, Answer(Verdict.GOOD, results))


def bad(engine: str, verdict: Verdict, *, at: float = 0.0, retry_after: float = 0.0) -> Asked:
    """An answer without results."""
    return Asked(engine, TEA, 0, at, Answer(verdict, (), "status 429", retry_after))


def names(prefix: str, count: int = 10) -> list[str]:
    """Names of *count* pages."""
    return [f"{prefix}{i}" for i in range(count)]
