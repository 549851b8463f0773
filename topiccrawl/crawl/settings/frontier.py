"""Settings of the frontier: queue, budgets, retries, crawler traps."""

from __future__ import annotations

from dataclasses import dataclass, fields

from topiccrawl.crawl.settings.declaration import Section, setting
from topiccrawl.crawl.settings.rules import Flag, Integer, Number, Text
from topiccrawl.frontier.options import DEFAULT_PREFIX, EXACT_LINKS, FrontierLimits
from topiccrawl.urls.traps import TrapRules

_LIMITS = FrontierLimits()
_TRAPS = TrapRules()


@dataclass(frozen=True, kw_only=True)
class FrontierSettings(Section):
    """The queue of links."""

    title = "Frontier 待抓队列"

    frontier_backend: str = setting(
        "FRONTIER_BACKEND",
        "sqlite",
        # Checked where the frontier is opened.
        Text(description="name or dotted path"),
        en="Where queued links are kept. `sqlite`: a file beside the store, which survives kill -9 "
        "and may be shared by several processes; the same command resumes the crawl. `redis`: a "
        "server for many machines (`REDIS_URL`; see topiccrawl/cluster/settings.py). `memory`: "
        "nothing outlives the process; also used when neither a store nor a folder is given. Or the "
        "dotted path of an opener of your own. See [frontier.md](frontier.md).",
        zh="sqlite：库文件旁的单个文件，强制终止不丢数据，多进程可共用，重复同一命令即续抓；"
        "redis：多机共用（见 topiccrawl/cluster/settings.py）；memory：仅存于内存；也可为自定义队列的点号路径。",
    )
    frontier_dir: str = setting(
        "FRONTIER_DIR",
        "",
        Text(),
        en="Folder of the SQLite frontier; empty: beside a SQLite store, `data` with another one.",
        zh="SQLite 队列所在目录，空为与库同目录。",
    )
    frontier_prefix: str = setting(
        "FRONTIER_PREFIX",
        DEFAULT_PREFIX,
        Text(),
        en="First part of all keys in Redis. Installations that share a server need different "
        "ones.",
        zh="Redis 键名前缀，多套系统共用一台 Redis 时用以区分。",
    )
    frontier_max_links: int = setting(
        "FRONTIER_MAX_LINKS",
        _LIMITS.max_links,
        Integer(low=0),
        unit="links",
        en="Maximum number of queued links; beyond it the worst are dropped. 0: no limit (about "
        "1 KB of memory each with `memory`).",
        zh="队列最多保留的链接数，超出时丢弃得分最低者；0 为不限（memory 方式每条约占 1 KB 内存）。",
    )
    frontier_exact_links: int = setting(
        "FRONTIER_EXACT_LINKS",
        EXACT_LINKS,
        Integer(low=1000),
        unit="links",
        en="Number of finished links that are remembered exactly; older ones are kept in Bloom "
        "filters with an error rate of 1e-6 each.",
        zh="精确记住的已抓链接数，更早者转入布隆过滤器（每个误判率百万分之一）。",
    )
    score_tolerance: float = setting(
        "FRONTIER_SCORE_TOLERANCE",
        0.001,
        Number(low=0),
        unit="share",
        en="In queues of over 20,000 links, a score is updated when the new one differs by more "
        "than this share of the old one.",
        zh="队列超过两万条时，新旧得分的相对差超过此值才更新。",
    )
    lease_seconds: float = setting(
        "FRONTIER_LEASE_SECONDS",
        _LIMITS.lease_seconds,
        Number(low=1),
        unit="seconds",
        en="A link that was handed out and has no outcome after this time returns to the queue.",
        zh="取出后超过此时间仍无结果的链接重新入队（秒）。",
    )
    worker_seconds: float = setting(
        "FRONTIER_WORKER_SECONDS",
        _LIMITS.worker_seconds,
        Number(low=1),
        unit="seconds",
        en="A worker without a heartbeat for this time counts as dead, and others get its links; "
        "with `sqlite` this is detected at once.",
        zh="多久没有心跳即视为工作进程已死，其链接交给别的进程（秒；sqlite 方式立即得知）。",
    )
    # Guesses: a site of an overseas Chinese affairs office has some thousand pages; at a page per
    # second a trap costs half an hour of its own host, which delays no other.  The inverse of the
    # growth is the share of relevant pages with which a host never reaches its budget; the hosts
    # that matter to a topic have 10 % and more.
    host_budget: int = setting(
        "HOST_BUDGET_PAGES",
        2000,
        Integer(low=0),
        unit="pages",
        en="Maximum number of pages of one host; 0: no limit.",
        zh="单个主机可抓页数；0 为不限。",
    )
    host_budget_growth: int = setting(
        "HOST_BUDGET_GROWTH",
        20,
        Integer(low=0),
        unit="pages",
        en="Pages that each relevant page adds to the budget of its host: a host with 5 % relevant "
        "pages never reaches it.",
        zh="每个相关页面给主机增加的可抓页数。",
    )
    # An estimate: a city's news site has some 10,000 pages that its lists still show.
    site_pages: int = setting(
        "SITE_PAGES",
        10_000,
        Integer(low=0),
        unit="pages",
        en="Maximum number of pages of a site that is crawled as a whole (`whole = true`, "
        "[sites.md](sites.md)), if it is more than that of any host. 0: the same as for any host.",
        zh="整站抓取（whole = true）的站点可抓页数，大于单个主机的限额时有效；0 为与其他主机相同。",
    )
    max_pages: int = setting(
        "MAX_PAGES",
        0,
        Integer(low=0),
        unit="pages",
        en="A run ends when this worker has fetched so many HTML pages; robots.txt, redirects, errors and "
        "other files do not count, unlike in Scrapy's `CLOSESPIDER_PAGECOUNT`. 0: no limit, or the "
        "topic's `max_pages`. The topic spider takes `-a pages=…` as well.",
        zh="本次运行（每个工作进程）抓满这么多 HTML 网页即结束；robots.txt、重定向、出错和其他文件不计；"
        "0 为不限（或用主题的 max_pages）；也可用 -a pages=…。",
    )
    reseed: bool = setting(
        "RESEED",
        True,
        Flag(),
        en="A crawl that finds nothing for long, or runs out of links, tries the sites above the "
        "relevant pages it has found, and the folders that pages link to "
        "([scoring.md](scoring.md#stagnation-停滞)). `False`: stagnation is only reported.",
        zh="长时间无新发现（停滞）或队列抓空时，以相关页面的站点首页和有链接的上级目录为新种子；False 则只作提示。",
    )
    retry_delay_seconds: float = setting(
        "RETRY_DELAY_SECONDS",
        60,
        Number(low=0),
        unit="seconds",
        en="First delay before a failed link is tried again; four times longer each time, at most "
        "six hours. Scrapy's quick retries (`RETRY_TIMES`) come before.",
        zh="失败页面的首次重试延迟（秒），之后每次四倍，至多六小时。",
    )
    retry_max_attempts: int = setting(
        "RETRY_MAX_ATTEMPTS",
        _LIMITS.max_attempts,
        Integer(low=1),
        unit="attempts",
        en="A link is given up after this many failed attempts.",
        zh="失败达到此次数后放弃。",
    )


