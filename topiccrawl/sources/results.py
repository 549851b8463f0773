"""Results of searches: lines of answers, answers, and the sources that they are fused into."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from topiccrawl.sources.engine import Question


class Verdict(StrEnum):
    """What an engine answered with."""

    GOOD = "good"
    """Results."""
    NONE = "none"
    """A page that says that nothing was found."""
    EMPTY = "empty"
    """No results, and no word that there are none: engines answer robots like that."""
    BLOCKED = "blocked"
    """A captcha, 403, 429, 503, or a redirect to such a page."""
    GARBLED = "garbled"
    """What cannot be read: truncated JSON, text in a wrong encoding, another kind of page."""
    FAILED = "failed"
    """No answer, or an error of the server."""
    FORBIDDEN = "forbidden"
    """robots.txt of the engine forbids the address: nothing was asked."""
    PAUSED = "paused"
    """The host is left alone for now: nothing was asked."""
    UNREACHABLE = "unreachable"
    """The server could not be reached."""

    @property
    def sent(self) -> bool:
        """Whether the engine was asked, so that a query is spent."""
        return self not in (Verdict.FORBIDDEN, Verdict.PAUSED, Verdict.UNREACHABLE)

    @property
    def rests(self) -> bool:
        """Whether the engine is left alone for a while."""
        return self not in (Verdict.GOOD, Verdict.NONE)


@dataclass(frozen=True, slots=True)
class Result:
    """One line of an answer."""

    url: str
    """The address as the engine gave it, behind its own redirects."""
    title: str = ""
    snippet: str = ""
    engines: tuple[str, ...] = ()
    """Engines that a metasearch engine had it from."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back for one page of one query."""

    verdict: Verdict
    results: Sequence[Result] = ()
    detail: str = ""
    """Why it is not good: a status, a text of the page."""
    retry_after: float = 0.0
    """Seconds after which the server wants to be asked again."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One query sent to one engine, with its answer: what the journal keeps."""

    engine: str
    question: Question
    page: int
    """From 0."""
    at: float
    """Seconds on the crawl's clock."""
    answer: Answer


@dataclass(frozen=True, slots=True)
class Source:
    """A page that was found."""

    url: str
    """Canonical URL."""
    written: str
    """The address as the engine gave it."""
    title: str
    score: float
    """Fused score, the higher the better."""
    found: tuple[tuple[str, str, int], ...]
    """Queries, engines and ranks (from 1) that found it, the best first."""
