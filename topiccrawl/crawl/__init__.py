"""The crawl itself, without Scrapy where possible: a package for each of its parts, ``session`` joins them.

The package can be called: ``from topiccrawl import crawl`` and then ``crawl("侨情", pages=100)``.  A
function of that name in ``topiccrawl`` would be replaced by this package at the first import of one of
its modules.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any


class _CallablePackage(ModuleType):
    """The package, whose call is :func:`topiccrawl.api.crawling.crawl`."""

    def __call__(self, topic: str, **options: Any) -> Any:
        """Run a crawl in a process of its own; see :func:`topiccrawl.api.crawling.crawl`."""
        return import_module("topiccrawl.api.crawling").crawl(topic, **options)


sys.modules[__name__].__class__ = _CallablePackage
