"""The judge of a crawl's pages: what it has learned, what the user says, and what follows for stored pages."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from topiccrawl.crawl.judgments.deciding import Decision, judgment_detail, judgment_numbers
from topiccrawl.crawl.judgments.given import Judgments
from topiccrawl.crawl.judgments.rejudged import Rejudged
from topiccrawl.crawl.judgments.rejudging import Rejudging
from topiccrawl.store.contract import StoreUnavailable
from topiccrawl.urls.identity import link_id

if TYPE_CHECKING:
    from topiccrawl.crawl.copies.rejected import RejectedTexts
    from topiccrawl.crawl.progress import CrawlProgress
    from topiccrawl.scoring.classifier import PageClassifier
    from topiccrawl.store.writer import StoreWriter


@dataclass(frozen=True, slots=True)
class PageJudging:
    """Judges the pages of one crawl, and brings the store to new judgments."""

    classifier: PageClassifier
    """Judges pages, better with every ranking round."""
    judgments: Judgments
    """The user's judgments by canonical URL; they change while the crawl runs."""
    rejected: RejectedTexts | None
    """Finds the texts of pages that the user judged off topic; ``None`` when texts are not compared."""
    rejudging: Rejudging
    """Applies new judgments of stored pages."""
    store: StoreWriter | None
    progress: CrawlProgress

    def is_kept(self, url: str) -> bool:
        """Whether a page of this crawl, by its canonical URL, is kept."""
        judgment = self.classifier.judgment(link_id(url))
        return self.judgments.get(url, judgment is not None and judgment.kept)

    async def learn(self) -> None:
        """Let the classifier learn from the pages that it has."""
        for __ in self.classifier.learn():
            await asyncio.sleep(0)

    async def judge_again(self, *, everything: bool = False) -> None:
        """Bring the store to the present judgments of the classifier and of the user.

        With *everything*, small changes of a probability are written, too.
        """
        judge = self._rejudged if self.classifier.judged_all else None
        forgotten = map(self._rejudged, sorted(self.judgments.forgotten))
        result = await self.rejudging.apply(
            [it for it in forgotten if it is not None], judge, everything=everything
        )
        self.progress.withdrawn += result.withdrawn
        self.progress.entered += result.admitted + result.readmitted
        self.progress.freed += result.listed

    async def left_topic(self, url: str, decision: Decision) -> None:
        """Withdraw the stored page of this URL, if there is one: a newer version of it is off topic."""
        if self.store is None or not self.store.is_open:
            return
        try:
            page = await self.store.store.page(self.store.topic, url)
        except StoreUnavailable:
            return  # a later round of judgments will do it
        if page is not None and page.withdrawn_at is None:
            left = Rejudged(url, decision.judgment, kept=False, detail=decision.detail)
            self.progress.withdrawn += (await self.rejudging.apply([left])).withdrawn

    def _rejudged(self, url: str) -> Rejudged | None:
        judgment = self.classifier.judgment(link_id(url))
        if judgment is None:
            return None
        threshold = self.classifier.threshold
        numbers = judgment_numbers(judgment, threshold)
        return Rejudged(url, numbers, judgment.kept, judgment_detail(judgment, threshold))
