"""Settings of logins."""

from __future__ import annotations

from dataclasses import dataclass

from topiccrawl.crawl.settings.declaration import Section, setting
from topiccrawl.crawl.settings.rules import Number, Text


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
