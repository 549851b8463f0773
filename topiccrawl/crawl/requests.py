"""Selection of the links that are requested."""

from __future__ import annotations

from typing import Final

from scrapy.linkextractors import IGNORED_EXTENSIONS

_NOT_PAGES: Final = tuple(f".{extension}" for extension in IGNORED_EXTENSIONS)


def may_be_page(url: str) -> bool:
    """Whether *url* may lead to a page: its path has none of the endings that Scrapy ignores."""
    path = url.partition("?")[0].lower()
    return not path.endswith(_NOT_PAGES)
