"""The generated web of portals as a stored web, with topics and seeds that are drawn, too.

Articles, lists and front pages of a topic's sections are relevant to it.  The seed set "near" consists of
articles on the topic, "far" of pages at least four links from any relevant page, as far as there are such
pages.  Another seed number is another web with other seeds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from topiccrawl.demo.draws import Draws
from topiccrawl.demo.fields import FieldWeb
from topiccrawl.demo.portal_pages import PortalPages
from topiccrawl.demo.portals import TOPIC_NAMES, PortalWeb
from topiccrawl.evaluation.webs.web import StoredPage, WebTopic

#: Words from which a topic's keywords are drawn: words of the vocabularies (demo/data/topic-*.toml).
_KEYWORDS = {
    "qiaoqing": ("侨务", "华侨", "华人", "侨胞", "侨联", "归侨", "侨眷", "侨乡"),
    "sport": ("体育", "比赛", "球队", "球员", "联赛", "教练", "球迷", "主场"),
    "finance": ("财经", "股市", "银行", "基金", "利率", "投资", "板块", "业绩"),
    "food": ("美食", "餐厅", "食材", "厨师", "小吃", "味道", "下饭", "做法"),
    "technology": ("科技", "芯片", "软件", "数据", "人工智能", "研发", "手机", "算法"),
    "estate": ("房产", "楼盘", "户型", "房贷", "写字楼", "物业", "二手房", "首付"),
}
#: Keywords, samples and seeds of a topic.
_WORDS, _EXAMPLES, _SEEDS = 6, 5, 5
#: Links between a far seed and the nearest relevant page.
_FAR = 4


class PortalStoredWeb:
    """A web of about *size* pages (>= 500), generated from *seed*."""

    language = "zh"
    _kind = "portals"
    _model: type[PortalWeb] = PortalWeb

    def __init__(self, size: int = 3_000, seed: int = 7) -> None:
        self.name = f"{self._kind}:{size}:{seed}"
        self._web = self._model(size, seed)
        self._pages = PortalPages(self._web)

    def __len__(self) -> int:
        """Number of pages."""
        return len(self._web.places)

    def urls(self) -> Iterator[str]:
        """Return the keys of all pages, domain by domain."""
        return iter(self._web.places)

    def get(self, url: str) -> StoredPage | None:
        """Generate the page with the key *url*; ``None`` if there is no such page."""
        if url not in self._web.places:
            return None
        return StoredPage(url, self._pages.html(url).encode(), "text/html; charset=utf-8")

    def close(self) -> None:
        """Do nothing: there are no files."""

    @cached_property
    def topics(self) -> Sequence[WebTopic]:
        """Topics of the web, with near and far seeds."""
        by_topic: dict[str, list[str]] = {name: [] for name in TOPIC_NAMES}
        for url, place in self._web.places.items():
            if place.kind == "category" or place.section is None:
                continue
            if place.section.topic in by_topic:
                by_topic[place.section.topic].append(url)
        return tuple(self._topic(name, pages) for name, pages in by_topic.items() if pages)

    def _topic(self, name: str, relevant: list[str]) -> WebTopic:
        draws = Draws(self._web.seed, "topic", name)
        words = _KEYWORDS[name]
        articles = [url for url in relevant if self._web.places[url].kind == "article"]
        return WebTopic(
            name=name,
            keywords=tuple(words[i] for i in draws.sample(_WORDS, len(words))),
            examples=_pick(draws, articles, _EXAMPLES),
            seeds={
                "near": _pick(draws, articles, _SEEDS),
                "far": _pick(draws, self._far(relevant), _SEEDS),
            },
            relevant=frozenset(relevant),
            description=TOPIC_NAMES[name],
        )

    def _far(self, relevant: Iterable[str]) -> list[str]:
        """Return the pages that are four links or more, or as many as possible, from *relevant*."""
        distance = dict.fromkeys(relevant, 0)
        queue = list(distance)
        for url in queue:
            for source in self._sources.get(url, ()):
                if source not in distance:
                    distance[source] = distance[url] + 1
                    queue.append(source)
        least = min(_FAR, max(distance.values()))
        return [url for url, links in distance.items() if links >= least]

    @cached_property
    def _sources(self) -> dict[str, list[str]]:
        """The pages that link to each page."""
        found: dict[str, list[str]] = {}
        for url in self._web.places:
            for target in self._web.links(url):
                found.setdefault(target, []).append(url)
        return found


class FieldStoredWeb(PortalStoredWeb):
    """The same with topical neighborhoods between sites; pages of directories are on no topic."""

    _kind = "fields"
    _model = FieldWeb


def _pick(draws: Draws, urls: Sequence[str], count: int) -> tuple[str, ...]:
    return tuple(urls[i] for i in draws.sample(count, len(urls)))
