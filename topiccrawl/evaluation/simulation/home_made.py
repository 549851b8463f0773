"""A simulated crawl by the focused spider that users write first, as a reference.

The priority of a link is 10 for each keyword in its anchor, plus 1 for each different keyword on the page
that shows it.  Pages with three different keywords are kept, anywhere in the text of ``body``; with fewer
than three keywords, pages with all of them.  Keywords are substrings in lower case.

The order is that of Scrapy with ``ScrapyPriorityQueue`` and its default memory queue: highest priority
first, and among equals the request that was queued last (``LifoMemoryQueue``).  Seeds come first, in
their order, as in a crawl with several requests at a time.
"""

from __future__ import annotations

import heapq
import math
import pickle
import time
import zlib
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from w3lib.url import canonicalize_url

from topiccrawl.evaluation.experiment import (
    Checkpoint,
    Experiment,
    Fetch,
    JudgedWeb,
    Judgments,
    Run,
    checkpoints_of,
)
from topiccrawl.evaluation.simulation.pages import (
    MAX_REDIRECTS,
    MAX_URL,
    Answer,
    StoredPages,
    request_url,
)

if TYPE_CHECKING:
    from scrapy.http import HtmlResponse

#: Different keywords on a page that is kept.
_LEAST_KEYWORDS = 3
#: Scrapy's REDIRECT_PRIORITY_ADJUST.
_REDIRECT_PRIORITY = 2
#: Links that the spider leaves out.
_NOT_FOLLOWED = ("javascript", "mailto", "tel", "data")


class HomeMadePages:
    """Stored pages as the spider reads them; kept, compressed, for all topics."""

    def __init__(self, pages: StoredPages) -> None:
        self.stored = pages
        self._read: dict[str, bytes] = {}

    def get(self, answer: Answer) -> tuple[str, list[tuple[str, str]]]:
        """Return text and links (URL, anchor) of a page, texts in lower case; nothing if no HTML."""
        if answer.url not in self._read:
            response = self.stored.response(answer)
            found = ("", []) if response is None else (_text(response), _links(response))
            self._read[answer.url] = zlib.compress(pickle.dumps(found, protocol=5), 1)
        text, links = pickle.loads(zlib.decompress(self._read[answer.url]))
        return text, links

    def web(self, keywords: Sequence[str]) -> JudgedWeb:
        """Judge all HTML pages of the web."""
        keywords = [word.lower() for word in keywords]
        urls = self.stored.html_urls()
        answers = [self.stored.get(url) for url in urls]
        kept = [a is not None and _keeps(keywords, self.get(a)[0]) for a in answers]
        return JudgedWeb(tuple(urls), _judgments(kept))


def crawl_home_made(
    pages: HomeMadePages,
    keywords: Sequence[str],
    seeds: Iterable[str],
    experiment: Experiment,
    tick: Callable[[int], object] = lambda fetched: None,
) -> Run:
    """Fetch up to ``experiment.max_pages`` pages and return them in order, with what is kept."""
    started = time.perf_counter()
    crawl = _Crawl(pages, [word.lower() for word in keywords])
    for seed in seeds:
        crawl.push(request_url(seed), math.inf, seed=True)
    checkpoints = []
    note = ""
    for at in checkpoints_of(experiment.max_pages):
        while len(crawl.fetches) < at and crawl.step():
            tick(len(crawl.fetches))
        if len(crawl.fetches) < at:
            note = "nothing left to fetch"
        checkpoints.append(Checkpoint(at, _judgments(crawl.kept)))
    seconds = time.perf_counter() - started
    return Run(experiment, "simulate", tuple(crawl.fetches), seconds, note, tuple(checkpoints))


class _Crawl:
    def __init__(self, pages: HomeMadePages, keywords: Sequence[str]) -> None:
        self.fetches: list[Fetch] = []
        self.kept: list[bool] = []
        self._pages = pages
        self._keywords = keywords
        self._queue: list[tuple[float, int, str, bool, int]] = []
        self._seen: set[str] = set()
        self._pushed = 0

    def push(self, url: str, priority: float, *, seed: bool = False, redirects: int = 0) -> None:
        """Queue a request; seeds are not filtered, as Scrapy's start requests."""
        if len(url) > MAX_URL:
            return
        if not seed:
            key = canonicalize_url(url)
            if key in self._seen:
                return
            self._seen.add(key)
        self._pushed += 1
        # Last in, first out; seeds first in, first out.
        order = self._pushed if seed else -self._pushed
        heapq.heappush(self._queue, (-priority, order, url, seed, redirects))

    def step(self) -> bool:
        """Send the next request; return whether there was one."""
        if not self._queue:
            return False
        negative, _, url, seed, redirects = heapq.heappop(self._queue)
        answer = self._pages.stored.get(url)
        if answer is None:
            return True
        if answer.status == 200:
            self.fetches.append(Fetch(answer.address, answer.size, math.nan))
            self.kept.append(False)
        if answer.redirect:
            target = request_url(urljoin(url, answer.redirect))
            if redirects < MAX_REDIRECTS and target.startswith(("http://", "https://")):
                priority = -negative + _REDIRECT_PRIORITY
                self.push(target, priority, seed=seed, redirects=redirects + 1)
        elif answer.status == 200:
            self._parse(answer)
        return True

    def _parse(self, answer: Answer) -> None:
        text, links = self._pages.get(answer)
        self.kept[-1] = _keeps(self._keywords, text)
        found = _count(self._keywords, text)
        for url, anchor in links:
            self.push(url, 10 * _count(self._keywords, anchor) + found)


def _count(keywords: Sequence[str], text: str) -> int:
    return sum(word in text for word in keywords)


def _keeps(keywords: Sequence[str], text: str) -> bool:
    few = min(_LEAST_KEYWORDS, len(keywords))
    return 0 < few <= _count(keywords, text)


def _judgments(kept: Sequence[bool]) -> Judgments:
    return Judgments((math.nan,) * len(kept), tuple(kept))


def _text(response: HtmlResponse) -> str:
    return " ".join(response.xpath("//body//text()").getall()).lower()


def _links(response: HtmlResponse) -> list[tuple[str, str]]:
    found = []
    for a in response.css("a[href]"):
        href = a.attrib["href"].strip()
        if href.lower().startswith(_NOT_FOLLOWED):
            continue
        try:
            url = request_url(response.urljoin(href))
        except ValueError:
            continue
        if url.startswith(("http://", "https://")):
            found.append((url, " ".join(a.xpath(".//text()").getall()).lower()))
    return found