@dataclass(frozen=True, kw_only=True)
class TrapSettings(Section):
    """Rules against crawler traps; ``trap_<rule>`` sets the rule of :class:`TrapRules`."""

    title = "Traps 爬虫陷阱"
    intro = (
        "URLs that sites generate without end; [urls.md](urls.md) gives each rule with its reason "
        "and its risk. 0 turns a rule off."
    )
    intro_zh = "网站无限生成的地址；0 为关闭该项；说明见 docs/urls.md。"

    trap_max_url_chars: int = setting(
        "TRAP_MAX_URL_CHARS",
        _TRAPS.max_url_chars,
        Integer(low=0),
        unit="characters",
        en="Maximum length of a URL.",
        zh="URL 的最大长度。",
    )
    trap_max_path_depth: int = setting(
        "TRAP_MAX_PATH_DEPTH",
        _TRAPS.max_path_depth,
        Integer(low=0),
        unit="segments",
        en="Maximum depth of a path.",
        zh="路径的最大层数。",
    )
    trap_max_host_labels: int = setting(
        "TRAP_MAX_HOST_LABELS",
        _TRAPS.max_host_labels,
        Integer(low=0),
        unit="labels",
        en="Maximum number of labels (parts between dots) of a host name.",
        zh="主机名的最大层数。",
    )
    trap_repeated_labels: int = setting(
        "TRAP_REPEATED_LABELS",
        _TRAPS.repeated_labels,
        Integer(low=2, or_zero=True),
        unit="times",
        en="A label occurs this often in a host name.",
        zh="主机名中同一标签重复的次数。",
    )
    trap_repeated_segments: int = setting(
        "TRAP_REPEATED_SEGMENTS",
        _TRAPS.repeated_segments,
        Integer(low=2, or_zero=True),
        unit="times",
        en="A segment, or a sequence of up to five, is repeated this often in a row.",
        zh="同一路径段（或至多五段的序列）连续重复的次数。",
    )
    trap_repeated_parameters: int = setting(
        "TRAP_REPEATED_PARAMETERS",
        _TRAPS.repeated_parameters,
        Integer(low=2, or_zero=True),
        unit="times",
        en="A parameter occurs this often with the same value.",
        zh="同名同值参数重复的次数。",
    )
    trap_max_parameters: int = setting(
        "TRAP_MAX_PARAMETERS",
        _TRAPS.max_parameters,
        Integer(low=0),
        unit="parameters",
        en="Maximum number of parameters of a query.",
        zh="查询串的最大参数个数。",
    )
    trap_calendar_months: int = setting(
        "TRAP_CALENDAR_MONTHS",
        _TRAPS.calendar_months,
        Integer(low=0),
        unit="months",
        en="Pages of a calendar further in the future.",
        zh="日历页面超出今后此月数的部分。",
    )
    trap_calendar_first_year: int = setting(
        "TRAP_CALENDAR_FIRST_YEAR",
        _TRAPS.calendar_first_year,
        Integer(low=0),
        unit="year",
        en="Pages of a calendar before this year.",
        zh="日历页面早于此年份的部分。",
    )
    pattern_pages: int = setting(
        "PATTERN_BUDGET_PAGES",
        30,
        Integer(low=0),
        unit="pages",
        en="A family of URLs (numbers count as equal) is left after this many pages in a row whose "
        "text was on other pages of the host already; a folder, a script or a host after twice as "
        "many.",
        zh="同一类地址（数字视为相同）连续多少页没有新内容（文字都在该主机其他页面上出现过）时放弃；"
        "目录、脚本和主机为两倍；0 为关闭。",
    )
    domain_names: int = setting(
        "DOMAIN_BUDGET_HOSTS",
        200,
        Integer(low=0),
        unit="host names",
        en="Host names of one registered domain (`example.com.cn`) that are contacted; one more for "
        "every two new pages on the topic.",
        zh="同一注册域名（如 `example.com.cn`）下最多访问的主机名个数；每两个新的切题页面增加一个；0 为关闭。",
    )
    learn_parameters: bool = setting(
        "LEARN_PARAMETERS",
        True,
        Flag(),
        en="Learn for each host which URL parameters change nothing, and leave them out.",
        zh="自动学习各主机无意义的 URL 参数并去除。",
    )
    learn_mirrors: bool = setting(
        "LEARN_MIRRORS",
        True,
        Flag(),
        en="Learn from equal pages which hosts are mirrors (http and https, www, m, wap) and which addresses "
        "are versions of a page for printing or for phones, and fetch each page once.",
        zh="根据内容相同的页面自动学习镜像主机（http/https、www、m、wap）以及打印版、手机版地址，每页只抓一次。",
    )

    @property
    def trap_rules(self) -> TrapRules:
        """The rules as one record."""
        return TrapRules(**{r.name: getattr(self, f"trap_{r.name}") for r in fields(TrapRules)})
