"""The crawler's judgments of pages, as an evaluation reads them.

A crawl may judge a page again after it has learned more.  Therefore judgments are not part of a fetch:
they are read at checkpoints, for all pages fetched so far.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from topiccrawl.crawl.ordering import FetchedPage, LinkOrder

__all__ = ["Judgment", "PageJudge", "make_page_judge"]


@dataclass(frozen=True, slots=True)
class Judgment:
    """The crawler's judgment of one page."""

    probability: float
    """Probability that the page is on topic, in [0, 1]; nan if there is none."""
    kept: bool
    """Whether the page is kept."""


class PageJudge(Protocol):
    """Judges the pages of one simulated crawl."""

    def page_fetched(self, page: FetchedPage) -> None:
        """Receive a fetched page; called after its links were scored, before a ranking round."""

    def judged(self) -> Mapping[str, Judgment]:
        """Return the current judgments of the fetched pages by canonical URL."""

    def judge(self, page: FetchedPage) -> Judgment:
        """Judge any page of the web with what the crawl has learned so far, and learn nothing.

        A page that was not fetched has the evidence of a seed: no parent and no anchor.
        """


def make_page_judge(order: LinkOrder) -> PageJudge:
    """Return the judge of the pages of a crawl that *order* orders."""
    return ThresholdJudge()


class ThresholdJudge:
    """Keeps pages whose relevance reaches the topic's threshold; never changes a judgment."""

    def __init__(self) -> None:
        self._judged: dict[str, Judgment] = {}

    def page_fetched(self, page: FetchedPage) -> None:
        """Judge the page."""
        self._judged[page.url] = self.judge(page)

    def judged(self) -> Mapping[str, Judgment]:
        """Return the judgments, by canonical URL."""
        return self._judged

    def judge(self, page: FetchedPage) -> Judgment:
        """Return the relevance of the page, and whether it reaches the threshold."""
        return Judgment(page.view.relevance, page.view.relevant)
