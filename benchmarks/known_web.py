"""A generated web with known reachable pages, link values and request times.

Every page is on the topic 侨情, distinct and reachable, so a complete crawl stores exactly
:attr:`KnownWeb.urls`.  The anchor text of a link is the same on all pages and contains one keyword of
a known value, so with the strategy ``rw`` the score of a link never changes, and the server can
decide whether a fetch was the best one (:func:`order_errors`).
"""

from __future__ import annotations

import random
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from topiccrawl.urls.hosts import host_of
from topiccrawl.webserver.answers import Answer

#: Keywords of 侨情 with five different values, best first, none below the threshold of RW (.5).
KEYWORDS = ("侨务", "侨领", "华商", "同乡会", "侨居民")
#: Sentences of the pages, on 侨情.
QIAOQING = (
    "侨务部门走访归侨侨眷，了解华侨华人社团的需要。",
    "海外侨胞回到侨乡寻根谒祖，参观华文学校。",
    "侨联举行座谈，商讨引进侨资和保护华侨权益的办法。",
    "侨领介绍了当地侨社的历史和华文教育的现状。",
    "归侨代表就侨务工作提出建议，有关部门逐条答复。",
)


@dataclass(frozen=True, slots=True)
class Arrival:
    """A request received by the server; times in seconds on the monotonic clock."""

    url: str
    host: str
    arrived: float
    answered: float
    """Planned start of the response: arrival plus latency."""
    status: int


def page_html(title: str, paragraphs: Sequence[str], links: Sequence[tuple[str, str]]) -> str:
    """Return a page of plain text and a list of *links*, URL and anchor text of each."""
    text = "".join(f"<p>{paragraph}</p>\n" for paragraph in paragraphs)
    listed = "".join(f'<li><a href="{url}">{anchor}</a></li>\n' for url, anchor in links)
    return (
        f"<html><head><title>{title}</title></head><body>\n<h1>{title}</h1>\n"
        f"<div>{text}</div>\n<ul>{listed}</ul>\n</body></html>"
    )


