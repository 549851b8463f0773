"""The demonstration web in time: articles appear and change by a seeded schedule, lists roll on, templates rotate.

A clock decides what is shown, so that a simulation drives it.  The truth of every article and list is known.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final
from xml.sax.saxutils import escape

from topiccrawl.demo.atlas import Atlas
from topiccrawl.demo.draws import Draws
from topiccrawl.demo.links import Anchor, Links
from topiccrawl.demo.pages import NEWEST_ON_HOME, Pages
from topiccrawl.demo.sites import LIST_LENGTH, Site
from topiccrawl.demo.text import compose
from topiccrawl.demo.urls import Address
from topiccrawl.demo.web import DemoWeb
from topiccrawl.page.dates import CHINA_TIME
from topiccrawl.webserver.answers import Answer

_DAY: Final = 86_400.0
#: New articles of a channel a day, of which one is drawn (a choice: from a town's notices to a news wire).
_NEW_A_DAY: Final = (0.5, 2, 6, 15, 40, 80)
#: Hours of the day (China) in which articles appear, and how many of them in each (a guess: office hours).
_OFFICE: Final = (*[0.2] * 7, *[1.0] * 2, *[2.2] * 9, *[0.8] * 4, *[0.3] * 2)
#: Changes of an article a day, of which one is drawn (a choice: most hardly ever change).
_CHANGES_A_DAY: Final = (0.0, 0.0, 0.0, 0.02, 0.05, 0.2, 1.0)
#: Bursts of a channel a day, and the share of its articles that each changes.
_BURSTS_A_DAY: Final = 0.15
_BURST_SHARE: Final = 0.3
#: What a sitemap states: share of the changes, and share of its statements that are true.
_RECALL: Final = 0.8
_PRECISION: Final = 0.9


@dataclass(frozen=True, slots=True)
class Listed:
    """One entry of a list page: when it is listed."""

    url: str
    since: float
    until: float


class ChangingWeb(DemoWeb):
    """The demonstration web from *start* on, for *days* days, at the time of *clock* (seconds).

    The sites of every other host send validators and no rotating parts; on the others navigation, dates,
    counters and advertisements differ every hour, and there are no validators.
    """

    def __init__(
        self,
        seed: int = 7,
        size: int = 800,
        *,
        clock: Callable[[], float],
        start: float,
        days: float = 7.0,
    ) -> None:
        super().__init__(seed, size, hazards=False)
        self.clock = clock
        self.start = start
        self.end = start + days * _DAY
        self._links = _Links(self.atlas, self)
        self._pages = _Pages(self.atlas, self._links, self)
        self._arrivals = lru_cache(None)(self._make_arrivals)
        self._changes = lru_cache(None)(self._make_changes)

    # -- the schedule --------------------------------------------------------------------------

    def arrivals(self, site: Site, channel: int) -> Sequence[float]:
        """Return the times at which the newest articles of a channel appear, in order."""
        return self._arrivals(site.host, channel)

    def first(self, site: Site, channel: int) -> int:
        """Return the number of the newest article of a channel."""
        times = self.arrivals(site, channel)
        return len(times) - bisect_right(times, self.clock())

    def changes(self, site: Site, channel: int, number: int) -> Sequence[float]:
        """Return the times at which the body of an article changes, in order."""
        return self._changes(site.host, channel, number)

    def version(self, at: Address) -> int:
        """Return how often an article has changed."""
        return bisect_right(self.changes(at.site, at.channel, at.number), self.clock())

    def listed_entries(self, url: str) -> Iterator[Listed]:
        """Yield the articles that a list page, the first of its channel, comes to list."""
        at = self.atlas.parse(url)
        if at is None or at.kind != "list" or at.number:
            return
        times = self.arrivals(at.site, at.channel)
        for index, since in enumerate(times):
            after = index + LIST_LENGTH
            until = times[after] if after < len(times) else self.end
            number = len(times) - 1 - index
            yield Listed(self.atlas.article_url(at.site, at.channel, number), since, until)

    def rotates(self, site: Site) -> bool:
        """Whether the template of a site differs every hour."""
        return Draws(self.seed, "rotates", site.host).below(2) == 0

    # -- answers -------------------------------------------------------------------------------

    def answer(self, url: str, attempt: int = 1) -> Answer | None:
        """Return the response at the present time."""
        at = self.atlas.parse(url)
        if at is not None and at.kind == "article" and at.number < self.first(at.site, at.channel):
            return Answer(404, "text/html; charset=utf-8", "<h1>页面不存在</h1>".encode())
        if at is not None and at.kind == "sitemap":
            return Answer(200, "application/xml", self._map(at.site))
        return super().answer(url, attempt) if at is None else self._render(at)

    def etag(self, url: str, answer: Answer) -> str:
        """Return the ETag of an answer, empty on sites without validators."""
        at = self.atlas.parse(url)
        if at is None or answer.status != 200 or self.rotates(at.site):
            return ""
        return f'"{hashlib.blake2b(answer.body, digest_size=8).hexdigest()}"'

    def _map(self, site: Site) -> bytes:
        entries = []
        for channel, entry in enumerate(site.channels):
            for number in range(self.first(site, channel), entry.articles):
                url = escape(self.atlas.article_url(site, channel, number))
                stated = self._stated(site, channel, number)
                when = "" if stated is None else f"<lastmod>{stated}</lastmod>"
                entries.append(f"<url><loc>{url}</loc>{when}</url>\n")
        text = "".join(entries)
        return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset>\n{text}</urlset>\n'.encode()

    def _stated(self, site: Site, channel: int, number: int) -> str | None:
        """Return what the sitemap states of an article: not all changes, and some that are none."""
        now = self.clock()
        draws = Draws(self.seed, "stated", site.host, channel, number)
        times = self.changes(site, channel, number)
        stated = [at for at in times if draws.chance(_RECALL)]
        extra = 1 / _PRECISION - 1
        stated += [at + 9_000 for at in stated if draws.chance(extra)]
        past = [at for at in stated if at <= now]
        if not past:
            return None
        return datetime.fromtimestamp(max(past), UTC).isoformat(timespec="seconds")

    def _make_arrivals(self, host: str, channel: int) -> list[float]:
        site = self.atlas.by_host[host]
        draws = Draws(self.seed, "arrivals", host, channel)
        rate = draws.pick(_NEW_A_DAY)
        # At least one full list is there from the beginning.
        most = max(0, site.channels[channel].articles - LIST_LENGTH)
        days = (self.end - self.start) / _DAY
        return sorted(self._office(draws) for _ in range(min(most, round(rate * days))))

    def _office(self, draws: Draws) -> float:
        days = round((self.end - self.start) / _DAY)
        while True:
            at = self.start + (draws.below(days * 86_400) + draws.below(1000) / 1000)
            hour = datetime.fromtimestamp(at, CHINA_TIME).hour
            if draws.below(1000) / 1000 * max(_OFFICE) < _OFFICE[hour]:
                return at

    def _make_changes(self, host: str, channel: int, number: int) -> list[float]:
        draws = Draws(self.seed, "changes", host, channel, number)
        rate, days = draws.pick(_CHANGES_A_DAY), (self.end - self.start) / _DAY
        count = int(rate * days) + draws.chance(rate * days - int(rate * days))
        times = [self._office(draws) for _ in range(count)]
        bursts = Draws(self.seed, "bursts", host, channel)
        count = int(_BURSTS_A_DAY * days) + bursts.chance(_BURSTS_A_DAY * days % 1)
        for _ in range(count):
            at = self._office(bursts)
            if draws.chance(_BURST_SHARE):
                times.append(at + draws.below(1800))
        born = self._born(host, channel, number)
        return sorted(at for at in times if at > born)

    def _born(self, host: str, channel: int, number: int) -> float:
        times = self._arrivals(host, channel)
        return times[len(times) - 1 - number] if number < len(times) else self.start


class _Links(Links):
    """Links at the present time: none leads to an article that has not appeared yet."""

    def __init__(self, atlas: Atlas, web: ChangingWeb) -> None:
        super().__init__(atlas, hazards=False)
        self._web = web

    def article(self, site: Site, channel: int, number: int, seen_from: object) -> Anchor:
        first = self._web.first(site, channel)
        if seen_from == "home" and number < NEWEST_ON_HOME:
            number = min(number + first, site.channels[channel].articles - 1)
        return super().article(site, channel, max(number, first), seen_from)

    def listed(self, site: Site, channel: int, page: int) -> list[tuple[int, Anchor]]:
        first = self._web.first(site, channel) + page * LIST_LENGTH
        last = min(first + LIST_LENGTH, site.channels[channel].articles)
        return [
            (number, self.article(site, channel, number, ("list", channel, page)))
            for number in range(first, last)
        ]

    def hot(self, at: Address) -> list[Anchor]:
        found = super().hot(at)
        if not self._web.rotates(at.site) or not found:
            return found
        turn = int(self._web.clock() // 3600) % len(found)
        return found[turn:] + found[:turn]


class _Pages(Pages):
    """Pages at the present time."""

    def __init__(self, atlas: Atlas, links: Links, web: ChangingWeb) -> None:
        super().__init__(atlas, links)
        self._web = web

    def article_texts(self, at: Address) -> tuple[str, ...]:
        texts = list(super().article_texts(at))
        seed = self._web.seed
        for version in range(1, self._web.version(at) + 1):
            draws = Draws(seed, "edit", at.site.host, at.channel, at.number, version)
            other = compose(
                seed, "local", f"edit/{at.site.host}/{at.channel}/{at.number}/{version}"
            )
            text = draws.pick(other.paragraphs)
            match draws.below(3):
                case 0:
                    texts.append(f"更新：{text}")
                case 1:
                    texts[draws.below(len(texts))] = text
                case _:
                    place = draws.below(len(texts))
                    texts[place] = f"{texts[place]}{text}"
        if self._web.rotates(at.site):
            hour = int(self._web.clock() // 3600)
            texts.insert(0, f"阅读：{1000 + hour % 9973} 次　评论：{hour % 31}")
            texts.append(f"【广告】{('夏季', '秋季', '冬季')[hour % 3]}优惠，仅此{hour % 9 + 1}日")
        return tuple(texts)

    def frame(self, at: Address, title: str, main: str, head: str = "", crumbs: str = "") -> str:
        if self._web.rotates(at.site):
            now = datetime.fromtimestamp(self._web.clock(), CHINA_TIME)
            week = "一二三四五六日"[now.weekday()]
            main = f"<div class=today>今天是{now:%Y年%m月%d日} 星期{week}</div>\n{main}"
        return super().frame(at, title, main, head, crumbs)
