"""Requests that a middleware of this project refuses: one exception class for each reason."""

from __future__ import annotations

from typing import ClassVar

from scrapy.exceptions import IgnoreRequest


class RequestRefused(IgnoreRequest):
    """A middleware of this project refuses a request; ``reason`` is the stable word of its outcome."""

    reason: ClassVar[str] = "refused"


class HostGone(RequestRefused):
    """The host has not answered for long; its links are given up without a try."""

    reason = "host-gone"


class OutOfScope(RequestRefused):
    """The URL is outside the scope of the crawl (``allow``, ``deny``)."""

    reason = "out-of-scope"


class Trapped(RequestRefused):
    """The URL looks like a trap, or belongs to a family of pages that bring nothing new."""

    reason = "trap"


class HostPaused(RequestRefused):
    """The host asked for a pause longer than a request outside the frontier can wait."""

    reason = "ignored"
