"""Settings of pages that are not content, and of hosts that block."""

from __future__ import annotations

from dataclasses import dataclass

from topiccrawl.crawl.settings.declaration import Section, setting
from topiccrawl.crawl.settings.rules import Flag, Number
from topiccrawl.politeness.rests import REST_SECONDS, SLOW_SECONDS


@dataclass(frozen=True, kw_only=True)
class BlockSettings(Section):
    """Settings of block pages, captchas, login walls, soft 404s and shells."""

    title = "Blocks 非内容页"
    intro = (
        "Block pages, captchas, login walls, error pages with status 200 and empty shells are not "
        "stored: [not-content.md](not-content.md)."
    )
    intro_zh = "拦截页、验证页、登录页、软 404 和空壳页不入库；说明见 docs/not-content.md。"

    recognize: bool = setting(
        "NOT_CONTENT",
        True,
        Flag(),
        en="Whether pages that are not content are recognized. Off: they are judged like others.",
        zh="是否识别非内容页；关闭后与其他页面同样处理。",
    )
    rest: float = setting(
        "BLOCKED_REST_SECONDS",
        REST_SECONDS,
        Number(low=0),
        unit="seconds",
        en="First rest of a host after three block pages or captchas in a row; doubled each time.",
        zh="主机连续三次返回拦截页或验证页后的首次停歇（秒），之后倍增。",
    )
    slow: float = setting(
        "BLOCKED_DELAY_SECONDS",
        SLOW_SECONDS,
        Number(low=0),
        unit="seconds",
        en="Least delay between requests to a host that has answered with a block page.",
        zh="返回过拦截页的主机，其请求间隔的下限（秒）。",
    )
    patience: float = setting(
        "BLOCKED_WAIT_SECONDS",
        1800,
        Number(low=0),
        unit="seconds",
        en="A run ends when nothing but the rest of blocked hosts is left to wait for and the next "
        "rest ends later than this; the links stay queued.",
        zh="只剩被拦截的主机可等，且最近的停歇结束时间比这更远（秒）时，本次运行结束，待抓链接保留。",
    )
