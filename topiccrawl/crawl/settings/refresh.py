"""Settings of revisits."""

from __future__ import annotations

from dataclasses import dataclass

from topiccrawl.crawl.settings.declaration import Section, setting
from topiccrawl.crawl.settings.rules import Choice, Flag, Integer, Number
from topiccrawl.freshness.config import POLICIES, FreshnessConfig, Policy


@dataclass(frozen=True, kw_only=True)
class RefreshSettings(Section):
    """Settings of revisits."""

    title = "Refresh 更新"
    intro = "Pages that are visited again, and how often: [revisits.md](revisits.md)."
    intro_zh = "已入库页面的回访及其频率；说明见 docs/revisits.md。"

    refresh_share: float = setting(
        "REFRESH_SHARE",
        0.0,
        Number(low=0, high=1),
        unit="share",
        en="Share of the requests of a crawl that are revisits of stored pages and lists; 0: none. 1: "
        "nothing but revisits and the new pages that they lead to, as `scrapy refresh` does.",
        zh="抓取请求中用于回访已有网页和列表页的比例；0 为不回访；1 为只回访，并抓取由此发现的新页面"
        "（即 scrapy refresh）。",
    )
    refresh_policy: Policy = setting(
        "REFRESH_POLICY",
        "age-index",
        Choice(POLICIES),
        en="How revisits are ordered. `optimal` needs known change rates; see "
        "[revisits.md](revisits.md).",
        zh="回访的排序方法；optimal 须已知变化率；说明见 docs/revisits.md。",
    )
    refresh_per_day: int = setting(
        "REFRESH_PER_DAY",
        1000,
        Integer(low=0),
        unit="visits",
        en="Revisits of articles within 24 hours, at most; visits of list pages and feeds, which have a "
        "limit each, do not count. 0: no limit.",
        zh="24 小时内最多回访多少个文章页；列表页和订阅源另有限制，不计在内；0 为不限。",
    )
    refresh_least_hours: float = setting(
        "REFRESH_LEAST_HOURS",
        FreshnessConfig().min_hours,
        Number(low=0.01),
        unit="hours",
        en="Least time between two visits of an article.",
        zh="同一文章页两次访问的最短间隔（小时）。",
    )
    refresh_hours: float = setting(
        "REFRESH_HOURS",
        0.0,
        Number(low=0),
        unit="hours",
        en="How long a run of revisits goes on, waiting for what becomes due; 0: it ends when nothing is "
        "due.",
        zh="只回访的运行持续多久（小时），期间等待到期的页面；0 为没有到期页面时即结束。",
    )
    list_visits_per_day: int = setting(
        "LIST_VISITS_PER_DAY",
        FreshnessConfig().list_polls,
        Integer(low=1),
        unit="visits",
        en="Visits of one list page or feed within 24 hours, at most.",
        zh="同一列表页或订阅源 24 小时内最多访问的次数。",
    )
    refresh_conditional: bool = setting(
        "REFRESH_CONDITIONAL",
        True,
        Flag(),
        en="Ask for a page only if it has changed (`If-None-Match`, `If-Modified-Since`), where its site "
        "answers that truthfully.",
        zh="回访时使用条件请求（If-None-Match、If-Modified-Since）；网站应答不实的除外。",
    )
