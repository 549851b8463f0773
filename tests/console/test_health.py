"""The state of the last crawl."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.support.reporting_store import START, make_run
from topiccrawl.console.crawls.health import health_of


@pytest.mark.parametrize(
    ("changes", "state"),
    [
        ({}, "ended"),
        ({"stop_reason": "finished", "stats": {}}, "ended"),
        ({"stop_reason": "finished", "stats": {"topiccrawl/failed/http-404": 3}}, "stopped"),
        ({"stop_reason": "memusage_exceeded"}, "stopped"),
        ({"finished_at": None}, "unfinished"),
    ],
)
def test_a_crawl_is_healthy_if_it_ended_as_it_should(
    changes: dict[str, object], state: str
) -> None:
    run = make_run(**{"stats": {"topiccrawl/pages/analyzed": 120}, **changes})
    found = health_of([make_run("old", started_at=START - timedelta(days=1)), run])
    assert found is not None
    assert found.state == state


def test_values_that_are_no_numbers_are_left_out() -> None:
    run = make_run(stats={"topiccrawl/pages/analyzed": "x", "topiccrawl/harvest_rate": "<b>"})
    found = health_of([run])
    assert found is not None
    assert (found.fetched, found.harvest) == (0, None)


def test_a_topic_that_was_never_crawled_has_no_health() -> None:
    assert health_of([]) is None
