"""Settings of the store, of versions and personal data in it, of progress reports and of clusters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

from topiccrawl.crawl.settings.declaration import Section, setting
from topiccrawl.crawl.settings.rules import Choice, Flag, Integer, Number, Text
from topiccrawl.store.uri import address_of

Live = Literal["auto", "on", "off"]


class StoreAddress(Text):
    """The address of a store, or the file of a SQLite store."""

    def checked(self, name: str, value: Any) -> str:
        return address_of(super().checked(name, value))


@dataclass(frozen=True, kw_only=True)
class StoreSettings(Section):
    """Settings of the store."""

    title = "Store 存储"

    store_uri: str = setting(
        "STORE_URI",
        "",
        StoreAddress(),
        project_value="sqlite:///data/topiccrawl.sqlite",
        en="Address of the store: `sqlite:///relative/path.sqlite`, "
        "`sqlite:////absolute/path.sqlite` or `mongodb://host:27017/database`; a file whose name ends in "
        "`.sqlite`, `.sqlite3` or `.db` is a SQLite store, too; see "
        "[store.md](store.md). Empty: nothing is stored, feeds still work; this is the default of "
        "a project that only enables the add-on.",
        zh="存储地址，或 SQLite 数据库文件（.sqlite、.sqlite3、.db）；"
        "空字符串表示不入库（feed 导出仍可用），只启用插件的项目默认为空。",
    )
    store_html: bool = setting(
        "STORE_HTML",
        False,
        Flag(),
        en="Keep the HTML of stored pages, compressed with zlib.",
        zh="是否保存压缩后的原始 HTML。",
    )
    store_markdown: bool = setting(
        "STORE_MARKDOWN",
        False,
        Flag(),
        en="Keep the body of stored pages also as Markdown, with headings, lists, tables, quotations, "
        "code and images, and the address of the main image ([page-analysis.md]"
        "(page-analysis.md#markdown)).",
        zh="是否同时以 Markdown 保存正文（标题、列表、表格、引文、代码、图片）及主图地址。",
    )
    store_batch_pages: int = setting(
        "STORE_BATCH_PAGES",
        100,
        Integer(low=1),
        unit="records",
        en="A batch is written when this many records are waiting.",
        zh="攒够多少条即写入。",
    )
    store_flush_seconds: float = setting(
        "STORE_FLUSH_SECONDS",
        0.2,
        Number(low=0.0),
        unit="seconds",
        en="A batch is written at the latest this long after its first record.",
        zh="首条记录等待超过此时间（秒）即写入。",
    )
    near_misses: int = setting(
        "NEAR_MISSES",
        5000,
        Integer(low=0),
        unit="pages",
        en="Maximum number of stored near misses of a topic: pages that are not kept, but may be "
        "by a later judgment, without being fetched again: any page of a young crawl, later those near the "
        "threshold. The least probable ones are deleted. 0: none are stored.",
        zh="每个主题最多保存的备选页面数：未入库而复判可能合格的页面，抓取之初为全部，以后为接近阈值的，入库时无需重新抓取；"
        "超出时先删除概率最低的；0 为不保存。",
    )
    spool_dir: str = setting(
        "STORE_SPOOL_DIR",
        "data/spool",
        Text(),
        en="Folder where records wait while the store is unavailable.",
        zh="数据库不可用期间的暂存目录。",
    )
    store_queued_links: int = setting(
        "STORE_QUEUED_LINKS",
        1000,
        Integer(low=0),
        unit="links",
        en="Number of the best queued links that are stored as outcomes `queued` at the end of a "
        "run, where `scrapy explain` finds them.",
        zh="运行结束时保存得分最高的若干待抓链接，供 scrapy explain 查询。",
    )


@dataclass(frozen=True, kw_only=True)
class VersionSettings(Section):
    """Settings of the versions of pages."""

    title = "Versions 版本"

    versions_per_page: int = setting(
        "VERSIONS_PER_PAGE",
        50,
        Integer(low=0),
        unit="versions",
        en="Maximum number of former versions that are kept of each page. Beyond it, older ones are "
        "thinned out, never the first and the last, so that 1 keeps two. 0: none are kept. See "
        "[store.md](store.md#visits-and-versions).",
        zh="每个页面最多保留的旧版本数。超出时从较早的版本中抽稀，首个和最近一个始终保留，因此 1 也会保留两个；"
        "0 为不保留。",
    )


@dataclass(frozen=True, kw_only=True)
class PrivacySettings(Section):
    """Settings of the protection of personal data."""

    title = "Privacy 隐私"

    retention_days: int = setting(
        "RETENTION_DAYS",
        0,
        Integer(low=0),
        unit="days",
        en="Pages that were first fetched longer ago are deleted when a crawl of the topic starts, and by "
        "`scrapy forget TOPIC --expired`; they are not fetched again. 0: pages are kept. See "
        "[privacy.md](privacy.md#retention).",
        zh="首次抓取早于此天数的页面在该主题开始抓取时删除，也可用 `scrapy forget TOPIC --expired` 删除；"
        "删除后不再抓取。0 为一直保留。",
    )
    mask_feeds: bool = setting(
        "MASK_FEEDS",
        True,
        Flag(),
        en="Mobile numbers, identity numbers and e-mail addresses are masked in feeds (`-O pages.csv`) of "
        "pages, as in `scrapy export`. See [privacy.md](privacy.md#what-is-masked).",
        zh="页面的数据导出（`-O pages.csv`）中遮盖手机号、身份证号和电子邮箱，与 `scrapy export` 相同。",
    )


@dataclass(frozen=True, kw_only=True)
class ProgressSettings(Section):
    """Progress reports."""

    title = "Progress 进度"

    progress_interval_seconds: float = setting(
        "PROGRESS_INTERVAL_SECONDS",
        60,
        Number(low=1),
        unit="seconds",
        en="Time between two progress lines in the log.",
        zh="日志中进度行的间隔（秒）。",
    )
    live: Live = setting(
        "PROGRESS_LIVE",
        "auto",
        Choice(get_args(Live)),
        en="Live line on standard error; `auto`: when that is a terminal.",
        zh="终端实时进度。",
    )


@dataclass(frozen=True, kw_only=True)
class ClusterSettings(Section):
    """Workers of a cluster."""

    title = "Cluster 集群"
    intro = (
        "With the settings module `topiccrawl.cluster.settings`; see [frontier.md](frontier.md)."
    )
    intro_zh = "配合 topiccrawl.cluster.settings 使用。"

    cluster_wait: bool = setting(
        "CLUSTER_WAIT",
        False,
        Flag(),
        en="A worker with nothing left to do waits for start URLs instead of ending. "
        "`MAX_IDLE_TIME_BEFORE_CLOSE`, if not 0, limits the time.",
        zh="无事可做时继续等待新的起始网址，而不是结束；MAX_IDLE_TIME_BEFORE_CLOSE 不为 0 时以其为限。",
    )
