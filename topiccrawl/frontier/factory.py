"""Frontiers by name: where each lies, and how it is opened or erased."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from topiccrawl.errors import needs_extra
from topiccrawl.frontier.contract import Frontier
from topiccrawl.frontier.memory.frontier import MemoryFrontier
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.store.uri import masked, sqlite_path

if TYPE_CHECKING:
    import redis

#: Where frontiers lie when the store is not a file.
_DEFAULT_FOLDER = Path("data")
_SUFFIX = ".frontier"


class FrontierConfig(Protocol):
    """The values of :class:`topiccrawl.crawl.settings.CrawlSettings` that a frontier is made from."""

    @property
    def frontier_backend(self) -> str:
        """TOPICCRAWL_FRONTIER_BACKEND."""

    @property
    def frontier_dir(self) -> str:
        """TOPICCRAWL_FRONTIER_DIR."""

    @property
    def frontier_prefix(self) -> str:
        """TOPICCRAWL_FRONTIER_PREFIX."""

    @property
    def frontier_max_links(self) -> int:
        """TOPICCRAWL_FRONTIER_MAX_LINKS."""

    @property
    def frontier_exact_links(self) -> int:
        """TOPICCRAWL_FRONTIER_EXACT_LINKS."""

    @property
    def host_budget(self) -> int:
        """TOPICCRAWL_HOST_BUDGET_PAGES."""

    @property
    def host_concurrency(self) -> int:
        """CONCURRENT_REQUESTS_PER_DOMAIN."""

    @property
    def host_concurrencies(self) -> Mapping[str, int]:
        """The concurrencies in DOWNLOAD_SLOTS."""

    @property
    def host_delay(self) -> float:
        """DOWNLOAD_DELAY."""

    @property
    def lease_seconds(self) -> float:
        """TOPICCRAWL_FRONTIER_LEASE_SECONDS."""

    @property
    def worker_seconds(self) -> float:
        """TOPICCRAWL_FRONTIER_WORKER_SECONDS."""

    @property
    def retry_max_attempts(self) -> int:
        """TOPICCRAWL_RETRY_MAX_ATTEMPTS."""

    @property
    def store_uri(self) -> str:
        """TOPICCRAWL_STORE_URI."""


@dataclass(frozen=True, slots=True)
class OpenFrontier:
    """A frontier and its clock: seconds on which all its workers agree."""

    frontier: Frontier
    clock: Callable[[], float] = time.time


Connect = Callable[[], "redis.Redis"]
"""Makes the Redis client that the settings describe."""


def open_frontier(
    topic: str, config: FrontierConfig, connect: Connect, *, fresh: bool = False
) -> OpenFrontier:
    """Open the frontier of *topic*; with *fresh* what it held is erased first.

    Raises :class:`~topiccrawl.errors.ConfigurationError` for a frontier that cannot be opened, and for erasing one that
    other workers are using.
    """
    limits = FrontierLimits(
        max_links=config.frontier_max_links,
        host_budget=config.host_budget,
        lease_seconds=config.lease_seconds,
        max_attempts=config.retry_max_attempts,
        worker_seconds=config.worker_seconds,
        host_concurrency=config.host_concurrency,
        host_concurrencies=config.host_concurrencies,
        host_delay=config.host_delay,
    )
    return _BACKENDS[config.frontier_backend](topic, limits, config, connect, fresh)


def frontier_path(topic: str, config: FrontierConfig) -> Path:
    """Return the file of the SQLite frontier of *topic*: beside the store, named after the topic.

    With TOPICCRAWL_FRONTIER_DIR in that folder.  A part of the name is a hash of topic and store, so
    that neither two topics that look alike nor two stores in one folder share a file.
    """
    folder, store = _DEFAULT_FOLDER, masked(config.store_uri).partition("?")[0]
    if config.store_uri.startswith("sqlite:"):
        # The file's name alone: a folder may be moved, or be named in another way.
        path = sqlite_path(config.store_uri)
        folder, store = path.parent, path.name
    if config.frontier_dir:
        folder = Path(config.frontier_dir).expanduser()
    key = f"{topic}\x00{store}".encode("utf-8", "replace")
    digest = hashlib.blake2b(key, digest_size=4).hexdigest()
    readable = re.sub(r"[^\w-]+", "_", topic.encode("utf-8", "replace").decode())[:40]
    return folder / f"{readable}-{digest}{_SUFFIX}"


def _memory(
    topic: str, limits: FrontierLimits, config: FrontierConfig, connect: Connect, fresh: bool
) -> OpenFrontier:
    return OpenFrontier(MemoryFrontier(limits))


def _sqlite(
    topic: str, limits: FrontierLimits, config: FrontierConfig, connect: Connect, fresh: bool
) -> OpenFrontier:
    from topiccrawl.frontier.sqlite.frontier import SQLiteFrontier

    if not (config.store_uri or config.frontier_dir):
        # Where nothing is stored nothing can be called done: a try leaves no trace.
        return OpenFrontier(MemoryFrontier(limits))
    path = frontier_path(topic, config)
    if fresh:
        SQLiteFrontier.erase(path)
    return OpenFrontier(SQLiteFrontier(path, limits, exact_links=config.frontier_exact_links))


def _redis(
    topic: str, limits: FrontierLimits, config: FrontierConfig, connect: Connect, fresh: bool
) -> OpenFrontier:
    with needs_extra("cluster", "TOPICCRAWL_FRONTIER_BACKEND redis"):  # optional dependency
        from topiccrawl.frontier.redis.frontier import RedisFrontier

    client, prefix = connect(), config.frontier_prefix
    if fresh:
        RedisFrontier.erase(client, topic, prefix=prefix)
    frontier = RedisFrontier(
        client, topic, limits, prefix=prefix, exact_links=config.frontier_exact_links
    )
    return OpenFrontier(frontier, frontier.clock)


_Open = Callable[[str, FrontierLimits, FrontierConfig, Connect, bool], OpenFrontier]
_BACKENDS: dict[str, _Open] = {"memory": _memory, "redis": _redis, "sqlite": _sqlite}
