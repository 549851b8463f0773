"""Frontiers in files, one for each topic."""

from __future__ import annotations

import os
import shutil
import sqlite3
from glob import escape
from pathlib import Path

from topiccrawl.errors import ConfigurationError
from topiccrawl.frontier.backend import FrontierBackend, OpenFrontier, Refill
from topiccrawl.frontier.contract import FrontierSize
from topiccrawl.frontier.errors import FrontierFileError, advice
from topiccrawl.frontier.memory.frontier import MemoryFrontier
from topiccrawl.frontier.paths import frontier_path
from topiccrawl.frontier.sqlite import locks
from topiccrawl.frontier.sqlite.frontier import SQLiteFrontier
from topiccrawl.frontier.sqlite.rebuild import rebuild_file
from topiccrawl.frontier.sqlite.views import read_size
from topiccrawl.language import _


class SQLiteBackend(FrontierBackend):
    """A file beside the store; without a store and a folder, a frontier in memory.

    Where no page is stored no link can be done: a trial run leaves nothing behind.
    """

    local = True

    def open(self, topic: str, *, fresh: bool = False) -> OpenFrontier:
        limits, exact_links = self._config.frontier_limits, self._config.frontier_exact_links
        if not self.keeps_queue():
            return OpenFrontier(MemoryFrontier(limits))
        path = frontier_path(topic, self._config)
        if fresh:
            SQLiteFrontier.erase(path)
        try:
            frontier = SQLiteFrontier(path, limits, exact_links=exact_links)
        except FrontierFileError as error:
            raise FrontierFileError(
                path, error.reason, error.rule + advice(error, topic)
            ) from error
        return OpenFrontier(frontier, frontier.clock, failures=(sqlite3.Error, FrontierFileError))

    def keeps_queue(self) -> bool:
        return bool(self._config.store_uri or self._config.frontier_dir)

    def has_queue(self, topic: str) -> bool:
        return self.keeps_queue() and frontier_path(topic, self._config).is_file()

    def may_have_queue(self, topic: str) -> bool:
        return self.has_queue(topic)

    def size(self, topic: str) -> FrontierSize | None:
        path = frontier_path(topic, self._config)
        # Of another user, or on a medium that is read-only.
        writable = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
        if self.has_queue(topic) and not writable:
            return read_size(path)
        return super().size(topic)

    def check_erasable(self, topic: str) -> None:
        if self.keeps_queue():
            SQLiteFrontier.check_erasable(frontier_path(topic, self._config))

    def refuse_running(self, topic: str) -> None:
        if any(map(locks.any_held, self._paths(topic))):
            raise ConfigurationError(
                _("a crawl of {topic!r} is running; stop it first").format(topic=topic)
            )

    def forget(self, topic: str) -> None:
        for path in self._paths(topic):
            SQLiteFrontier.erase(path)
            for aside in _beside(path):
                if aside.is_dir():
                    shutil.rmtree(aside)
                else:
                    aside.unlink(missing_ok=True)

    def rebuild(self, topic: str, refill: Refill) -> tuple[FrontierSize, str]:
        kept = rebuild_file(frontier_path(topic, self._config), refill)
        opened = self.open(topic).frontier
        try:
            return opened.size(), "" if kept is None else str(kept)
        finally:
            opened.close()

    def _paths(self, topic: str) -> list[Path]:
        """Return the files of the queues of *topic*: the topic spider's, and those of other spiders."""
        path = frontier_path(topic, self._config)
        return [path, *path.parent.glob(f"*/{escape(path.name)}")]


def _beside(path: Path) -> list[Path]:
    """Return the files that a rebuilding of the queue at *path* has left."""
    if not path.parent.is_dir():
        return []
    beginnings = (f"{path.name}.damaged-", f"{path.name}.rebuilt")
    return [it for it in path.parent.iterdir() if it.name.startswith(beginnings)]
