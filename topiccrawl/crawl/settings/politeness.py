"""Settings of politeness beyond Scrapy's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from topiccrawl.crawl.settings.declaration import Section, setting
from topiccrawl.crawl.settings.rules import Number, Table, Text
from topiccrawl.language import N_
from topiccrawl.politeness.backoff import FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS
from topiccrawl.politeness.delays import CRAWL_DELAY_MAX_SECONDS
from topiccrawl.politeness.windows import DEFAULT_TIMEZONE


@dataclass(frozen=True, kw_only=True)
class PolitenessSettings(Section):
    """Settings of the times at which hosts may be contacted."""

    title = "Politeness 抓取礼仪"
    intro = (
        "In addition to Scrapy's own settings below; the rules are in "
        "[frontier.md](frontier.md#many-workers)."
    )
    intro_zh = "Scrapy 自身的相关设置见下文。"

    windows: Mapping[str, object] = setting(
        "HOST_WINDOWS",
        {},
        Table(N_("host patterns to time windows")),
        en="Time windows of hosts that may only be contacted at certain times, by pattern: "
        '`{"*.gov.cn": "22:00-06:00", "www.example.cn": "Mon-Fri 20:00-07:00, Sat-Sun '
        '00:00-24:00"}` (JSON on the command line). The most specific pattern decides.',
        zh="按主机限定抓取时段（分时任务），取最具体的匹配。",
    )
    timezone: str = setting(
        "HOST_WINDOWS_TIMEZONE",
        DEFAULT_TIMEZONE,
        Text(),
        en="Time zone of the windows, an IANA name.",
        zh="时段所用的时区（IANA 名称）。",
    )
    crawl_delay_max: float = setting(
        "CRAWL_DELAY_MAX_SECONDS",
        CRAWL_DELAY_MAX_SECONDS,
        Number(low=0),
        unit="seconds",
        en="Upper limit of the Crawl-delay in robots.txt; 0: Crawl-delay is ignored.",
        zh="robots.txt 的 Crawl-delay 上限（秒）；0 为忽略。",
    )
    retry_after_max: float = setting(
        "RETRY_AFTER_MAX_SECONDS",
        LONGEST_PAUSE_SECONDS,
        Number(low=0),
        unit="seconds",
        en="Longest pause that a Retry-After header can request.",
        zh="Retry-After 的上限（秒）。",
    )
    backoff: float = setting(
        "BACKOFF_SECONDS",
        FIRST_PAUSE_SECONDS,
        Number(low=0),
        unit="seconds",
        en="First pause of a host after 429 or 503 without Retry-After, or after three failures in "
        "a row; doubled each time. 0: the delay of the host.",
        zh="429、503 未注明时间或连续三次失败后的首次停顿（秒），之后倍增。",
    )
