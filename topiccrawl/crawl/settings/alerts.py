"""Settings of warnings."""

from __future__ import annotations

from dataclasses import dataclass

from topiccrawl.crawl.settings.declaration import Section, setting
from topiccrawl.crawl.settings.rules import Number, Text


@dataclass(frozen=True, kw_only=True)
class WarningSettings(Section):
    """Settings of warnings."""

    title = "Warnings 预警"
    intro = "Rules and channels are in a file of their own: [alerts.md](alerts.md)."
    intro_zh = "规则和渠道写在单独的文件中；说明见 docs/alerts.md。"

    alerts: str = setting(
        "ALERTS",
        "",
        Text(),
        en="File of rules and channels (`alerts.toml`). With it, a crawl that stores its pages watches its "
        "collection and its health; `scrapy alerts` and the console use it, too. Empty: no warnings.",
        zh="规则和渠道的文件（alerts.toml）。设置后，有数据库的抓取在运行中检查库和自身状况；scrapy alerts "
        "和控制台也用它。空为不预警。",
    )
    alerts_seconds: float = setting(
        "ALERTS_SECONDS",
        60.0,
        Number(low=1),
        unit="seconds",
        en="Time between two rounds of warnings while crawling.",
        zh="抓取中两次检查的间隔（秒）。",
    )
