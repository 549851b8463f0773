"""Running crawls are seen, paused, continued and stopped through the folder beside their queue."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.crawl_runs import TOPIC, crawl_words, scrapy
from tests.support.forked import ForkedCommand
from topiccrawl.crawl.runs.folder import FoundRun, find_runs
from topiccrawl.demo.web import DemoWeb
from topiccrawl.webserver.environment import environment
from topiccrawl.webserver.server import WebServer

pytestmark = pytest.mark.slow

#: No state takes a tenth of this.
PATIENCE_SECONDS = 60.0
FAST = ("TOPICCRAWL_CONTROL_SECONDS=0.1",)


@contextmanager
def running(out: Path, *settings: str, pages: int = 100_000) -> Iterator[ForkedCommand]:
    with WebServer(DemoWeb(5, 3_000)) as server:
        words = crawl_words(out, server.web.seeds, pages, *FAST, *settings)
        process = ForkedCommand(words, environment(server.url))
        try:
            yield process
        finally:
            process.kill()


def wait_for(out: Path, met: Callable[[FoundRun], bool]) -> FoundRun:
    """Read the state until it is *met*: there is no event to wait for between processes."""
    end = time.monotonic() + PATIENCE_SECONDS
    found: list[FoundRun] = []
    while time.monotonic() < end:
        found = find_runs(out / "crawls")
        for run in found:
            if met(run):
                return run
        time.sleep(0.02)
    raise AssertionError(found)


def ask(out: Path, *words: str) -> int:
    uri = f"sqlite:///{out / 'demo.sqlite'}"
    return scrapy(["crawls", TOPIC, "--store", uri, *words]).returncode


def test_a_running_crawl_is_paused_goes_on_and_stops_and_the_next_run_continues(
    tmp_path: Path,
) -> None:
    with running(tmp_path) as process:
        first = wait_for(tmp_path, lambda run: run.state.pages > 5)
        assert (first.state.topic, first.health, first.state.pid) == (TOPIC, "alive", process.pid)
        assert ask(tmp_path, "--pause") == 0
        paused = wait_for(
            tmp_path, lambda run: run.state.phase == "paused" and not run.state.leased
        )
        written = paused.state.updated_at
        later = wait_for(tmp_path, lambda run: run.state.updated_at > written + 0.5)
        assert later.state.pages == paused.state.pages
        assert ask(tmp_path, "--go-on") == 0
        wait_for(tmp_path, lambda run: run.state.pages > paused.state.pages + 3)
        assert ask(tmp_path, "--stop") == 0
        ended = process.result(PATIENCE_SECONDS)
    (run,) = find_runs(tmp_path / "crawls")
    assert ended.returncode == 0, ended.stderr
    assert (run.health, run.state.phase) == ("ended", "ended")
    assert "stopped in the console" in run.state.stop_reason
    assert run.state.queued > 0
    assert ask(tmp_path, "--pause") == 1
    with running(tmp_path, pages=3) as process:
        again = process.result(PATIENCE_SECONDS)
    assert again.returncode == 0
    assert "Continuing with the queue" in (tmp_path / "crawl.log").read_text("utf-8")


def test_a_paused_crawl_can_be_stopped(tmp_path: Path) -> None:
    with running(tmp_path) as process:
        wait_for(tmp_path, lambda run: run.state.pages > 2)
        ask(tmp_path, "--pause")
        wait_for(tmp_path, lambda run: run.state.phase == "paused")
        ask(tmp_path, "--stop")
        assert process.result(PATIENCE_SECONDS).returncode == 0


def test_a_killed_crawl_is_shown_as_killed_and_its_successor_is_not_paused(tmp_path: Path) -> None:
    with running(tmp_path) as process:
        wait_for(tmp_path, lambda run: run.state.pages > 2)
        ask(tmp_path, "--pause")
        wait_for(tmp_path, lambda run: run.state.phase == "paused")
        process.kill()
        process.wait()
    (killed,) = find_runs(tmp_path / "crawls")
    assert killed.health == "killed"
    with running(tmp_path):
        next_one = wait_for(tmp_path, lambda run: run.alive and run.state.pages > 2)
        assert next_one.state.phase in ("running", "waiting")
        assert {it.health for it in find_runs(tmp_path / "crawls")} == {"alive", "killed"}


def test_details_are_written_while_somebody_looks(tmp_path: Path) -> None:
    with running(tmp_path):
        run = wait_for(tmp_path, lambda run: run.state.pages > 5 and run.state.queued > 20)
        assert run.state.head == run.state.hosts == ()
        run.files.watch()
        run = wait_for(tmp_path, lambda run: len(run.state.head) > 0)
        scores = [link.score for link in run.state.head]
        assert scores == sorted(scores, reverse=True)
        assert all(link.url.startswith("http") and link.parts for link in run.state.head)
        assert sum(host.pages for host in run.state.hosts) >= 5
        assert len(run.state.curve) >= 2
        lines = [json.loads(line) for line in run.files.log_lines()]
        assert any("Topic" in line["message"] and line["run"] == run.state.run for line in lines)


def test_two_workers_of_one_queue_are_both_shown_and_paused(tmp_path: Path) -> None:
    with running(tmp_path), running(tmp_path):
        wait_for(tmp_path, lambda run: run.state.pages > 2)
        seen = {it.state.pid for it in find_runs(tmp_path / "crawls") if it.alive}
        end = time.monotonic() + PATIENCE_SECONDS
        while len(seen) < 2 and time.monotonic() < end:
            seen = {it.state.pid for it in find_runs(tmp_path / "crawls") if it.alive}
        assert len(seen) == 2
        ask(tmp_path, "--pause")
        wait_for(tmp_path, lambda run: run.state.phase == "paused")
        while time.monotonic() < end:
            if {it.state.phase for it in find_runs(tmp_path / "crawls")} == {"paused"}:
                return
        raise AssertionError(find_runs(tmp_path / "crawls"))


def test_a_crawl_whose_control_is_off_or_that_stores_nothing_leaves_no_folder(
    tmp_path: Path,
) -> None:
    with running(tmp_path, "TOPICCRAWL_CONTROL=0", pages=2) as process:
        assert process.result(PATIENCE_SECONDS).returncode == 0
    assert not (tmp_path / "crawls").exists()


def test_log_lines_are_json_from_the_first_one_on(tmp_path: Path) -> None:
    with running(tmp_path, "TOPICCRAWL_LOG_JSON=1", pages=3) as process:
        assert process.result(PATIENCE_SECONDS).returncode == 0
    lines = [json.loads(it) for it in (tmp_path / "crawl.log").read_text("utf-8").splitlines()]
    assert "started" in lines[0]["message"]
    assert {"time", "level", "logger", "message"} <= lines[0].keys()
    assert any(line.get("topic") == TOPIC for line in lines)


def test_a_folder_that_cannot_be_made_is_named_with_its_setting(tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.touch()
    with running(tmp_path, f"TOPICCRAWL_CONTROL_DIR={taken}", pages=1) as process:
        assert process.result(PATIENCE_SECONDS).returncode == 0
    where = f"TOPICCRAWL_CONTROL_DIR {taken}: File exists"
    assert f"cannot be written to {where}\n" in (tmp_path / "crawl.log").read_text("utf-8")
