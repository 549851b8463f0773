"""Opens the frontier backend that the settings name, or whose dotted path they give."""

from __future__ import annotations

import hashlib
import pkgutil
import re
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from topiccrawl.errors import ConfigurationError, needs_extra
from topiccrawl.frontier.clock import SteadyClock
from topiccrawl.frontier.contract import Frontier, FrontierSize
from topiccrawl.frontier.memory.frontier import MemoryFrontier
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.frontier.salvage import Salvage
from topiccrawl.frontier.sqlite.errors import FileFault, FrontierFileError
from topiccrawl.frontier.sqlite.frontier import SQLiteFrontier
from topiccrawl.frontier.sqlite.rebuild import rebuild_file
from topiccrawl.language import _
from topiccrawl.store.uri import masked, sqlite_path

if TYPE_CHECKING:
    import redis

#: Folder of SQLite frontiers when the store is not a file.
_DEFAULT_FOLDER = Path("data")
_SUFFIX = ".frontier"


class FrontierConfig(Protocol):
    """The values of :class:`topiccrawl.crawl.settings.CrawlSettings` from which a frontier is opened."""

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
    def frontier_exact_links(self) -> int:
        """TOPICCRAWL_FRONTIER_EXACT_LINKS."""

    @property
    def store_uri(self) -> str:
        """TOPICCRAWL_STORE_URI."""

    @property
    def frontier_limits(self) -> FrontierLimits:
        """The limits of every backend."""


@dataclass(frozen=True, slots=True)
class OpenFrontier:
    """An open frontier with its clock and the errors that make it unusable."""

    frontier: Frontier
    clock: Callable[[], float] = field(default_factory=SteadyClock)
    """Seconds on a clock that all workers of the frontier share."""
    failures: tuple[type[Exception], ...] = ()
    """Exceptions after which the frontier cannot be used any longer (a full disk, a damaged file)."""

    def behind(self) -> float:
        """Return by how many seconds the time of day is ahead of the clock; 0 for the clock of a server."""
        return self.clock.behind() if isinstance(self.clock, SteadyClock) else 0.0


#: Fills a new queue; receives what is sound in the old one.
Refill = Callable[[Frontier, Salvage], None]
#: Makes the Redis client that the settings describe.
Connect = Callable[[], "redis.Redis"]


class OpenerError(ConfigurationError):
    """TOPICCRAWL_FRONTIER_BACKEND names no backend; *reason* is the exception of a failed import."""

    def __init__(self, name: str, reason: Exception | None = None) -> None:
        known = ", ".join(sorted(_OPENERS))
        cause = "" if reason is None else f" ({reason})"
        super().__init__(
            _(
                "TOPICCRAWL_FRONTIER_BACKEND must be one of {known}, or the dotted path of a function "
                "that opens a frontier, got {name!r}{cause}"
            ).format(known=known, name=name, cause=cause)
        )
        self.reason = reason


class Opener(Protocol):
    """Opens one kind of frontier."""

    def __call__(
        self,
        topic: str,
        limits: FrontierLimits,
        config: FrontierConfig,
        connect: Connect,
        *,
        fresh: bool,
    ) -> OpenFrontier:
        """Open the frontier of *topic*; with *fresh*, erase its former content first.

        Raises :class:`~topiccrawl.errors.ConfigurationError` for a frontier that cannot be opened,
        and with *fresh* for one that other workers are using.
        """


def open_frontier(
    topic: str, config: FrontierConfig, connect: Connect, *, fresh: bool = False
) -> OpenFrontier:
    """Open the frontier of *topic* in the backend that *config* names; see :class:`Opener`."""
    open_it = find_opener(config.frontier_backend)
    return open_it(topic, config.frontier_limits, config, connect, fresh=fresh)


