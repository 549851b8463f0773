"""Signals of this project, sent through Scrapy's signal manager, and their handlers."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from scrapy import signals

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

T = TypeVar("T")

#: ``(request, error)``: a request ended without a response that a callback could use.  Handlers may be
#: coroutines; the request's slot is free only when they have returned.
request_failed = object()

#: ``()``: the session of a crawl was closed; no page is judged again any more.
session_closed = object()

_SIGNALS = {
    **{name: signal for name, signal in vars(signals).items() if not name.startswith("_")},
    "request_failed": request_failed,
    "session_closed": session_closed,
}


def connected(component: T, crawler: Crawler) -> T:
    """Connect each signal to the method of *component* that has its name; return *component*."""
    for name, signal in _SIGNALS.items():
        if (handler := getattr(component, name, None)) is not None:
            crawler.signals.connect(handler, signal)
    return component
