"""A page of the corpus and its ground truth."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Truth:
    """Expected results of the analysis of a page."""

    title: str
    body: tuple[str, ...]
    """Paragraphs in order; empty for a list of links."""
    kind: str
    """``article``, ``thread`` or ``list``."""
    published: str | None = None
    """``2023-04-01`` or ``2023-04-01T10:05``."""
    author: str | None = None
    source: str | None = None
    optional: frozenset[str] = frozenset()
    """Paragraphs of ``body`` on which readers differ (captions, notes): right with and without."""

    def bodies(self) -> tuple[str, ...]:
        """Return the accepted bodies, one line per paragraph; those of a thread with its title first."""
        found = ["\n".join(self.body)]
        if self.optional:
            found.append("\n".join(line for line in self.body if line not in self.optional))
        if self.kind == "thread":
            found = [f"{self.title}\n{body}" for body in found] + found
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Sample:
    """A page as a server would send it, with its ground truth."""

    id: str
    family: str
    site: str
    url: str
    data: bytes
    charset: str | None
    """Charset of the Content-Type header."""
    fetched: datetime
    truth: Truth