def find_opener(backend: str) -> Opener:
    """Return the opener of a *backend*, given by name or as ``package.module.function``.

    Raises :class:`OpenerError`, which lists the known names.
    """
    opener = _OPENERS.get(backend)
    if opener is not None:
        return opener
    if "." not in backend:
        raise OpenerError(backend)
    try:
        found = pkgutil.resolve_name(backend)
    except (ImportError, AttributeError, ValueError) as error:
        raise OpenerError(backend, error) from error
    if not callable(found):
        raise OpenerError(backend)
    return cast("Opener", found)


def advice(error: Exception, topic: str) -> str:
    """Return what the user can do about *error* of the frontier of *topic*; nothing for a full disk.

    Begins with a semicolon.
    """
    damaged = isinstance(error, FrontierFileError) and error.reason is FileFault.DAMAGED
    if not damaged and isinstance(error, (sqlite3.OperationalError, OSError, ConfigurationError)):
        return ""
    return "; " + _("`scrapy queue {topic} --rebuild` makes a new one of what is sound").format(
        topic=topic
    )


def frontier_path(topic: str, config: FrontierConfig) -> Path:
    """Return the path of the SQLite frontier of *topic*: beside the store, named after the topic.

    TOPICCRAWL_FRONTIER_DIR replaces the folder.  A part of the name is a hash of topic and store, so
    that neither topics with similar names nor two stores in one folder share a file.
    """
    folder = frontier_folder(config.store_uri, config.frontier_dir)
    store = masked(config.store_uri).partition("?")[0]
    if config.store_uri.startswith("sqlite:"):
        # Only the file's name: the folder may be moved, or be spelled in another way.
        store = sqlite_path(config.store_uri).name
    key = f"{topic}\x00{store}".encode("utf-8", "replace")
    digest = hashlib.blake2b(key, digest_size=4).hexdigest()
    return folder / f"{_readable(topic)}-{digest}{_SUFFIX}"


def spider_folder(spider: str, config: FrontierConfig) -> Path:
    """Return the folder of the SQLite frontiers of a spider that is no topic spider.

    It is in that of the topic spider's.
    """
    return frontier_folder(config.store_uri, config.frontier_dir) / _readable(spider)


def _readable(name: str) -> str:
    return re.sub(r"[^\w-]+", "_", name.encode("utf-8", "replace").decode())[:40]


def frontier_folder(store_uri: str, frontier_dir: str) -> Path:
    """Return the folder of the SQLite frontiers: *frontier_dir*, else that of the store's file."""
    if frontier_dir:
        return Path(frontier_dir).expanduser()
    if store_uri.startswith("sqlite:"):
        return sqlite_path(store_uri).parent
    return _DEFAULT_FOLDER


def keeps_queue(config: FrontierConfig) -> bool:
    """Return whether a queue outlives the process: not in memory, where it is without a store, too."""
    if config.frontier_backend == "sqlite":
        return bool(config.store_uri or config.frontier_dir)
    return config.frontier_backend != "memory"


def has_queue(topic: str, config: FrontierConfig, connect: Connect) -> bool:
    """Return whether an earlier crawl has left a queue of *topic*, without making one.

    ``False`` for a backend of another project.  Raises
    :class:`~topiccrawl.errors.ConfigurationError` for a server that does not answer.
    """
    if config.frontier_backend == "sqlite":
        return keeps_queue(config) and frontier_path(topic, config).is_file()
    if config.frontier_backend != "redis":
        return False
    with needs_extra("cluster", "TOPICCRAWL_FRONTIER_BACKEND redis"):  # optional dependency
        from topiccrawl.frontier.redis.keys import exists
    return exists(connect(), topic, config.frontier_prefix)


def check_erasable(topic: str, config: FrontierConfig, connect: Connect) -> None:
    """Raise :class:`~topiccrawl.errors.ConfigurationError` if the queue of *topic* cannot be erased now.

    Other workers are using it, it is not topiccrawl's, or its server is away or would drop parts of the
    next one.  A backend of another project is only looked up.
    """
    if config.frontier_backend == "sqlite" and keeps_queue(config):
        SQLiteFrontier.check_erasable(frontier_path(topic, config))
    elif config.frontier_backend == "redis":
        with needs_extra("cluster", "TOPICCRAWL_FRONTIER_BACKEND redis"):  # optional dependency
            from topiccrawl.frontier.redis import keys
        keys.check_erasable(connect(), topic, config.frontier_prefix)
    else:
        find_opener(config.frontier_backend)


