"""The state of the last crawl."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from tests.support.console_server import console, fill
from tests.support.reporting_store import START, make_page, make_run
from topiccrawl.console.crawls.health import health_of
from topiccrawl.console.paths import topic_path
from topiccrawl.endings import CANNOT_START


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


def test_what_left_and_entered_explains_why_fewer_pages_are_there_than_were_stored(
    tmp_path: Path,
) -> None:
    counts = {"stored": 54, "withdrawn": 15, "readmitted": 1, "admitted": 2}
    run = make_run(stats={f"topiccrawl/pages/{name}": value for name, value in counts.items()})
    uri = fill(tmp_path / "pages.sqlite", lambda store: store.write([make_page()], [], [run]))
    with console(uri) as desk:
        shown = desk.get(topic_path("侨情")).text
    assert "54 <small>judged again: 15 left, 3 entered</small>" in shown


def test_a_topic_that_was_never_crawled_has_no_health() -> None:
    assert health_of([]) is None


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        (CANNOT_START, "it could not start (see its log)"),
        ("finished", "no seed gave a page (see the log of the run)"),
    ],
)
def test_a_failed_run_refers_to_its_log(tmp_path: Path, reason: str, sentence: str) -> None:
    run = make_run(stop_reason=reason, stats={"topiccrawl/failed/dns": 1})
    uri = fill(tmp_path / "pages.sqlite", lambda store: store.write([make_page()], [], [run]))
    with console(uri) as desk:
        assert f"<dd>{sentence}</dd>" in desk.get(topic_path("侨情")).text
