"""The crawler's judgments of pages, as an evaluation reads them.

A crawl may judge a page again after it has learned more.  Therefore judgments are not part of a fetch:
they are read at checkpoints, for all pages fetched so far.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from topiccrawl.crawl.judgments.deciding import may_enter_later
from topiccrawl.scoring.classifier import Judgment, PageClassifier

if TYPE_CHECKING:
    from topiccrawl.crawl.queue.ordering import FetchedPage

__all__ = ["Judgment", "PageJudge"]


class PageJudge:
    """The page classifier of one simulated crawl, by canonical URLs."""

    def __init__(self, classifier: PageClassifier) -> None:
        self._classifier = classifier
        self._ids: dict[str, int] = {}
        self._stored: set[str] = set()

    def page_fetched(self, page: FetchedPage) -> None:
        """Receive a fetched page; called after its links were scored."""
        self._ids[page.url] = page.view.id
        judgment = self._classifier.judgment(page.view.id)
        if judgment and (judgment.kept or may_enter_later(judgment, self._classifier)):
            self._stored.add(page.url)

    def judged(self) -> Mapping[str, Judgment]:
        """Return the current judgments of the fetched pages by canonical URL.

        As in a crawl, a page is not kept that was too unlikely to be stored when it was fetched.
        """
        known = ((url, self._classifier.judgment(page)) for url, page in self._ids.items())
        return {
            url: judgment if url in self._stored else replace(judgment, kept=False)
            for url, judgment in known
            if judgment is not None
        }

    def judge(self, page: FetchedPage) -> Judgment:
        """Judge any page of the web with what the crawl has learned so far, and learn nothing."""
        known = self._classifier.judgment(page.view.id)
        return known or self._classifier.judge(replace(page.view, links=page.links.batch))
