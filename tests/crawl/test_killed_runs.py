"""A run that was killed is marked as such by the next one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.crawl_runs import PATIENCE_SECONDS, crawl, crawl_words
from tests.support.forked import ForkedCommand
from topiccrawl.demo import DemoWeb
from topiccrawl.webserver.environment import environment
from topiccrawl.webserver.server import WebServer

pytestmark = pytest.mark.slow


def test_the_next_run_marks_a_killed_run(web: DemoWeb, tmp_path: Path) -> None:
    with WebServer(web) as server:
        words = crawl_words(tmp_path, web.seeds, 100_000)
        process = ForkedCommand(words, environment(server.url))
        try:
            process.wait_until(lambda: len(server.requests) >= 10, PATIENCE_SECONDS)
        finally:
            process.kill()
            process.result(PATIENCE_SECONDS)
    (tmp_path / "crawl.log").unlink()
    done = crawl(web, tmp_path, 3)
    assert done.code == 0
    killed, last = done.runs
    assert (killed.stop_reason, killed.finished_at) == ("killed", None)
    assert last.stop_reason == "max_pages"
    assert done.stats["topiccrawl/run/killed_before"] == 1
