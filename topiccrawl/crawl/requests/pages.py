"""Selection of the links that are requested, and what responses state of themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scrapy.linkextractors import IGNORED_EXTENSIONS

if TYPE_CHECKING:
    from scrapy.http import Response

_NOT_PAGES: Final = tuple(f".{extension}" for extension in IGNORED_EXTENSIONS)


def may_be_page(url: str) -> bool:
    """Whether *url* may lead to a page: its path has none of the endings that Scrapy ignores."""
    path = url.partition("?")[0].lower()
    return not path.endswith(_NOT_PAGES)


def header(response: Response, name: str) -> str:
    """Return a header of *response*, empty without it."""
    return (response.headers.get(name) or b"").decode("latin-1")


def content_type(response: Response) -> str:
    """Return the Content-Type header of *response*, empty without one."""
    return header(response, "Content-Type")
