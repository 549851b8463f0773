"""Fixtures of the contracts for several workers on one frontier."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.frontier.contract_journal import JournalContract
from tests.support.contract_support import NOW
from topiccrawl.frontier.contract import Frontier
from topiccrawl.frontier.options import FrontierLimits

#: After so many seconds without a beat a worker of these tests is dead.
SILENT = 100.0
LIMITS = FrontierLimits(lease_seconds=10 * SILENT, worker_seconds=SILENT, max_attempts=3)

OpenWorker = Callable[[str, FrontierLimits], Frontier]
OpenTopic = Callable[[str], Frontier]


class SharedFixtures(JournalContract):
    """Two fixtures that a backend gives, and two workers who are alive at ``NOW``."""

    @pytest.fixture
    def open_worker(self) -> OpenWorker:
        """Opens another worker, by name, on the same frontier.

        Workers that a test does not close are closed after it, or left.
        """
        raise NotImplementedError

    @pytest.fixture
    def open_topic(self) -> OpenTopic:
        """Opens the frontier of a topic, always in the same place."""
        raise NotImplementedError

    @pytest.fixture
    def a(self, open_worker: OpenWorker) -> Frontier:
        return alive(open_worker("a", LIMITS))

    @pytest.fixture
    def b(self, open_worker: OpenWorker, a: Frontier) -> Frontier:
        return alive(open_worker("b", LIMITS))


def alive(frontier: Frontier, now: float = NOW) -> Frontier:
    frontier.heartbeat(now)
    return frontier
