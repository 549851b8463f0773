"""The same command again goes on where the last run stopped; ``-a fresh`` starts over."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks.known_web import KnownWeb
from tests.support.crawl_runs import CrawlResult, crawl_words, finished, scrapy
from topiccrawl.webserver.environment import environment
from topiccrawl.webserver.server import WebServer

pytestmark = pytest.mark.slow

PAGES = 40


class Runs:
    """Runs of one command on one web."""

    def __init__(self, folder: Path, server: WebServer) -> None:
        self.folder = folder
        self.server = server
        self._seen = 0

    def crawl(self, pages: int, *words: str, settings: Sequence[str] = ()) -> CrawlResult:
        """Crawl up to *pages* pages; *words* come last on the command line."""
        command = crawl_words(self.folder, self.server.web.seeds, pages, *settings)
        done = scrapy([*command, *words], environment(self.server.url))
        asked = self.server.requests[self._seen :]
        self._seen = len(self.server.requests)
        return finished(done, self.folder, asked)


@pytest.fixture
def runs(tmp_path: Path):
    with WebServer(KnownWeb(PAGES, 4)) as server:
        yield Runs(tmp_path, server)


def test_the_second_run_fetches_what_the_first_left(runs: Runs) -> None:
    first = runs.crawl(15)
    assert first.code == 0
    assert len(first.fetched()) == 15
    second = runs.crawl(0)
    assert second.code == 0
    assert not set(first.fetched()) & set(second.fetched())
    assert {page.url for page in second.pages} == set(runs.server.web.urls)
    assert "Continuing with the queue of this topic" in second.log
    assert second.stats["topiccrawl/run/resumed_pages"] == len(first.fetched())


def test_a_run_says_what_is_new_since_the_last_one_and_when_its_queue_is_lost(runs: Runs) -> None:
    first = runs.crawl(10)
    assert "Changed since" not in first.log + runs.crawl(2).log
    third = runs.crawl(2, settings=("TOPICCRAWL_BALANCE=recall",))
    assert "TOPICCRAWL_BALANCE is 'recall' instead of 'balanced'" in third.log
    assert "but its queue is new" not in first.log + third.log
    for queue in runs.folder.glob("*.frontier*"):
        queue.unlink()
    fourth = runs.crawl(2)
    assert "pages of this topic are stored, but its queue is new" in fourth.log
    wanted = runs.crawl(2, "-a", "fresh=yes")
    assert wanted.code == 0
    # The log goes on from run to run.
    assert wanted.log.count("but its queue is new") == 1


def test_both_runs_together_choose_the_order_of_one(runs: Runs, tmp_path: Path) -> None:
    whole = Runs(tmp_path / "whole", runs.server).crawl(0).fetched()
    runs._seen = len(runs.server.requests)
    settings = ("TOPICCRAWL_STRATEGY=rw",)
    by_rw = Runs(tmp_path / "by-rw", runs.server)
    by_rw._seen = runs._seen
    uninterrupted = by_rw.crawl(0, settings=settings).fetched()
    runs._seen = len(runs.server.requests)
    in_two = runs.crawl(17, settings=settings).fetched()
    in_two += runs.crawl(0, settings=settings).fetched()
    assert in_two == uninterrupted
    assert whole != uninterrupted


def test_after_a_run_that_found_everything_the_seeds_are_asked_for_what_is_new(runs: Runs) -> None:
    runs.crawl(0)
    again = runs.crawl(0)
    assert again.code == 0
    assert again.fetched() == list(runs.server.web.seeds)


def test_a_fresh_run_must_be_confirmed_and_keeps_the_collection(runs: Runs) -> None:
    before = runs.crawl(15).pages
    refused = runs.crawl(5, "-a", "fresh=1")
    assert refused.code == 1
    assert "confirm it with --yes" in refused.stderr
    assert refused.fetched() == []
    fresh = runs.crawl(5, "-a", "fresh=1", "--yes")
    assert fresh.code == 0
    assert fresh.fetched()[0] == runs.server.web.seeds[0]
    assert {page.url for page in fresh.pages} >= {page.url for page in before}
    assert "Going on" not in fresh.log.rsplit("Scrapy 2.", 1)[1]
    without_options = runs.crawl(5, "-a", "fresh=yes")
    assert without_options.fetched() == fresh.fetched()


@pytest.mark.parametrize(
    "words",
    [
        ("-a", "record=missing/folder.txt"),
        ("-s", "TOPICCRAWL_ALERTS=missing/alerts.toml"),
        ("-a", "browser=1", "-s", "TOPICCRAWL_BROWSER_EXECUTABLE=/missing/browser"),
        (),  # the store
    ],
)
def test_a_fresh_run_that_cannot_start_leaves_the_queue(runs: Runs, words: Sequence[str]) -> None:
    assert "Continuing with the queue" not in runs.crawl(5).log
    store = runs.folder / "demo.sqlite"
    kept = store.read_bytes()
    if not words:
        store.write_bytes(b"no store" * 1_000)
    command = crawl_words(runs.folder, runs.server.web.seeds, 5)
    wrong = scrapy([*command, "-a", "fresh=yes", *words], environment(runs.server.url))
    assert wrong.returncode == 1
    store.write_bytes(kept)
    assert "Continuing with the queue of this topic" in runs.crawl(5).log


def test_a_frontier_of_another_format_is_refused_and_left_as_it_is(runs: Runs) -> None:
    (runs.folder).mkdir(exist_ok=True)
    runs.crawl(5)
    (path,) = runs.folder.glob("*.frontier")
    data = bytearray(path.read_bytes())
    assert data[60:64] != b"\0\0\0\0", "the format version stands in SQLite's user_version"
    data[60:64] = (999).to_bytes(4, "big")
    path.write_bytes(data)
    refused = runs.crawl(5)
    assert refused.code == 1
    assert "999" in refused.stderr
    assert str(path.name) in refused.stderr
    assert path.read_bytes() == bytes(data)
    assert refused.fetched() == []
