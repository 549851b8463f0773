"""Frontiers by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from topiccrawl.errors import ConfigurationError
from topiccrawl.frontier.contract import Frontier
from topiccrawl.frontier.memory import MemoryFrontier
from topiccrawl.frontier.options import FrontierLimits


class FrontierConfig(Protocol):
    """The values of :class:`topiccrawl.config.RunConfig` that a frontier is made from."""

    @property
    def frontier_max_links(self) -> int:
        """TOPICCRAWL_FRONTIER_MAX_LINKS."""

    @property
    def lease_seconds(self) -> float:
        """TOPICCRAWL_FRONTIER_LEASE_SECONDS."""

    @property
    def retry_max_attempts(self) -> int:
        """TOPICCRAWL_RETRY_MAX_ATTEMPTS."""


def _memory(limits: FrontierLimits, config: FrontierConfig) -> Frontier:
    return MemoryFrontier(limits)


_BACKENDS: dict[str, Callable[[FrontierLimits, FrontierConfig], Frontier]] = {"memory": _memory}


def make_frontier(backend: str, config: FrontierConfig) -> Frontier:
    """Return the frontier named *backend*; an unknown name raises with the names there are."""
    try:
        make = _BACKENDS[backend]
    except KeyError:
        raise ConfigurationError(
            f"TOPICCRAWL_FRONTIER_BACKEND must be one of {', '.join(sorted(_BACKENDS))}, "
            f"got {backend!r}"
        ) from None
    limits = FrontierLimits(
        max_links=config.frontier_max_links,
        # Not every configuration has a budget yet: a frontier without one is complete.
        host_budget=getattr(config, "frontier_host_budget", 0),
        lease_seconds=config.lease_seconds,
        max_attempts=config.retry_max_attempts,
    )
    return make(limits, config)
