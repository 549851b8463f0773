"""Settings of the browser."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from topiccrawl.crawl.settings.declaration import Section, setting
from topiccrawl.crawl.settings.rules import Choice, Flag, Integer, Names, Number, Text
from topiccrawl.language import _, listed

#: Kinds of sub-requests, as browsers name them, that may be left out.
KINDS: Final = (
    "stylesheet", "image", "font", "media", "texttrack", "script", "xhr", "fetch", "manifest", "other",
)  # fmt: skip

BrowserMode = Literal["off", "named", "auto"]
MODES: Final[tuple[BrowserMode, ...]] = ("off", "named", "auto")


def _kinds(values: Iterable[str]) -> None:
    for value in values:
        if value not in KINDS:
            raise ValueError(
                _("must be among {kinds}, got {value!r}").format(kinds=listed(KINDS), value=value)
            )


@dataclass(frozen=True, kw_only=True)
class BrowserSettings(Section):
    """Settings of the browser."""

    title = "Browser 浏览器"
    intro = "Pages that only a browser shows: [browser.md](browser.md)."
    intro_zh = "须由浏览器渲染的网页；说明见 docs/browser.md。"

    mode: BrowserMode = setting(
        "BROWSER",
        "named",
        Choice(MODES),
        en="Which pages are loaded in a browser: `off`: none; `named`: those of the sites that the "
        "topic names; `auto`: also pages without content whose template shows some in a browser. "
        "The topic spider takes `-a browser=1` for `auto`.",
        zh="哪些网页用浏览器加载：off 不用；named 仅主题指定的站点；auto 另含无正文、经试验须渲染的页面模板；"
        "-a browser=1 等于 auto。",
    )
    executable: str = setting(
        "BROWSER_EXECUTABLE",
        "",
        Text(),
        en="Path of Chromium or Chrome; default: Playwright's own, else `chromium`, `google-chrome` "
        "and the like on the PATH.",
        zh="Chromium 或 Chrome 的路径；默认先用 Playwright 自带的，再查 PATH。",
    )
    sandbox: bool = setting(
        "BROWSER_SANDBOX",
        True,
        Flag(),
        en="Run the browser in its sandbox. It does not start as root then, nor in most containers.",
        zh="启用浏览器沙箱；以 root 运行或在多数容器内须关闭。",
    )
    pages: int = setting(
        "BROWSER_PAGES",
        2,
        Integer(low=1),
        unit="pages",
        en="Pages that are loaded at a time.",
        zh="同时加载的网页数。",
    )
    seconds: float = setting(
        "BROWSER_SECONDS",
        30,
        Number(low=1),
        unit="seconds",
        en="Time for one page, the waiting for its scripts and their data included.",
        zh="单个网页的加载时限（秒），含等待脚本及其数据。",
    )
    requests: int = setting(
        "BROWSER_REQUESTS",
        60,
        Integer(low=1),
        unit="requests",
        en="Most requests of the scripts of one page.",
        zh="单个网页的脚本最多可发的请求数。",
    )
    max_bytes: int = setting(
        "BROWSER_MAX_BYTES",
        4_194_304,
        Integer(low=1024),
        unit="bytes",
        en="Largest page that is taken from the browser.",
        zh="渲染后网页的最大字节数。",
    )
    blocked: tuple[str, ...] = setting(
        "BROWSER_BLOCKED",
        ("image", "font", "media"),
        Names(_kinds),
        en="Kinds of sub-requests that are not sent: `image`, `font`, `media`, `stylesheet`, "
        "`script`, `xhr`, `fetch`, `texttrack`, `manifest`, `other`. Style sheets are always "
        "replaced by empty ones.",
        zh="不加载的资源类型；样式表一律以空样式代替。",
    )
