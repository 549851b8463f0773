"""PendingLinks: links reach the frontier in order, together, and once."""

from __future__ import annotations

from collections.abc import Iterable

from tests.support.contract_support import MERGED, NEW, a_link, popped_paths
from topiccrawl.frontier.contract import PushResult, QueuedLink
from topiccrawl.frontier.memory.frontier import MemoryFrontier
from topiccrawl.frontier.pending import PendingLinks


class CountedPushes(MemoryFrontier):
    """A frontier that counts the links of each push."""

    def __init__(self) -> None:
        super().__init__()
        self.pushes: list[int] = []

    def push(self, links: Iterable[QueuedLink], *, again: bool = False) -> list[PushResult]:
        links = list(links)
        self.pushes.append(len(links))
        return super().push(links, again=again)


def test_links_wait_until_they_are_flushed_and_keep_their_order() -> None:
    frontier = MemoryFrontier()
    pending = PendingLinks(frontier)
    for path in "bac":
        pending.add(a_link(path, 1.0))
    assert frontier.size().queued == 0
    pending.flush()
    assert popped_paths(frontier) == ["b", "a", "c"]


def test_all_links_of_a_flush_are_one_push_and_none_are_no_push() -> None:
    frontier = CountedPushes()
    pending = PendingLinks(frontier)
    pending.flush()
    pending.add(a_link("a", 1.0))
    pending.add(a_link("b", 1.0))
    pending.flush()
    pending.flush()
    assert frontier.pushes == [2]


def test_the_result_of_each_link_is_reported_in_order() -> None:
    results: list[PushResult] = []
    pending = PendingLinks(MemoryFrontier(), results.append)
    for path in "aab":
        pending.add(a_link(path, 1.0))
    pending.flush()
    assert results == [NEW, MERGED, NEW]
