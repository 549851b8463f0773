"""Frontiers in memory: always empty when they are opened, and gone when they are closed."""

from __future__ import annotations

from topiccrawl.frontier.backend import FrontierBackend, OpenFrontier
from topiccrawl.frontier.memory.frontier import MemoryFrontier


class MemoryBackend(FrontierBackend):
    """Keeps nothing."""

    local = True

    def open(self, topic: str, *, fresh: bool = False) -> OpenFrontier:
        return OpenFrontier(MemoryFrontier(self._config.frontier_limits))

    def keeps_queue(self) -> bool:
        return False

    def forget(self, topic: str) -> None:
        pass
