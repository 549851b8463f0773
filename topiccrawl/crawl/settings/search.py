"""Settings of the search entrance."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from topiccrawl.crawl.settings.declaration import Section, setting
from topiccrawl.crawl.settings.rules import Flag, Integer, Names, Number, Text, check_address
from topiccrawl.language import _
from topiccrawl.sources.descriptions import SEARXNG

#: Names of descriptions: of files in a folder, never a path.
_NAME: Final = re.compile(r"[\w-]{1,100}")


def _names(names: Iterable[str]) -> None:
    for name in names:
        if not _NAME.fullmatch(name):
            raise ValueError(
                _("must be names of files without .toml, got {name!r}").format(name=name)
            )


@dataclass(frozen=True, kw_only=True)
class SearchSettings(Section):
    """Settings of the search entrance."""

    title = "Search 检索入口"
    intro = "Pages to start from, found by search engines: [search.md](search.md)."
    intro_zh = "由搜索引擎查找抓取起点；说明见 docs/search.md。"

    search: bool = setting(
        "SEARCH",
        False,
        Flag(),
        en="Ask search engines for pages to start from, besides the seeds. The topic spider takes "
        "`-a search=1` as well.",
        zh="除种子外，另由搜索引擎查找抓取起点；也可用 -a search=1。",
    )
    search_engines: tuple[str, ...] = setting(
        "SEARCH_ENGINES",
        (SEARXNG,),
        Names(_names),
        en="Engines that are asked: names of descriptions (`baidu`, `bing`, `sogou`, `so360`, your "
        "own). `searxng` is left out unless `TOPICCRAWL_SEARXNG_URL` is set.",
        zh="所用的搜索引擎：描述文件名（baidu、bing、sogou、so360 或自定义）；"
        "未设 TOPICCRAWL_SEARXNG_URL 时不用 searxng。",
    )
    searxng_url: str = setting(
        "SEARXNG_URL",
        "",
        Text(check_address, "URL"),
        en="Address of your own SearXNG, `http://127.0.0.1:8888/`. It may be a private address; its "
        "settings must allow the format `json`.",
        zh="自建 SearXNG 的地址（可为内网地址），须在其设置中开启 json 格式。",
    )
    search_folder: str = setting(
        "SEARCH_FOLDER",
        "",
        Text(),
        en="Folder of descriptions of your own engines, `NAME.toml`; those in `engines/` of the "
        "topic's folder come first.",
        zh="自定义搜索引擎描述（名称.toml）所在目录；主题目录下 engines/ 中的优先。",
    )
    search_queries: int = setting(
        "SEARCH_QUERIES",
        40,
        Integer(low=1),
        unit="queries",
        en="Queries of a topic, to all engines together. Most are sent at the start, the "
        "others when the crawl finds nothing more.",
        zh="一个主题向全部引擎发出的检索总次数；开始时用去大部分，其余在抓取无新收获时使用。",
    )
    search_sources: int = setting(
        "SEARCH_SOURCES",
        200,
        Integer(low=1),
        unit="pages",
        en="Pages that a search gives to the crawl, at most, the best first.",
        zh="检索结果中最多取多少个网页作为抓取起点。",
    )
    search_rest_seconds: float = setting(
        "SEARCH_REST_SECONDS",
        60.0,
        Number(low=0),
        unit="seconds",
        en="How long an engine is left alone after a captcha, a refusal or a garbled answer; four "
        "times as long after each further one, up to a day.",
        zh="引擎要求验证、拒绝或返回异常内容后停用多久（秒）；再次出现时每次延长至四倍，最长一天。",
    )
