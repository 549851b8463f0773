"""Errors that stop a run before it starts, written for the person who must act."""

from __future__ import annotations

from typing import ClassVar

from scrapy.exceptions import IgnoreRequest


class ConfigurationError(ValueError):
    """A setting, argument or topic file is wrong: the run must not start.

    The message names where the value stands (setting, argument, or file and key), the rule it
    breaks, and the value: ``"TOPICCRAWL_IPAGERANK_EVERY_PAGES must be >= 1, got 0"``.
    """


class RequestRefused(IgnoreRequest):
    """A middleware of this project refuses a request; ``reason`` is the stable word of its outcome."""

    reason: ClassVar[str] = "refused"


class HostGone(RequestRefused):
    """The host has not answered for long; its links are given up without a try."""

    reason = "host-gone"


class HostPaused(RequestRefused):
    """The host asked for a pause longer than a request outside the frontier can wait."""

    reason = "ignored"
