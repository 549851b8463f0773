"""Deletes a topic's queue for good, with what ``scrapy queue --rebuild`` has kept of older ones."""

from __future__ import annotations

import os
import shutil
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING

from topiccrawl.errors import ConfigurationError, needs_extra
from topiccrawl.frontier.factory import (
    Connect,
    FrontierConfig,
    frontier_path,
    has_queue,
    open_frontier,
)
from topiccrawl.frontier.sqlite import locks
from topiccrawl.frontier.sqlite.frontier import SQLiteFrontier
from topiccrawl.frontier.sqlite.views import read_size
from topiccrawl.language import _

if TYPE_CHECKING:
    from topiccrawl.frontier.contract import FrontierSize

__all__ = ["forget_queue", "queue_size", "refuse_running"]

#: What the user asked for, in error messages.
_WHAT = "scrapy forget"


def refuse_running(topic: str, config: FrontierConfig, connect: Connect) -> None:
    """Raise :class:`ConfigurationError` while a crawl uses the queue of *topic*, or its server is away.

    Only for topiccrawl's own backends; another one is asked when the queue is deleted.
    """
    if config.frontier_backend == "sqlite" and any(map(locks.any_held, _paths(topic, config))):
        raise ConfigurationError(
            _("a crawl of {topic!r} is running; stop it first").format(topic=topic)
        )
    if config.frontier_backend == "redis" and has_queue(topic, config, connect):
        with needs_extra("cluster", "TOPICCRAWL_FRONTIER_BACKEND redis"):  # optional dependency
            from topiccrawl.frontier.redis.keys import key_base, refuse_used
            from topiccrawl.frontier.redis.server import reachable

        client = connect()
        with reachable(client):
            refuse_used(client, key_base(topic, config.frontier_prefix), topic, _WHAT)


def queue_size(topic: str, config: FrontierConfig, connect: Connect) -> FrontierSize | None:
    """Return the size of the queue of *topic*, ``None`` if there is none.

    Raises :class:`ConfigurationError` for a queue that cannot be read.
    """
    if not has_queue(topic, config, connect):
        return None
    if config.frontier_backend == "sqlite":
        path = frontier_path(topic, config)
        # Of another user, or on a medium that is read-only.
        if not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
            return read_size(path)
    opened = open_frontier(topic, config, connect)
    try:
        return opened.frontier.size()
    except opened.failures as error:
        raise ConfigurationError(str(error)) from error
    finally:
        opened.frontier.close()


def forget_queue(topic: str, config: FrontierConfig, connect: Connect) -> None:
    """Delete the queue of *topic* and its journal; raise :class:`ConfigurationError` while it is used."""
    if config.frontier_backend == "memory":
        return
    if config.frontier_backend == "sqlite":
        for path in _paths(topic, config):
            SQLiteFrontier.erase(path)
            for aside in _beside(path):
                if aside.is_dir():
                    shutil.rmtree(aside)
                else:
                    aside.unlink(missing_ok=True)
        return
    if config.frontier_backend == "redis":
        with needs_extra("cluster", "TOPICCRAWL_FRONTIER_BACKEND redis"):  # optional dependency
            from topiccrawl.frontier.redis.keys import erase

        erase(connect(), topic, config.frontier_prefix, _WHAT, aside=True)
        return
    open_frontier(topic, config, connect, fresh=True).frontier.close()


def _paths(topic: str, config: FrontierConfig) -> list[Path]:
    """Return the files of the queues of *topic*: that of the topic spider, and those of other spiders."""
    path = frontier_path(topic, config)
    return [path, *path.parent.glob(f"*/{escape(path.name)}")]


def _beside(path: Path) -> list[Path]:
    """Return the files that a rebuilding of the queue at *path* has left."""
    if not path.parent.is_dir():
        return []
    beginnings = (f"{path.name}.damaged-", f"{path.name}.rebuilt")
    return [it for it in path.parent.iterdir() if it.name.startswith(beginnings)]
