"""Settings of the versions of pages."""

from __future__ import annotations

from dataclasses import dataclass

from topiccrawl.crawl.settings.declaration import Section, setting
from topiccrawl.crawl.settings.rules import Integer


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
