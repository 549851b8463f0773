"""LeaseKeeper: a lease is done, delayed or given up, and settled once."""

from __future__ import annotations

import pytest

from tests.support.contract_support import NOW, a_link, an_id
from topiccrawl.crawl.queue.leases import LeaseKeeper, RetryDelays, Settlement
from topiccrawl.errors import ConfigurationError
from topiccrawl.frontier.memory.frontier import MemoryFrontier
from topiccrawl.frontier.options import FrontierLimits


@pytest.fixture
def frontier() -> MemoryFrontier:
    frontier = MemoryFrontier(FrontierLimits(max_attempts=3))
    frontier.push([a_link("1", 1.0)])
    frontier.pop(frozenset(), NOW)
    return frontier


def test_delays_grow_fourfold_up_to_the_longest() -> None:
    delays = RetryDelays(base_seconds=30, factor=4, longest_seconds=600)
    assert [delays.after(attempt) for attempt in (1, 2, 3, 4, 9_999)] == [30, 120, 480, 600, 600]


def test_a_shrinking_delay_is_a_configuration_error() -> None:
    with pytest.raises(ConfigurationError, match="factor"):
        RetryDelays(factor=0.5)


def test_a_recorded_outcome_ends_the_lease_once(frontier) -> None:
    keeper = LeaseKeeper(frontier, lambda: NOW)
    assert keeper.settle(an_id("1")) is Settlement.DONE
    assert keeper.settle(an_id("1")) is Settlement.STALE
    assert keeper.settle(an_id("1"), ok=False, reason="late") is Settlement.STALE
    assert frontier.size().done == 1


def test_a_passing_failure_comes_back_after_a_delay_that_grows(frontier) -> None:
    keeper = LeaseKeeper(frontier, lambda: NOW, RetryDelays(10, 2))
    settled = []
    for attempt, due in ((1, NOW + 10), (2, NOW + 20)):
        settled.append(
            keeper.settle(an_id("1"), ok=False, reason="503", retryable=True, attempt=attempt)
        )
        assert frontier.next_ready(NOW) == due
        assert frontier.pop(frozenset(), due).attempt == attempt + 1
    settled.append(keeper.settle(an_id("1"), ok=False, reason="503", retryable=True, attempt=3))
    assert settled == [Settlement.DELAYED, Settlement.DELAYED, Settlement.GIVEN_UP]


def test_a_lasting_failure_is_given_up_with_its_reason(frontier) -> None:
    keeper = LeaseKeeper(frontier, lambda: NOW)
    assert keeper.settle(an_id("1"), ok=False, reason="404") is Settlement.GIVEN_UP
    assert frontier.reason(an_id("1")) == "404"