class KnownWeb:
    """A web of *pages* pages on *hosts* hosts for ``WebServer``; the first page is the seed.

    *latency* is the range in seconds from which the delay of each URL is drawn; *crawl_delay* is
    written to robots.txt if it is not 0; page k consists of sentences from ``subjects[k % n]``.
    With *copies*, that many pages with neighboring numbers have one text, on several hosts; every second
    one lacks a paragraph.  A crawl meets them at about the same time.
    """

    def __init__(
        self,
        pages: int,
        hosts: int,
        *,
        seed: int = 1,
        links: int = 12,
        latency: tuple[float, float] = (0.0, 0.0),
        crawl_delay: float = 0.0,
        subjects: Sequence[Sequence[str]] = (QIAOQING,),
        copies: int = 0,
    ) -> None:
        draw = random.Random(seed)
        # The site is drawn, so that neighbors in the link tree are on different sites.
        self.hosts = tuple(f"www.site{i:04d}.example" for i in range(hosts))
        self.urls = tuple(
            f"http://{self.hosts[0 if k == 0 else draw.randrange(hosts)]}/news/{k}.html"
            for k in range(pages)
        )
        self.level = tuple(draw.randrange(len(KEYWORDS)) for _ in range(pages))
        self._number = {url: k for k, url in enumerate(self.urls)}
        self._links: list[list[int]] = []
        for k in range(pages):
            children = [c for c in (3 * k + 1, 3 * k + 2, 3 * k + 3) if c < pages]
            others = [draw.randrange(pages) for _ in range(links - len(children))]
            self._links.append(children + others)
        self._subjects = subjects
        self._copies = copies
        self._latency = latency
        self._crawl_delay = crawl_delay
        self.arrivals: list[Arrival] = []

    @property
    def seeds(self) -> tuple[str, ...]:
        """The page from which all others can be reached."""
        return self.urls[:1]

    def answer(self, target: str, attempt: int = 1) -> Answer | None:
        """Record and answer a request; return ``None`` for an unknown host."""
        arrived = time.monotonic()
        host = host_of(target)
        if host not in self.hosts:
            return None
        low, high = self._latency
        delay = low + (high - low) * random.Random(target).random()
        answer = self._page(target, delay)
        self.arrivals.append(Arrival(target, host, arrived, arrived + delay, answer.status))
        return answer

    def stories(self) -> list[list[str]]:
        """Return the pages of each text; one list for each page if none was copied."""
        found: dict[int, list[str]] = defaultdict(list)
        for number, url in enumerate(self.urls):
            found[number // max(1, self._copies)].append(url)
        return list(found.values())

    def paragraphs(self, url: str) -> list[str]:
        """Return the text of a page."""
        return self._text(self._number[url])[1]

    def links_of(self, url: str) -> list[str]:
        """Return the pages that a page links to."""
        return [self.urls[k] for k in self._links[self._number[url]]]

    def value(self, url: str) -> int:
        """Return the value of a link to the page; larger is better."""
        return -self.level[self._number[url]]

    def fetches(self) -> list[Arrival]:
        """Return the arrivals of requests for pages, without robots.txt."""
        return [arrival for arrival in self.arrivals if arrival.url in self._number]

    def _page(self, target: str, delay: float) -> Answer:
        if target.endswith("/robots.txt"):
            rule = f"Crawl-delay: {self._crawl_delay:g}\n" if self._crawl_delay else ""
            body = f"User-agent: *\n{rule}Disallow: /private/\n".encode()
            return Answer(200, "text/plain; charset=utf-8", body, delay_seconds=delay)
        number = self._number.get(target)
        if number is None:
            return Answer(404, "text/html; charset=utf-8", b"<h1>404</h1>", delay_seconds=delay)
        html = self._html(number).encode()
        return Answer(200, "text/html; charset=utf-8", html, delay_seconds=delay)

    def _html(self, number: int) -> str:
        title, paragraphs = self._text(number)
        links = [(self.urls[k], f"{KEYWORDS[self.level[k]]}第{k}期") for k in self._links[number]]
        return page_html(title, paragraphs, links)

    def _text(self, number: int) -> tuple[str, list[str]]:
        """Return title and paragraphs of a page."""
        if self._copies:
            return self._copy(number)
        draw = random.Random(number)
        sentences = self._subjects[number % len(self._subjects)]
        paragraphs = [
            f"{''.join(draw.sample(sentences, 3))}本报道编号{number}之{part}。" for part in range(4)
        ]
        return f"侨务工作报道第{number}期", paragraphs

    def _copy(self, number: int) -> tuple[str, list[str]]:
        story, copy = divmod(number, self._copies)
        draw = random.Random(f"story {story}")
        names = ["".join(chr(draw.randrange(0x4E00, 0x9000)) for _ in range(14)) for _ in range(16)]
        paragraphs = [
            f"{draw.choice(QIAOQING)}{name}，{other}。" for name, other in pairwise(names[1:])
        ]
        if copy % 2:
            del paragraphs[draw.randrange(2, len(paragraphs))]
        return f"侨务{names[0]}", paragraphs


def spacing_errors(arrivals: Sequence[Arrival], delay: float, concurrency: int = 1) -> list[str]:
    """Return the violations of politeness, one line each.

    A violation is two requests to one host (robots.txt included) less than *delay* seconds apart, or
    more than *concurrency* simultaneous requests.
    """
    errors = []
    by_host: dict[str, list[Arrival]] = defaultdict(list)
    for arrival in sorted(arrivals, key=lambda a: a.arrived):
        by_host[arrival.host].append(arrival)
    for host, seen in by_host.items():
        for i, later in enumerate(seen):
            if i and (gap := later.arrived - seen[i - 1].arrived) < delay:
                errors.append(f"{host}: {later.url} came {gap:.3f} s after the one before it")
            open_ones = sum(a.answered > later.arrived for a in seen[:i])
            if open_ones >= concurrency:
                errors.append(f"{host}: {later.url} came while {open_ones} were not answered")
    return errors


def order_errors(
    web: KnownWeb, *, delay: float, slack: float, concurrency: int = 1
) -> tuple[int, int]:
    """Return (fetches of a link that was not the best one, fetches), judged by the server.

    A fetch is wrong if for at least *slack* seconds a better link was known, not yet requested, and
    its host was ready; *slack* covers the time in which a response becomes links in the queue.  A
    host is ready if fewer than *concurrency* of its requests are open and its last response is
    *delay* seconds old.  The time of decision is the arrival of the fetch, or of the request for
    robots.txt directly before it at the same host.
    """
    fetches = sorted(web.fetches(), key=lambda a: a.arrived)
    known_at: dict[str, float] = {}
    asked_at: dict[str, float] = {}
    by_host: Mapping[str, list[Arrival]] = defaultdict(list)
    for arrival in sorted(web.arrivals, key=lambda a: a.arrived):
        by_host[arrival.host].append(arrival)
    for fetch in fetches:
        asked_at.setdefault(fetch.url, fetch.arrived)
        for url in web.links_of(fetch.url):
            known_at[url] = min(known_at.get(url, float("inf")), fetch.answered)
    hosts = {url: host_of(url) for url in web.urls}
    wrong = 0
    for fetch in fetches[1:]:
        decided = _decided(fetch, by_host[fetch.host])
        since = decided - slack
        better = (
            url
            for url, known in known_at.items()
            if web.value(url) > web.value(fetch.url)
            and known < since
            and asked_at.get(url, float("inf")) > fetch.arrived
        )
        ready: dict[str, bool] = {}
        for url in better:
            host = hosts[url]
            if host not in ready:
                ready[host] = _ready(by_host[host], since, decided, delay, concurrency)
            if ready[host]:
                wrong += 1
                break
    return wrong, len(fetches) - 1


def _decided(fetch: Arrival, at_host: Sequence[Arrival]) -> float:
    before = max(
        (a for a in at_host if a.arrived < fetch.arrived), key=lambda a: a.arrived, default=None
    )
    robots = before is not None and before.url.endswith("/robots.txt")
    return before.arrived if before is not None and robots else fetch.arrived


def _ready(
    seen: Sequence[Arrival], since: float, until: float, delay: float, concurrency: int
) -> bool:
    """Return whether a host was ready all the time from *since* to *until*."""
    before = [a for a in seen if a.arrived < until]
    if any(a.arrived > since for a in before):
        return False
    open_ones = sum(a.answered > since for a in before)
    last = max((a.answered for a in before), default=float("-inf"))
    return open_ones < concurrency and last + delay < since
