"""Settings of what may be contacted at all, and of logins."""

from __future__ import annotations

from dataclasses import dataclass

from topiccrawl.crawl.settings.declaration import Section, setting
from topiccrawl.crawl.settings.rules import Integer, Names, Number, Text
from topiccrawl.politeness.addresses import REQUESTS_PER_ADDRESS
from topiccrawl.urls.addresses import AddressRules

#: Name of the setting that lists the exceptions.
PRIVATE_ADDRESSES = "TOPICCRAWL_PRIVATE_ADDRESSES_ALLOWED"


@dataclass(frozen=True, kw_only=True)
class NetworkSettings(Section):
    """Settings of the network: addresses that are refused, and what to do without a network."""

    title = "Network 网络"
    intro = "What may be contacted, and what happens without a network: [network.md](network.md)."
    intro_zh = "允许访问的地址，以及断网时的处理；说明见 docs/network.md。"

    private_allowed: tuple[str, ...] = setting(
        "PRIVATE_ADDRESSES_ALLOWED",
        (),
        Names(AddressRules),
        en="Exceptions to the rule that only addresses of the public internet are contacted, for "
        "an intranet: networks (`10.0.0.0/8`), names (`wiki.corp.cn`, `*.corp.cn`) or `all`.",
        zh="默认只访问公网地址；内网来源在此列出：网段、主机名（可用 *. 开头）或 all（全部）。",
    )
    requests_per_address: int = setting(
        "REQUESTS_PER_ADDRESS",
        REQUESTS_PER_ADDRESS,
        Integer(low=0),
        unit="requests",
        en="Most requests of a worker to one IP address at a time, and in the time of one "
        "`DOWNLOAD_DELAY`, whatever number of host names it has; 0: no limit.",
        zh="每个工作进程对同一 IP 地址的并发请求数上限（也是一个 DOWNLOAD_DELAY 内的请求数上限），"
        "不论其有多少主机名；0 为不限。",
    )
    offline_seconds: float = setting(
        "OFFLINE_SECONDS",
        1800,
        Number(low=0),
        unit="seconds",
        en="How long a crawl that has lost the network tries to get it back before it ends; its "
        "links stay queued. A crawl that never reached anything ends at once.",
        zh="抓取途中断网后继续尝试多久（秒），之后结束，待抓链接保留；一开始就无法联网则立即结束。",
    )


@dataclass(frozen=True, kw_only=True)
class AccessSettings(Section):
    """Settings of sites that show their pages only to a session."""

    title = "Logins 登录"
    intro = "Sites that show their pages only to a session: [access.md](access.md)."
    intro_zh = "需要登录才能访问的站点；说明见 docs/access.md。"

    logins: str = setting(
        "LOGINS",
        "",
        Text(),
        en="File of the logins; empty: `logins.toml` in the topic's folder, if it exists; "
        "`none`: no logins.",
        zh="登录说明文件；为空则用主题目录中的 logins.toml（如有）；none 为不用登录。",
    )
    login_pause_seconds: float = setting(
        "LOGIN_PAUSE_SECONDS",
        60,
        Number(low=0),
        unit="seconds",
        en="How long a login rests after a try that did not help; doubled each time, and given up "
        "after the fifth.",
        zh="登录无效后再次尝试前的等待时间（秒），每次加倍，第五次后放弃。",
    )
