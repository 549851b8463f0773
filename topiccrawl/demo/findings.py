"""Results of a crawl of the demonstration web, measured against its ground truth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from topiccrawl.demo.web import ORDINARY

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from topiccrawl.demo.web import DemoWeb
    from topiccrawl.store.contract import Store
    from topiccrawl.webserver.forward import RequestRecord

#: Pages listed at the end of a demonstration.
BEST_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Best:
    """One of the most relevant pages of the collection."""

    relevance: float
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class Findings:
    """Figures of a crawl."""

    fetched: int
    """Pages with an outcome: stored or dropped, not failed."""
    stored: int
    stored_on_topic: int
    """Stored pages that are on the topic according to the ground truth."""
    fetched_on_topic: int
    """Fetched pages on the topic according to the ground truth, with lists and reprints."""
    web_on_topic: float
    """Share of the web's ordinary pages that are on the topic."""
    stories: int
    """Distinct stories on the topic among the stored pages."""
    web_stories: int
    """Distinct stories on the topic in the web."""
    forbidden: int
    """Requests for pages that a robots.txt forbids."""
    best: Sequence[Best] = ()

    @property
    def harvest_rate(self) -> float:
        """On-topic pages divided by pages fetched, in [0, 1]."""
        return self.fetched_on_topic / self.fetched if self.fetched else 0.0

    @property
    def recall(self) -> float:
        """Stories stored divided by stories in the web, in [0, 1]."""
        return self.stories / self.web_stories if self.web_stories else 0.0


async def measure(
    store: Store,
    topic: str,
    web: DemoWeb,
    requests: Iterable[RequestRecord] = (),
    *,
    family: str = "qiaoqing",
) -> Findings:
    """Compare the stored pages of *topic* with the pages of *family* in *web*."""
    fetched = on_topic = 0
    async for outcome in store.outcomes(topic):
        if outcome.verdict in ("stored", "dropped") and web.kind_of(outcome.url) is not None:
            fetched += 1
            on_topic += family in web.topics_of(outcome.url)
    stored = stored_on_topic = 0
    stories: set[str] = set()
    best: list[Best] = []
    async for page in store.pages(topic, order="relevance"):
        stored += 1
        if len(best) < BEST_SHOWN:
            best.append(Best(page.relevance, page.title, page.url))
        if family in web.topics_of(page.url):
            stored_on_topic += 1
            story = web.story_of(page.url)
            if story is not None:
                stories.add(story)
    pages = list(web.pages(ORDINARY))
    return Findings(
        fetched=fetched,
        stored=stored,
        stored_on_topic=stored_on_topic,
        fetched_on_topic=on_topic,
        web_on_topic=sum(family in web.topics_of(url) for url in pages) / len(pages),
        stories=len(stories & web.stories(family)),
        web_stories=len(web.stories(family)),
        forbidden=sum(web.robots_disallowed(request.url) for request in requests),
        best=best,
    )


def lines(found: Findings) -> list[str]:
    """Format *found* as text in Chinese and English."""
    shown = [
        f"抓取网页 Pages fetched             {found.fetched}",
        f"相关网页入库 Stored on topic       {found.stored_on_topic} of {found.stored} stored",
        f"命中率 Harvest rate                {found.harvest_rate:.2f}"
        f"  (the whole web: {found.web_on_topic:.2f})",
        f"召回率 Recall                      {found.recall:.2f}"
        f"  ({found.stories} of {found.web_stories} stories in the web)",
        f"robots.txt 禁止页 Forbidden pages   {found.forbidden} requested",
    ]
    if found.best:
        shown += ["", "最相关的网页 Best pages"]
        shown += [
            f"  {page.relevance:.3f}  {page.title}\n         {page.url}" for page in found.best
        ]
    return shown
