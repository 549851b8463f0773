"""Links of the pages: related articles, off-topic links, popular articles, special pages.

The structure follows what the literature reports of the web: most links of an article stay within
its topic or its site, some lead anywhere, and pages of a topic form clusters.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from topiccrawl.demo.draws import Draws
from topiccrawl.demo.sites import LIST_LENGTH, Site
from topiccrawl.demo.urls import Address, article_id

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topiccrawl.demo.atlas import Atlas

#: Numbers of links and probabilities of special links (guesses that give 10 to 14 links between
#: articles per page).
RELATED = 5
HOT = 5
ELSEWHERE_SHARE = 0.5
STRAY_SHARE = 0.25
DEAD_SHARE = 0.1
OLD_SHARE = 0.3


@dataclass(frozen=True, slots=True)
class Anchor:
    """A link with its anchor text."""

    url: str
    """Absolute."""
    text: str


class Links:
    """Chooses the links of pages; deterministic for each page."""

    def __init__(self, atlas: Atlas, hazards: bool) -> None:
        self._atlas = atlas
        self._hazards = hazards

    def article(self, site: Site, channel: int, number: int, seen_from: object) -> Anchor:
        """Return a link to an article, with the session or tracking parameters of its site."""
        url = self._atlas.article_url(site, channel, number)
        if "sessions" in site.features:
            session = Draws(self._atlas.seed, "session", site.host, seen_from).below(1 << 28)
            url += f"{'&' if '?' in url else '?'}sid={session:08x}"
        elif "tracking" in site.features and number % 2:
            url += f"?utm_source=web&spm=a2.{channel + 1}.{number % 7}"
        return Anchor(url, self._atlas.title(site, channel, number))

    def related(self, at: Address) -> list[Anchor]:
        """Return the links at the end of an article: related articles here and elsewhere."""
        site, own = at.site, at.site.channels[at.channel]
        draws = Draws(self._atlas.seed, "related", site.host, at.channel, at.number)
        numbers = [(at.number + step) % own.articles for step in (1, 2, 3)]
        numbers += draws.sample(RELATED - len(numbers), own.articles)
        found = [
            self.article(site, at.channel, number, at.number)
            for number in dict.fromkeys(numbers)
            if number != at.number
        ]
        if draws.chance(ELSEWHERE_SHARE):
            found.append(self._from_topic(own.topic, site.region, draws))
        if draws.chance(STRAY_SHARE):
            found.append(self._stray(site.region, draws))
        return found

    def hot(self, at: Address) -> list[Anchor]:
        """Return the popular articles of the sidebar, including outdated and dead links."""
        site = at.site
        draws = Draws(self._atlas.seed, "hot", site.host, at.kind, at.channel, at.number)
        if not site.channels:
            return []
        chosen: dict[tuple[int, int], None] = {}
        for _ in range(HOT):
            channel = draws.below(len(site.channels))
            chosen[channel, draws.below(site.channels[channel].articles)] = None
        found = [self.article(site, *place, at.number) for place in chosen]
        channel = draws.below(len(site.channels))
        number = draws.below(site.channels[channel].articles)
        if "chains" in site.features and draws.chance(OLD_SHARE):
            title = self._atlas.title(site, channel, number)
            old = f"http://{site.host}/old/{article_id(channel, number)}.html"
            found.append(Anchor(old, title))
        if self._hazards and draws.chance(DEAD_SHARE):
            dead = f"http://{site.host}/content/9{draws.below(10**8):09d}.htm"
            found.append(Anchor(dead, "往期回顾"))
        if self._hazards and "members" in site.features:
            member = 1 + draws.below(500)
            found.append(Anchor(f"http://{site.host}/member/{member}.html", f"会员{member:04d}"))
        return found

    def listed(self, site: Site, channel: int, page: int) -> list[tuple[int, Anchor]]:
        """Return the articles of one list page with their numbers."""
        first = page * LIST_LENGTH
        last = min(first + LIST_LENGTH, site.channels[channel].articles)
        return [
            (number, self.article(site, channel, number, ("list", channel, page)))
            for number in range(first, last)
        ]

    def friends(self, site: Site) -> list[Anchor]:
        """Return the partner sites in the footer (友情链接)."""
        others = [self._atlas.site(site.region, key) for key in site.friends]
        return [Anchor(other.root, other.name) for other in others]

    def tunnel_entrances(self, site: Site) -> list[Anchor]:
        """Return links to the first pages of the tunnels on *site*."""
        return [
            Anchor(f"http://{site.host}/zt/{tunnel.number}/1.html", f"专题第{tunnel.number + 1}期")
            for tunnel in self._atlas.tunnels(site.region)
            if tunnel.site is site
        ]

    def oddities(self, site: Site) -> list[Anchor]:
        """Return the links of a home page to the site's special pages and traps."""
        special: list[tuple[str, str, str, bool]] = [
            ("frames", "/special/", "框架版", False),
            ("map", "/map.html", "城市地图", False),
            ("repeat", "/photo/", "图片频道", True),
            ("loop", "/goto/loop?n=1", "手机版", True),
            ("calendar", "/calendar?y=2024&m=6", "财经日历", True),
            ("slow", "/slow.html", "全县名录", True),
            ("binary", "/files/report.html", "附件下载", True),
            ("blank", "/blank.html", "客服中心", True),
            ("deep", "/deep.html", "旧版导航", True),
            ("maze", "/error.html", "意见反馈", True),
            ("members", "/search?q=1", "搜索", True),
        ]
        found = [
            Anchor(f"http://{site.host}{path}", text)
            for feature, path, text, hazard in special
            if feature in site.features and (self._hazards or not hazard)
        ]
        if "refresh" in site.features:
            ident = article_id(0, min(3, site.channels[0].articles - 1))
            found.append(Anchor(f"http://{site.host}/go/{ident}.html", "今日头条"))
        return found

    def topical(self, topic: str, region: int, count: int, *key: object) -> list[Anchor]:
        """Return *count* articles of *topic* in *region*, drawn by *key*."""
        draws = Draws(self._atlas.seed, "topical", region, *key)
        return [self._from_topic(topic, region, draws) for _ in range(count)]

    def directory(self, site: Site) -> Iterator[tuple[str, list[Site]]]:
        """Yield the categories of the hub's directory with the sites in each."""
        names = {
            "新闻": ("haibinnews", "zonghe", "nanyang"),
            "城市": ("haibin", "chengshi", "yuanfang"),
        }
        more = {
            "体育财经": ("qiusai", "caijing", "eastbay"),
            "生活": ("meishi", "luntan", "loupan"),
            "科技与社会": ("keji", "qiaobao", "qiaowang"),
        }
        for name, keys in (names | more).items():
            yield name, [self._atlas.site(site.region, key) for key in keys]

    def regions(self, site: Site) -> list[Anchor]:
        """Return the hub's links to the hubs of two further regions; they form a binary tree."""
        found = []
        for region in (2 * site.region + 1, 2 * site.region + 2):
            if region < self._atlas.regions:
                other = self._atlas.site(region, site.key)
                found.append(Anchor(other.root, other.name))
        return found

    def _from_topic(self, topic: str, region: int, draws: Draws) -> Anchor:
        site, channel = draws.pick(self._atlas.channels_of(topic, region))
        return self.article(site, channel, draws.below(site.channels[channel].articles), topic)

    def _stray(self, region: int, draws: Draws) -> Anchor:
        return self._from_topic(draws.pick(_STRAY_TOPICS), region, draws)


_STRAY_TOPICS = ("local", "sport", "finance", "food", "technology", "estate", "qiaoqing", "english")