def open_memory(
    topic: str, limits: FrontierLimits, config: FrontierConfig, connect: Connect, *, fresh: bool
) -> OpenFrontier:
    """Open a frontier in memory; it is always empty."""
    return OpenFrontier(MemoryFrontier(limits))


def open_sqlite(
    topic: str, limits: FrontierLimits, config: FrontierConfig, connect: Connect, *, fresh: bool
) -> OpenFrontier:
    """Open the frontier's file; without a store and a folder, a frontier in memory."""
    if not keeps_queue(config):
        # Where no page is stored no link can be done: a trial run leaves nothing behind.
        return OpenFrontier(MemoryFrontier(limits))
    path = frontier_path(topic, config)
    if fresh:
        SQLiteFrontier.erase(path)
    try:
        frontier = SQLiteFrontier(path, limits, exact_links=config.frontier_exact_links)
    except FrontierFileError as error:
        raise FrontierFileError(path, error.reason, error.rule + advice(error, topic)) from error
    return OpenFrontier(frontier, frontier.clock, failures=(sqlite3.Error, FrontierFileError))


def open_redis(
    topic: str, limits: FrontierLimits, config: FrontierConfig, connect: Connect, *, fresh: bool
) -> OpenFrontier:
    """Open the frontier on the server that *connect* reaches."""
    with needs_extra("cluster", "TOPICCRAWL_FRONTIER_BACKEND redis"):  # optional dependency
        from topiccrawl.frontier.redis import keys
        from topiccrawl.frontier.redis.frontier import RedisFrontier

    client, prefix = connect(), config.frontier_prefix
    if fresh:
        keys.check_erasable(client, topic, prefix)
        RedisFrontier.erase(client, topic, prefix=prefix)
    frontier = RedisFrontier(
        client, topic, limits, prefix=prefix, exact_links=config.frontier_exact_links
    )
    return OpenFrontier(frontier, frontier.clock)


def rebuild_frontier(
    topic: str, config: FrontierConfig, connect: Connect, refill: Refill
) -> tuple[FrontierSize, str]:
    """Make a new queue of *topic*; return its size, and where the old one is kept ("" for none).

    *refill* fills the new queue and receives what is sound in the old one.  Raises
    :class:`~topiccrawl.errors.ConfigurationError` while workers use it, and for backends that keep
    nothing or are not topiccrawl's own.
    """
    if config.frontier_backend == "redis":
        with needs_extra("cluster", "TOPICCRAWL_FRONTIER_BACKEND redis"):  # optional dependency
            from topiccrawl.frontier.redis.rebuild import finish, salvaged, set_aside

        aside = set_aside(connect(), topic, config.frontier_prefix)
        opened = open_frontier(topic, config, connect).frontier
        try:
            refill(opened, salvaged(connect(), aside))
            size = opened.size()
            finish(connect(), topic, config.frontier_prefix)
            return size, f"{aside}*" if aside else ""
        finally:
            opened.close()
    if config.frontier_backend != "sqlite":
        raise ConfigurationError(
            _(
                "TOPICCRAWL_FRONTIER_BACKEND must be sqlite or redis to rebuild a queue, got "
                "{frontier_backend!r}"
            ).format(frontier_backend=config.frontier_backend)
        )
    kept = rebuild_file(frontier_path(topic, config), refill)
    opened = open_frontier(topic, config, connect).frontier
    try:
        return opened.size(), "" if kept is None else str(kept)
    finally:
        opened.close()


_OPENERS: dict[str, Opener] = {"memory": open_memory, "redis": open_redis, "sqlite": open_sqlite}
