"""Which limits have kept links of a run from being fetched."""

from __future__ import annotations

from datetime import datetime

from topiccrawl.crawl.account.leftovers import Closed, closed_hosts, over_budget
from topiccrawl.crawl.account.waiting import Wait, waiting
from topiccrawl.frontier.contract import QueuedLink
from topiccrawl.frontier.memory.frontier import MemoryFrontier
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.politeness.windows import HostWindows
from topiccrawl.scoring.evidence import LinkEvidence

#: Noon in China.
NOON = datetime.fromisoformat("2026-11-02T12:00:00+08:00").timestamp()
HOUR = 3600.0
WINDOWS = HostWindows({"*.gov.cn": "22:00-06:00", "b.example": "23:00-06:00"})


def links(count: int, host: str, *, start: int = 0) -> list[QueuedLink]:
    return [
        QueuedLink(f"http://{host}/{n}", host, LinkEvidence(0.5))
        for n in range(start, start + count)
    ]


def test_links_of_hosts_outside_their_windows_are_counted_with_the_first_opening() -> None:
    frontier = MemoryFrontier(FrontierLimits())
    frontier.push([*links(2, "a.gov.cn"), *links(1, "b.example"), *links(4, "c.example")])
    assert closed_hosts(frontier, WINDOWS.opens_at, NOON) == Closed(3, 4, NOON + 10 * HOUR)
    night = NOON + 11.5 * HOUR
    assert closed_hosts(frontier, WINDOWS.opens_at, night) == Closed(0, 7, 0.0)


def test_a_crawl_that_waits_for_a_window_says_so() -> None:
    frontier = MemoryFrontier(FrontierLimits())
    frontier.push(links(2, "a.gov.cn"))
    frontier.hold_host("a.gov.cn", NOON + 10 * HOUR)
    wait = waiting(frontier, NOON, WINDOWS.opens_at)
    assert wait == Wait(NOON + 10 * HOUR, retries=0, paused=2, closed=True)
    assert "2 links wait for the time windows of their hosts (TOPICCRAWL_HOST_WINDOWS)" in str(wait)
    assert waiting(frontier, NOON) == Wait(NOON + 10 * HOUR, retries=0, paused=2)


def used_up(most: int = 0) -> tuple[MemoryFrontier, dict[str, object]]:
    """A queue whose host had a budget of two pages: three links dropped, one refused."""
    frontier = MemoryFrontier(FrontierLimits(max_links=most, host_budget=2))
    frontier.push(links(5, "a.example"))
    for _ in range(2):
        lease = frontier.pop((), NOON)
        assert lease is not None
        frontier.ack([lease.id])
    frontier.push(links(1, "a.example", start=5))
    return frontier, {"topiccrawl/frontier/refused": 1}


def test_links_that_the_budget_of_a_host_has_kept_out_are_counted() -> None:
    frontier, stats = used_up()
    assert over_budget(frontier, stats, before=0, most=0) == 4
    assert over_budget(frontier, stats, before=3, most=0) == 1
    stats["topiccrawl/frontier/exhausted"] = 2
    assert over_budget(frontier, stats, before=0, most=0) == 2


def test_where_the_queue_may_have_been_full_nothing_is_claimed() -> None:
    frontier, stats = used_up(most=100)
    assert over_budget(frontier, stats, before=0, most=5) == 4
    assert over_budget(frontier, stats, before=0, most=4) == 0
