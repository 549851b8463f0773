"""Reasons for dropping an item: one exception class for each, so that Scrapy counts them separately.

All are logged at DEBUG, because most pages of the web are off topic.  A new reason gets its label in
``reporting/words/reasons.py`` and its place in docs/stats.md: a test fails until it has both.
"""

from __future__ import annotations

from scrapy.exceptions import DropItem

from topiccrawl.store.reasons import DELETED, JUDGED, REJECTED_TEXT


class PageDropped(DropItem):
    """Base of all reasons; ``reason`` is the stable word that reports and ``scrapy explain`` use."""

    reason: str = "dropped"

    def __init__(self, detail: str) -> None:
        super().__init__(f"{self.reason}: {detail}", log_level="DEBUG")
        self.detail = detail


class DeletedByUser(PageDropped):
    """The user deleted the page, or it was older than pages may be kept."""

    reason = DELETED


class NoBody(PageDropped):
    """The page has no body text of its own: a list, a frame, an empty page."""

    reason = "no-body"


class NoIndex(PageDropped):
    """The page's robots meta contains ``noindex``."""

    reason = "noindex"


class NotContentDropped(PageDropped):
    """The page is not content: a login wall, a soft 404, an empty shell; its kind is the reason."""

    reason = "not-content"

    def __init__(self, detail: str, kind: str = "") -> None:
        self.reason = kind or self.reason
        super().__init__(detail)


class NotHtml(PageDropped):
    """The response is not an HTML page, regardless of its Content-Type header."""

    reason = "not-html"


class SiteFileRead(PageDropped):
    """A sitemap, feed or robots.txt of a whole site, whose addresses were queued."""

    reason = "site-file"


class Unreadable(PageDropped):
    """A document from which no text can be read; its reason begins with ``document-``."""

    reason = "document"

    def __init__(self, detail: str, why: str = "") -> None:
        self.reason = f"document-{why}" if why else self.reason
        super().__init__(detail)


class OffTopic(PageDropped):
    """The page's relevance is below the topic's threshold."""

    reason = "off-topic"


class JudgedOffTopic(PageDropped):
    """The user judged the page off topic."""

    reason = JUDGED


class RejectedText(PageDropped):
    """The page has the text of one that the user judged off topic."""

    reason = REJECTED_TEXT


class Unchanged(PageDropped):
    """The page was visited again and is as it was: only the visit is written, not an outcome."""

    reason = "unchanged"


class PartOfArticle(PageDropped):
    """The text of the page is part of an article that was joined from its pages.

    With *recorded*, the page is its first one: the outcome of its address is that of the article.
    """

    reason = "part"

    def __init__(self, detail: str, *, recorded: bool = False) -> None:
        super().__init__(detail)
        self.recorded = recorded
