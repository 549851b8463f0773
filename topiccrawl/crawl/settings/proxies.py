"""Settings of proxies."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from topiccrawl.crawl.settings.declaration import Section, setting
from topiccrawl.crawl.settings.rules import Flag, Integer, Names, Number, Text, check_address
from topiccrawl.language import _
from topiccrawl.proxies.address import parse_proxy


def _proxies(values: Iterable[str]) -> None:
    for value in values:
        parse_proxy(value)


def _hosts(values: Iterable[str]) -> None:
    for value in values:
        name = value.removeprefix("*.")
        if not name or any(c in "*/:" or c.isspace() for c in name):
            raise ValueError(
                _("must be host names such as a.cn or *.a.cn, got {value!r}").format(value=value)
            )


@dataclass(frozen=True, kw_only=True)
class ProxySettings(Section):
    """Settings of proxies."""

    title = "Proxies 代理"
    intro = "Proxies that are chosen by their health: [proxies.md](proxies.md)."
    intro_zh = "按健康状况选用的代理；说明见 docs/proxies.md。"

    addresses: tuple[str, ...] = setting(
        "PROXIES",
        (),
        Names(_proxies),
        en="Proxies: `http://host:port`, `http://user:password@host:port` or `socks5://…`. Passwords are "
        "better kept in `TOPICCRAWL_PROXY_FILE`.",
        zh="代理列表（`http://…`、`socks5://…`）；带密码的代理宜写入 TOPICCRAWL_PROXY_FILE。",
    )
    file: str = setting(
        "PROXY_FILE",
        "",
        Text(),
        en="A text file of proxies, one in a line. With passwords in it, only its owner may read it "
        "(mode 600).",
        zh="代理列表文件，每行一个；含密码时文件权限须为 600。",
    )
    pool: str = setting(
        "PROXY_POOL",
        "",
        Text(check_address),
        en="Address of a proxy pool with the interface of `jhao104/proxy_pool` "
        "(`http://127.0.0.1:5010`); proxies are taken from its `/get/`.",
        zh="代理池地址（接口同 jhao104/proxy_pool），由其 /get/ 取代理。",
    )
    pool_size: int = setting(
        "PROXY_POOL_SIZE",
        20,
        Integer(low=1),
        unit="proxies",
        en="How many usable proxies are taken from the pool.",
        zh="从代理池取用的可用代理数。",
    )
    sites: tuple[str, ...] = setting(
        "PROXY_SITES",
        (),
        Names(_hosts),
        en="Hosts whose pages take a proxy (`a.cn`, `*.a.cn`); none: all. Search engines are asked "
        "through a proxy only if they are named here.",
        zh="经由代理抓取的主机（可用 *. 开头），默认全部；搜索引擎仅在此列出时才经由代理。",
    )
    sticky: bool = setting(
        "PROXY_STICKY",
        True,
        Flag(),
        en="A site keeps its proxy while that works.",
        zh="同一站点在代理可用期间固定使用同一代理。",
    )
    tries: int = setting(
        "PROXY_TRIES",
        6,
        Integer(low=1),
        unit="proxies",
        en="Most proxies that one request is tried through before its link returns to the queue.",
        zh="一次请求最多依次尝试的代理数，之后链接退回队列。",
    )
    timeout: float = setting(
        "PROXY_TIMEOUT_SECONDS",
        20,
        Number(low=0.1),
        unit="seconds",
        en="Longest time for an answer through one proxy; less for one that usually answers fast.",
        zh="单个代理的最长响应时间（秒）；平时响应快的代理按更短时间判定。",
    )
    rest: float = setting(
        "PROXY_REST_SECONDS",
        10,
        Number(low=0),
        unit="seconds",
        en="First rest of a proxy that failed; doubled each time, up to half an hour.",
        zh="失效代理的首次停用时间（秒），之后倍增，最长半小时。",
    )
    direct: bool = setting(
        "PROXY_DIRECT",
        False,
        Flag(),
        en="While no proxy works, fetch without one. Otherwise the crawl waits.",
        zh="所有代理均不可用时直接连接；默认等待。",
    )
