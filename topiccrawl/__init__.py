"""topiccrawl: a topic (focused) crawler for the Chinese web, built on Scrapy.

In Python and in notebooks (docs/python.md)::

    from topiccrawl import crawl, extract, open_store
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from topiccrawl.api.collection import Collection, open_store
    from topiccrawl.api.crawling import CrawlResult
    from topiccrawl.api.crawling import crawl as crawl
    from topiccrawl.api.extracting import ExtractedPage, extract

__all__ = [
    "Collection",
    "CrawlResult",
    "ExtractedPage",
    "__version__",
    "crawl",
    "extract",
    "open_store",
]

__version__ = "0.1.0"

if sys.version_info < (3, 11):  # noqa: UP036  pip and make refuse it too, but not every way leads there
    raise SystemExit(
        "topiccrawl needs Python 3.11 or newer (需要 Python 3.11 以上), this is "
        + ".".join(map(str, sys.version_info[:3]))
    )

#: Module of each public name.  They are imported at first use: every module of topiccrawl imports this
#: one, and ``scrapy list`` must not wait for numpy.
_MODULES = {
    "Collection": "topiccrawl.api.collection",
    "open_store": "topiccrawl.api.collection",
    "CrawlResult": "topiccrawl.api.crawling",
    "ExtractedPage": "topiccrawl.api.extracting",
    "extract": "topiccrawl.api.extracting",
}


def __getattr__(name: str) -> Any:
    """Import a public name at its first use."""
    from importlib import import_module

    if name == "crawl":  # the package, which can be called: a function would be hidden by it
        return import_module("topiccrawl.crawl")
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(module), name)
    return value


def __dir__() -> list[str]:
    """Return the public names, also those that are not imported yet."""
    return sorted({*globals(), *__all__})
