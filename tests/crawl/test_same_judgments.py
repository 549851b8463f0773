"""Stopped, killed and shared crawls end with the judgments of an uninterrupted one.

The last round of a crawl judges by the pages in the journal alone (docs/classifier.md).  What an
interruption can change is which pages were still too unlikely to be stored when they were fetched: these
cannot enter later.  So the probabilities of all pages that both crawls have stored, kept or not, must be
equal, and of the kept pages at most :data:`BOUND` may differ.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from tests.support import redis_server
from tests.support.crawl_runs import PATIENCE_SECONDS, ROOT, TOPIC, crawl_words, scrapy
from tests.support.forked import ForkedCommand
from tests.support.judged_web import JudgedWeb
from tests.support.project import make_project
from tests.support.redis_support import running
from tests.support.stored import from_store
from tests.support.waiting import wait_until
from topiccrawl.demo.crawl import store_uri
from topiccrawl.store.contract import OutcomeRecord, PageStanding, Store
from topiccrawl.webserver.environment import environment
from topiccrawl.webserver.server import WebServer

pytestmark = pytest.mark.slow

PAGES = 120
#: Kept pages that only one of two crawls has, as a share of all kept pages.
BOUND = 0.05
#: After so many pages the classifier has learned, and two thirds of them are to come.
STOP_AFTER = 60


class Crawls:
    """Crawls in a project of their own, with the topic and the store; *settings* apply to all."""

    def __init__(self, folder: Path, server: WebServer[JudgedWeb], *settings: str) -> None:
        # A project of its own, because the user's judgments are written to the topic's folder.
        self.folder = make_project(folder, TOPIC)
        self.server = server
        self.web = server.web
        self.settings = settings

    @property
    def environment(self) -> dict[str, str]:
        return {**environment(self.server.url), "PYTHONPATH": str(ROOT)}

    def words(self, *settings: str) -> list[str]:
        return crawl_words(self.folder, self.web.seeds, 0, *self.settings, *settings)

    def run(self, *settings: str) -> None:
        done = scrapy(self.words(*settings), self.environment, cwd=self.folder)
        assert done.returncode == 0, done.stderr

    def learned_in_twenty_pages(self, *settings: str) -> bool:
        """Erase the queue, fetch twenty pages, and return whether the classifier judged any of them."""
        self.web.fetched.clear()
        words = [*self.words("CLOSESPIDER_PAGECOUNT=20", *settings), "-a", "fresh=yes"]
        done = scrapy(words, self.environment, cwd=self.folder)
        assert done.returncode == 0, done.stderr
        last = max(it.run_id for it in self.outcomes())
        found = [it for it in self.outcomes() if it.run_id == last]
        return any(it.probability_threshold is not None for it in found)

    def interrupt(self, number: signal.Signals, ready: Callable[[], bool] = lambda: True) -> None:
        """Run until half of the pages were asked for, wait until *ready*, and send the signal."""
        self.web.pause_after(STOP_AFTER)
        process = ForkedCommand(self.words(), self.environment, cwd=self.folder)
        try:
            wait_until(self.web.waiting.is_set)
            wait_until(ready)
            process.send_signal(number)
            if number is signal.SIGKILL:
                process.wait()
            self.web.go_on()
            process.result(PATIENCE_SECONDS)
        finally:
            self.web.go_on()
            process.kill()

    def judge(self, judgment: str, urls: Sequence[str]) -> None:
        settings = (*self.settings, f"TOPICCRAWL_STORE_URI={store_uri(self.folder)}")
        options = [part for setting in settings for part in ("-s", setting)]
        words = ["judge", *urls, judgment, "--topic", TOPIC, *options]
        done = scrapy(words, self.environment, cwd=self.folder)
        assert done.returncode == 0, done.stderr

    def outcomes(self) -> list[OutcomeRecord]:
        async def read(store: Store) -> list[OutcomeRecord]:
            return [it async for it in store.outcomes(TOPIC)]

        return from_store(store_uri(self.folder), read)

    def standings(self) -> dict[str, PageStanding]:
        async def read(store: Store) -> dict[str, PageStanding]:
            return {it.url: it async for it in store.standings(TOPIC)}

        return from_store(store_uri(self.folder), read)

    def has_followed(self) -> bool:
        """Return whether the classifier has moved a stored page out of what is kept, or into it."""
        moved = {it.reason for it in self.outcomes()} & {"admitted", "withdrawn"}
        return bool(moved) or "withdrawn" in {it.standing for it in self.standings().values()}

    def kept(self) -> set[str]:
        return {url for url, it in self.standings().items() if it.standing == "kept"}


class Workers(Crawls):
    """Two workers on one queue in Redis and one store."""

    def __init__(self, folder: Path, server: WebServer[JudgedWeb], redis_url: str) -> None:
        super().__init__(
            folder, server, "TOPICCRAWL_FRONTIER_BACKEND=redis", f"REDIS_URL={redis_url}"
        )

    def run(self, meanwhile: Callable[[], object] = lambda: None) -> None:
        """Run both to the end; call *meanwhile* when both run, early in the crawl."""
        self.web.pause_after(12)
        processes = [
            ForkedCommand(
                self.words(
                    f"LOG_FILE={self.folder}/worker-{number}.log",
                    f"TOPICCRAWL_STORE_SPOOL_DIR={self.folder}/spool-{number}",
                ),
                self.environment,
                cwd=self.folder,
            )
            for number in range(2)
        ]
        try:
            wait_until(self.web.waiting.is_set)
            wait_until(lambda: all(map(self._runs, range(2))))
            meanwhile()
            self.web.go_on()
            for process in processes:
                done = process.result(PATIENCE_SECONDS)
                assert done.returncode == 0, done.stderr
        finally:
            self.web.go_on()
            for process in processes:
                process.kill()

    def _runs(self, number: int) -> bool:
        log = self.folder / f"worker-{number}.log"
        return log.is_file() and "Spider opened" in log.read_text("utf-8")


@pytest.fixture(scope="module")
def server() -> Iterator[WebServer[JudgedWeb]]:
    with WebServer(JudgedWeb(PAGES)) as server:
        yield server


@pytest.fixture
def empty(server: WebServer[JudgedWeb]) -> WebServer[JudgedWeb]:
    """The server, which counts from zero again."""
    server.web.fetched.clear()
    return server


@pytest.fixture(scope="module")
def whole(
    server: WebServer[JudgedWeb], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, PageStanding]:
    """What an uninterrupted crawl ends with."""
    server.web.fetched.clear()
    crawl = Crawls(tmp_path_factory.mktemp("whole"), server)
    crawl.run()
    assert set(server.web.fetched) == set(server.web.urls)
    return crawl.standings()


def assert_same_judgments(
    found: dict[str, PageStanding], expected: dict[str, PageStanding]
) -> None:
    kept, wanted = (
        {url for url, it in standings.items() if it.standing == "kept"}
        for standings in (found, expected)
    )
    assert len(kept ^ wanted) <= BOUND * len(wanted)
    both = found.keys() & expected.keys()
    assert len(both) > len(wanted), "near misses and withdrawn pages are compared, too"
    for url in both:
        assert found[url].probability == pytest.approx(expected[url].probability, abs=1e-6), url


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_crawl_that_was_stopped_or_killed_ends_with_the_same_judgments(
    empty: WebServer[JudgedWeb],
    tmp_path: Path,
    whole: dict[str, PageStanding],
    number: signal.Signals,
) -> None:
    crawl = Crawls(tmp_path, empty)
    crawl.interrupt(number)
    assert len(empty.web.fetched) <= STOP_AFTER + 1
    crawl.run()
    assert set(empty.web.fetched) == set(empty.web.urls)
    assert_same_judgments(crawl.standings(), whole)


def test_a_store_that_follows_the_classifier_early_ends_with_the_same_judgments(
    empty: WebServer[JudgedWeb], tmp_path: Path, whole: dict[str, PageStanding]
) -> None:
    often = ("TOPICCRAWL_JUDGE_AGAIN_EVERY_PAGES=50", "TOPICCRAWL_IPAGERANK_EVERY_PAGES=10")
    crawl = Crawls(tmp_path, empty, *often)
    # Killed in the middle: no last round has run.
    crawl.interrupt(signal.SIGKILL, crawl.has_followed)
    crawl.run()
    assert_same_judgments(crawl.standings(), whole)


@pytest.mark.parametrize("balance", ["precision", "recall"])
def test_the_balance_changes_what_is_kept(
    empty: WebServer[JudgedWeb],
    tmp_path: Path,
    whole: dict[str, PageStanding],
    balance: str,
) -> None:
    crawl = Crawls(tmp_path, empty, f"TOPICCRAWL_BALANCE={balance}")
    crawl.run()
    balanced = {url for url, it in whole.items() if it.standing == "kept"}
    if balance == "precision":
        assert crawl.kept() < balanced
    else:
        assert crawl.kept() > balanced


@pytest.mark.parametrize("earlier", [0, 2_000])
def test_a_crawl_that_starts_over_judges_its_first_pages_with_what_was_learned(
    empty: WebServer[JudgedWeb], tmp_path: Path, earlier: int
) -> None:
    crawl = Crawls(tmp_path, empty)
    crawl.run()
    # Twenty pages alone are too few to learn from.
    assert crawl.learned_in_twenty_pages(f"TOPICCRAWL_EARLIER_PAGES={earlier}") == (earlier > 0)


@pytest.fixture
def workers(empty: WebServer[JudgedWeb], tmp_path: Path) -> Iterator[Workers]:
    if redis_server.executable() is None:
        pytest.skip(redis_server.HOW_TO_GET_ONE)
    (tmp_path / "redis").mkdir()
    with running(tmp_path / "redis") as redis:
        yield Workers(tmp_path, empty, redis.url)


def test_two_workers_on_redis_end_with_the_judgments_of_one(
    workers: Workers, whole: dict[str, PageStanding]
) -> None:
    workers.run()
    assert sorted(workers.web.fetched) == sorted(workers.web.urls)
    runs = {it.run_id for it in workers.outcomes() if it.sequence}
    assert len(runs) == 2, "both have fetched"
    assert_same_judgments(workers.standings(), whole)


def test_a_judgment_during_a_crawl_reaches_all_workers_on_redis(
    workers: Workers, whole: dict[str, PageStanding]
) -> None:
    web = workers.web
    kept = {url for url, it in whole.items() if it.standing == "kept"}
    judged: set[str] = set()

    def judge() -> None:
        to_come = kept - set(web.fetched)
        assert len(to_come) > 4, "both workers must find some of them"
        wait_until(lambda: bool(kept & workers.kept()))
        judged.update(to_come, sorted(kept & workers.kept())[:1])
        workers.judge("no", sorted(judged))

    workers.run(judge)
    assert not judged & workers.kept()
    by_user = [it for it in workers.outcomes() if it.url in judged]
    assert {(it.verdict, it.reason) for it in by_user} == {("dropped", "judged")}
    assert len({it.run_id for it in by_user}) == 2, "both workers have learned it"


def test_a_crawl_on_redis_that_starts_over_remembers_the_earlier_one(workers: Workers) -> None:
    Crawls.run(workers)
    assert workers.learned_in_twenty_pages()
