"""Several workers refresh one collection and are killed: nothing is lost, few pages are visited twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.known_web import KnownWeb
from tests.support.crawl_runs import PATIENCE_SECONDS, TOPIC, crawl_words, scrapy
from tests.support.forked import ForkedCommand
from tests.support.later import AHEAD
from tests.support.redis_support import needs_redis, running
from tests.support.stored import from_store
from topiccrawl.crawl.refreshing.records import history_of
from topiccrawl.demo.crawl import store_uri
from topiccrawl.store.contract import PageRecord, Store, VersionRecord, VisitRecord
from topiccrawl.webserver.environment import environment
from topiccrawl.webserver.server import WebServer

pytestmark = pytest.mark.slow

PAGES, HOSTS = 90, 6
TWO_DAYS = 2 * 86_400
CORRECTION = "更正：侨务座谈会改在下月举行，地点不变，归侨代表照常出席。"


class CorrectedWeb(KnownWeb):
    """A web in which every third page is corrected at some time."""

    corrected = False

    def _text(self, number: int) -> tuple[str, list[str]]:
        title, paragraphs = super()._text(number)
        if self.corrected and number % 3 == 0:
            paragraphs = [*paragraphs, CORRECTION]
        return title, paragraphs


async def visited(store: Store) -> set[str]:
    """Return the URLs of the recorded revisits."""
    return {it.url async for it in store.visits(TOPIC) if history_of(it).visits}


async def stored(
    store: Store,
) -> tuple[dict[str, PageRecord], dict[str, VisitRecord], dict[str, list[VersionRecord]]]:
    """Return pages, visits and versions by URL."""
    pages = {page.url: page async for page in store.pages(TOPIC)}
    visits = {record.url: record async for record in store.visits(TOPIC)}
    versions = {url: list(await store.versions(TOPIC, url)) for url in pages}
    return pages, visits, versions


@pytest.fixture(params=["sqlite", pytest.param("redis", marks=needs_redis)])
def frontier(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, ...]]:
    """Settings of a queue whose clock can be ahead."""
    if request.param == "sqlite":
        yield (
            "TOPICCRAWL_FRONTIER_BACKEND=tests.support.later.open_later",
            f"TOPICCRAWL_FRONTIER_DIR={tmp_path}",
        )
        return
    folder = tmp_path / "redis"
    folder.mkdir()
    with running(folder) as server:
        yield (
            "TOPICCRAWL_FRONTIER_BACKEND=tests.support.later.open_later_redis",
            f"REDIS_URL={server.url}",
        )


def test_workers_that_are_killed_while_they_refresh_lose_nothing(
    frontier: tuple[str, ...], tmp_path: Path
) -> None:
    settings = (
        *frontier,
        "CONCURRENT_REQUESTS=4",
        "TOPICCRAWL_DUPLICATES=off",
        "TOPICCRAWL_HOST_LINES=0",
    )
    web = CorrectedWeb(PAGES, HOSTS, latency=(0.05, 0.2))
    with WebServer(web) as server:
        words = crawl_words(tmp_path, web.seeds, 0, *settings)
        assert scrapy(words, environment(server.url)).returncode == 0
        given = [word for at, word in enumerate(words) if at and words[at - 1] == "-s"]
        refresh = ["refresh", TOPIC, *(part for word in given for part in ("-s", word))]
        web.corrected = True
        web.arrivals.clear()
        later = environment(server.url) | {AHEAD: str(TWO_DAYS)}
        workers = [ForkedCommand(refresh, later) for _number in range(3)]
        in_hand = 0
        try:
            # One of them leads and plans; whoever takes over must know what was visited before.
            for worker, visits in zip(workers, (30, 60), strict=False):
                worker.wait_until(
                    lambda least=visits: len(web.fetches()) >= least, PATIENCE_SECONDS
                )
                worker.kill()
                fetched = {arrival.url for arrival in web.fetches()}
                in_hand += len(fetched - from_store(store_uri(tmp_path), visited))
            assert workers[-1].result(PATIENCE_SECONDS).returncode == 0
        finally:
            for worker in workers:
                worker.kill()
        assert scrapy(refresh, later).returncode == 0
        asked = Counter(arrival.url for arrival in web.fetches())
    assert set(asked) == set(web.urls)
    assert asked.total() - len(web.urls) <= in_hand
    pages, visits_of, versions = from_store(store_uri(tmp_path), stored)
    for number, url in enumerate(web.urls):
        changed = number % 3 == 0
        assert (CORRECTION in pages[url].body) is changed
        assert len(versions[url]) == changed
        found = history_of(visits_of[url]).visits
        assert len(found) == 1
        if number:  # the seed is visited as a list, whose changes are new links
            assert found[0].changed is changed
