"""The item that travels through the pipelines and out of feeds."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from topiccrawl.analysis.page import PageAnalysis


@dataclass
class PageItem:
    """One fetched page.  The spider fills the first block, the pipelines the second.

    The fields are what feeds export (``-O pages.csv``); the analysis and the raw body ride along
    outside the fields and are never exported.
    """

    url: str
    """Canonical URL of the response."""
    final_url: str
    topic: str
    site: str
    charset: str
    fetched_at: datetime
    depth: int = 0
    parent: str | None = None
    anchor: str = ""
    link_score: float = 0.0
    link_parts: dict[str, float] = field(default_factory=dict)

    title: str = ""
    body: str = ""
    language: str = ""
    script: str = ""
    """``"simplified"`` or ``"traditional"`` for a page in Chinese."""
    published_at: datetime | None = None
    author: str = ""
    """Names joined by a space; empty, like the next two, where nothing sure is found."""
    source: str = ""
    editor: str = ""
    kind: str = ""
    """``"article"``, ``"list"``, ``"thread"`` or ``"other"``."""
    summary: str = ""
    keywords: list[str] = field(default_factory=list)
    content_hash: str = ""
    relevance: float = 0.0
    main_terms: list[tuple[str, float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._analysis: PageAnalysis | None = None
        self._lease: int | None = None

    def attach(self, analysis: PageAnalysis, lease: int | None) -> PageItem:
        """Let the page's analysis and the frontier lease ride along; returns self."""
        self._analysis = analysis
        self._lease = lease
        return self

    @property
    def html(self) -> bytes:
        """The response body as it came."""
        return self.analysis.page.raw

    @property
    def analysis(self) -> PageAnalysis:
        """The page's analysis; raises ``RuntimeError`` for an item that no topic spider made."""
        if self._analysis is None:
            raise RuntimeError(
                f"{self!r} carries no page analysis: only TopicSpider makes such items"
            )
        return self._analysis

    @property
    def lease(self) -> int | None:
        """The frontier lease under which the page was fetched."""
        return self._lease

    def __repr__(self) -> str:
        # Scrapy logs items; a whole body in the log helps nobody.
        return f"<PageItem {self.url} {self.title[:60]!r}>"
