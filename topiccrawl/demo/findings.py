"""Results of a crawl of the demonstration web, measured against its ground truth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from topiccrawl.demo.web import ORDINARY, DemoWeb
from topiccrawl.language import _, ngettext

if TYPE_CHECKING:
    from collections.abc import Iterable

    from topiccrawl.store.contract import Store
    from topiccrawl.webserver.forward import RequestRecord

#: Family of the demonstration web's pages that are on its topic.
_FAMILY: Final = "qiaoqing"


@dataclass(frozen=True, slots=True)
class Findings:
    """Figures of a crawl."""

    stored: int
    stored_on_topic: int
    """Stored pages that are on the topic according to the ground truth."""
    web_on_topic: float
    """Share of the web's ordinary pages that are on the topic."""
    stories: int
    """Distinct stories on the topic among the stored pages."""
    web_stories: int
    """Distinct stories on the topic in the web."""
    forbidden: int
    """Requests for pages that a robots.txt forbids."""

    @property
    def precision(self) -> float:
        """Stored pages on the topic divided by pages stored, in [0, 1]."""
        return self.stored_on_topic / self.stored if self.stored else 0.0

    @property
    def recall(self) -> float:
        """Stories stored divided by stories in the web, in [0, 1]."""
        return self.stories / self.web_stories if self.web_stories else 0.0


async def measure(
    store: Store,
    topic: str,
    web: DemoWeb,
    requests: Iterable[RequestRecord] = (),
) -> Findings:
    """Compare the stored pages of *topic* with the pages of its family in *web*."""
    stored = stored_on_topic = 0
    stories: set[str] = set()
    async for page in store.pages(topic):
        stored += 1
        if _FAMILY in web.topics_of(page.url):
            stored_on_topic += 1
            story = web.story_of(page.url)
            if story is not None:
                stories.add(story)
    pages = list(web.pages(ORDINARY))
    return Findings(
        stored=stored,
        stored_on_topic=stored_on_topic,
        web_on_topic=sum(_FAMILY in web.topics_of(url) for url in pages) / len(pages),
        stories=len(stories & web.stories(_FAMILY)),
        web_stories=len(web.stories(_FAMILY)),
        forbidden=sum(web.robots_disallowed(request.url) for request in requests),
    )


def lines(found: Findings) -> list[str]:
    """Format *found* for the terminal."""
    return [
        _("Compared with the truth of the generated web:"),
        _(
            "  precision {precision:.2f}: {right} of the {stored} stored pages are on the topic"
        ).format(precision=found.precision, right=found.stored_on_topic, stored=found.stored),
        _("  recall {recall:.2f}: {found} of the {all} stories on the topic were found").format(
            recall=found.recall, found=found.stories, all=found.web_stories
        ),
        _("  {share:.0%} of all pages of the web are on the topic").format(
            share=found.web_on_topic
        ),
        ngettext(
            "  {count} page that robots.txt forbids was requested",
            "  {count} pages that robots.txt forbids were requested",
            found.forbidden,
        ).format(count=found.forbidden),
    ]
