"""The generated demonstration web as a stored web of any size, with its ground truth as labels.

The web is generated without traps and broken pages.  Articles and lists of a topic's channels are
relevant to it.  The seed set "near" consists of articles on the topic, "far" of pages at least three
links away from any relevant page, as far as there are such pages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from html import unescape
from re import compile as pattern
from urllib.parse import urljoin

from topiccrawl.demo.web import DemoWeb
from topiccrawl.evaluation.webs.urls import web_key
from topiccrawl.evaluation.webs.web import StoredPage, WebTopic

#: Keywords that a user might choose: words of the vocabularies (demo/data/topic-*.toml).
_KEYWORDS = {
    "qiaoqing": ("侨情", "华侨", "华人", "侨胞", "侨务", "侨联", "归侨", "侨眷", "侨乡"),
    "sport": ("体育", "比赛", "球队", "球员", "联赛", "教练", "球迷"),
    "finance": ("财经", "股市", "银行", "基金", "利率", "投资", "市场"),
    "food": ("美食", "菜", "餐厅", "食材", "厨师", "小吃", "味道"),
    "technology": ("科技", "芯片", "软件", "数据", "人工智能", "研发", "手机"),
}
#: Example pages of a topic, and sample pages.
_EXAMPLES = 5
#: Pages in a seed set.
_SEEDS = 5
#: Candidates for far seeds; each one takes about thirty generated pages (30 ms).
_CANDIDATES = 40
#: Links between a far seed and the nearest relevant page.
_FAR = 3
_HREF = pattern(r"""<a\s[^>]*?href=["']?([^"'\s>]+)""")


class DemoStoredWeb:
    """The demonstration web with about *size* pages (>= 100), generated from *seed*."""

    language = "zh"

    def __init__(self, size: int = 800, seed: int = 7) -> None:
        self.name = f"demo:{size}:{seed}"
        self._web = DemoWeb(seed, size, hazards=False)
        self._urls = {web_key(url) or "": url for url in self._web.pages()}
        self._links: dict[str, tuple[str, ...]] = {}

    def __len__(self) -> int:
        """Number of pages."""
        return len(self._urls)

    def urls(self) -> Iterator[str]:
        """Return the keys of all pages, site by site."""
        return iter(self._urls)

    def get(self, url: str) -> StoredPage | None:
        """Generate the page with the key *url*; ``None`` if there is no such page."""
        own = self._urls.get(url)
        answer = self._web.answer(own, attempt=2) if own is not None else None
        if answer is None:
            return None
        return StoredPage(url, answer.body, answer.content_type, answer.status, answer.location)

    def find(self, url: str) -> str | None:
        """Return the key under which a URL with tracking or session parameters is stored."""
        if url in self._urls:
            return url
        own = web_key(self._web.canonical(url) or "")
        return own if own in self._urls else None

    def close(self) -> None:
        """Do nothing: there are no files."""

    @cached_property
    def topics(self) -> Sequence[WebTopic]:
        """Topics of the web, with near and far seeds."""
        by_topic: dict[str, list[str]] = {name: [] for name in _KEYWORDS}
        for url, own in self._urls.items():
            if self._web.kind_of(own) in ("article", "list"):
                for name in self._web.topics_of(own):
                    by_topic.get(name, []).append(url)
        return tuple(self._topic(name, pages) for name, pages in by_topic.items())

    def _topic(self, name: str, relevant: list[str]) -> WebTopic:
        articles = [url for url in relevant if self._web.kind_of(self._urls[url]) == "article"]
        near = _spread(articles, _EXAMPLES)
        return WebTopic(
            name=name,
            keywords=_KEYWORDS[name],
            examples=near,
            seeds={"near": near, "far": self._far(frozenset(relevant))},
            relevant=frozenset(relevant),
            description=_KEYWORDS[name][0],
            bare_word=_KEYWORDS[name][0],
            samples=_spread([url for url in articles if url not in near], _EXAMPLES),
        )

    def _far(self, relevant: frozenset[str]) -> tuple[str, ...]:
        candidates = _spread(list(self._urls), _CANDIDATES)
        far = sorted(candidates, key=lambda url: -self._distance(url, relevant))
        return tuple(far[:_SEEDS])

    def _distance(self, url: str, relevant: frozenset[str]) -> int:
        """Return the links from *url* to the nearest relevant page, at most 3; 0 for dead ends."""
        reached = {url}
        for distance in range(_FAR):
            if reached & relevant or not reached:
                return distance if reached else 0
            reached = {target for page in reached for target in self._targets(page)}
        return _FAR if reached else 0

    def _targets(self, url: str) -> tuple[str, ...]:
        if url not in self._links:
            html = self._web.html(self._urls[url]) or ""
            keys = (web_key(urljoin(url, unescape(href))) for href in _HREF.findall(html))
            found = (self.find(key) for key in dict.fromkeys(keys) if key)
            self._links[url] = tuple(dict.fromkeys(key for key in found if key))
        return self._links[url]


def _spread(urls: Sequence[str], count: int) -> tuple[str, ...]:
    """Return at most *count* of the URLs, evenly spaced."""
    step = max(1, len(urls) // count)
    return tuple(urls[::step][:count])
