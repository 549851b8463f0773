"""Settings of the protection of personal data."""

from __future__ import annotations

from dataclasses import dataclass

from topiccrawl.crawl.settings.declaration import Section, setting
from topiccrawl.crawl.settings.rules import Flag, Integer


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
