"""Contract: links that are recorded as ended without having been handed out, and other workers."""

from __future__ import annotations

import pytest

from tests.support.contract_support import NOW, FrontierFixtures, a_link, an_id, popped_paths
from topiccrawl.frontier.contract import Frontier, PushResult


class EndContract(FrontierFixtures):
    @pytest.mark.parametrize("given_up", [False, True])
    def test_a_link_that_is_marked_as_ended_is_not_fetched(
        self, frontier: Frontier, given_up: bool
    ) -> None:
        assert frontier.mark_ended([a_link("1", 1.0), a_link("2", 1.0)], given_up=given_up) == 2
        assert frontier.push([a_link("1", 2.0), a_link("3", 1.0)]) == [
            PushResult.SEEN,
            PushResult.NEW,
        ]
        size = frontier.size()
        assert (size.given_up, size.done) == ((2, 0) if given_up else (0, 2))
        assert frontier.reason(an_id("1")) == ("rebuilt" if given_up else None)
        assert frontier.known([an_id("1"), an_id("2")]) == [True, True]
        assert popped_paths(frontier) == ["3"]
        assert frontier.push([a_link("1", 1.0)], again=True) == [PushResult.NEW]

    def test_known_links_are_not_marked(self, frontier: Frontier) -> None:
        frontier.push([a_link("1", 1.0), a_link("2", 0.5)])
        popped_paths(frontier, n=1)
        frontier.ack([an_id("1")])
        assert frontier.mark_ended([a_link("1", 1.0), a_link("2", 1.0), a_link("3", 1.0)]) == 1
        assert popped_paths(frontier) == ["2"]

    def test_a_lone_worker_sees_no_others(self, frontier: Frontier) -> None:
        assert frontier.others(NOW) == 0
