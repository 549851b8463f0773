"""DaemonResolver: Scrapy's resolver of names, in threads that nothing waits for.

A lookup cannot be broken off: the system's resolver tries silent servers for up to half a minute. Scrapy's
resolver shares the reactor's ten threads, which a page of links to such names fills, and the process
waits for all of them when the crawl has closed.
"""

from __future__ import annotations

from threading import Thread
from typing import Any, Final

from scrapy.resolver import CachingThreadedResolver
from twisted.python.threadpool import ThreadPool

#: Lookups at a time.  A guess: twice ``CONCURRENT_REQUESTS``, so that slow names leave some for others.
MAX_LOOKUPS: Final = 32


class _DaemonThread(Thread):
    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options, daemon=True)


class _Pool(ThreadPool):
    threadFactory = _DaemonThread  # noqa: N815 - Twisted's name


class _WithPool:
    """A reactor that does its work in threads of another pool."""

    def __init__(self, reactor: Any) -> None:
        self._reactor = reactor
        self._pool = _Pool(0, MAX_LOOKUPS, "names")
        self._pool.start()

    def getThreadPool(self) -> ThreadPool:  # noqa: N802
        """Return the pool."""
        return self._pool

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reactor, name)


class DaemonResolver(CachingThreadedResolver):
    """Looks names up in daemon threads of its own."""

    def __init__(self, reactor: Any, cache_size: int, timeout: float) -> None:
        super().__init__(_WithPool(reactor), cache_size, timeout)  # type: ignore[arg-type]
