"""Responses that are not content, and the hosts that block."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from topiccrawl import details
from topiccrawl.details import translated
from topiccrawl.language import _, choose, user_language
from topiccrawl.page.notcontent import NotContent
from topiccrawl.page.notcontent.repeats import RepeatedTexts
from topiccrawl.reporting.words.reasons import reason_text
from topiccrawl.scoring.evidence import LinkEvidence

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.http import Response

    from topiccrawl.analysis.page import PageAnalysis
    from topiccrawl.crawl.queue.queue import CrawlQueue
    from topiccrawl.politeness.rests import HostRests

logger = logging.getLogger(__name__)

#: Statuses of answers without a page, for which nothing is recognized (RFC 9110, 15.5.5, 15.5.11).
_NO_PAGE = frozenset({404, 410})
#: Statuses by which a server refuses requests, whatever its page contains; 429 and 503 have pauses of
#: their own (:mod:`topiccrawl.politeness.backoff`).
_REFUSED = 403


class ContentCheck:
    """Recognizes responses that are not content, and rests the hosts that block."""

    def __init__(self, queue: CrawlQueue, rests: HostRests, count: Callable[[str], object]) -> None:
        """*count* receives statistics, e.g. ``blocked/rests``."""
        self._frontier = queue.frontier
        self._clock = queue.clock
        self._count = count
        self._texts = RepeatedTexts()
        self.rests = rests
        """Hosts that have blocked."""
        self.blocks = 0
        """Block pages and captchas of this run."""
        self.pages = 0
        """Answers with content of this run; pages that have not changed since an earlier visit are some."""

    def check(
        self,
        response: Response,
        analysis: PageAnalysis,
        canonical: str,
        host: str,
        link: LinkEvidence | None,
    ) -> NotContent | None:
        """Return what *response* is if it is not content; *link* led to it.

        The response has any status; *canonical* is the URL that was asked for, *host* the politeness key.
        """
        if response.status in _NO_PAGE:
            return None
        page = analysis.page
        found = analysis.recognized(response.status)
        if response.status == _REFUSED and (found is None or not found.by_host):
            found = NotContent("blocked", details.STATUS(status=_REFUSED))
        if not 200 <= response.status < 300 and (found is None or not found.by_host):
            return None
        if found is None and link is not None and link.anchor and page.looks_like_html:
            text = page.visible_text
            if self._texts.repeated(host, canonical, link.anchor, page.stated_heading, text):
                found = NotContent("soft-404", details.REPEATED_TEXT())
        if found is not None:
            self._count(f"not_content/{found.kind}")
        return found

    def given(self, host: str, url: str) -> None:
        """Record an answer of *host* with content: the page *url*, or that it has not changed."""
        self.pages += 1
        self.rests.content(host, url)

    def blocked(self, host: str, found: NotContent) -> float:
        """Rest *host* after a block page; return until when, on the frontier's clock."""
        now = self._clock()
        self.blocks += 1
        rest = self.rests.blocked(host, now)
        self._frontier.hold_host(host, now + rest.seconds)
        if rest.growing:
            self._count("blocked/rests" if rest.rests else "blocked/pauses")
            self._log(host, found, rest.seconds, rests=rest.rests)
        return now + rest.seconds

    def _log(self, host: str, found: NotContent, seconds: float, *, rests: bool) -> None:
        words = translated(found.reason, user_language())
        what = {"host": host, "kind": choose(*reason_text(found.kind)), "words": words}
        if rests:
            logger.warning(
                _("%(host)s blocks this crawl (%(kind)s: %(words)s): it rests for %(seconds).0f s"),
                what | {"seconds": seconds},
            )
        else:
            logger.warning(
                _(
                    "%(host)s answers with a page that is not content (%(kind)s: %(words)s): it is "
                    "slowed and paused for %(seconds).0f s"
                ),
                what | {"seconds": seconds},
            )
