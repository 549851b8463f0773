"""Crawls that many tests look at; each is run once."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import mongo_server
from tests.support.crawl_runs import NO_LATER_TRIES, CrawlResult, crawl
from tests.support.hostile_web import hostile_seeds, hostile_web
from topiccrawl.demo import DemoWeb

#: Fetches of the crawls that are compared: half of the web's 300 pages.
PAGES = 140


@pytest.fixture(scope="session")
def web() -> DemoWeb:
    return DemoWeb(seed=7, size=300)


@pytest.fixture(scope="session")
def main_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("main")


@pytest.fixture(scope="session")
def main_crawl(web: DemoWeb, main_folder: Path) -> CrawlResult:
    """The main job with the default settings, one request at a time, as a user runs it."""
    return crawl(web, main_folder, PAGES, NO_LATER_TRIES, fresh=True)


@pytest.fixture(scope="session")
def breadth_first(web: DemoWeb, tmp_path_factory: pytest.TempPathFactory) -> CrawlResult:
    """The same web and limit in the order of a crawler that knows no topic."""
    folder = tmp_path_factory.mktemp("breadth-first")
    return crawl(web, folder, PAGES, "TOPICCRAWL_STRATEGY=breadth-first")


@pytest.fixture(scope="session")
def repeated_crawl(web: DemoWeb, tmp_path_factory: pytest.TempPathFactory) -> CrawlResult:
    """The main job once more, into another store; another interpreter has another hash seed."""
    folder = tmp_path_factory.mktemp("repeated")
    return crawl(web, folder, PAGES, NO_LATER_TRIES, fresh=True)


@pytest.fixture(scope="session")
def mongo_crawl(web: DemoWeb, tmp_path_factory: pytest.TempPathFactory) -> Iterator[CrawlResult]:
    """The main job into a MongoDB database that exists for it alone."""
    given, executable = mongo_server.given_uri(), mongo_server.given_executable()
    server = None
    if given is None:
        if executable is None:
            pytest.skip(mongo_server.HOW_TO_GET_ONE)
        server = mongo_server.MongoServer(executable, tmp_path_factory.mktemp("mongo-data"))
        server.start()
    uri = given or (server.uri if server else "")
    place, question, options = uri.partition("?")
    scheme, _, rest = place.partition("://")
    name = f"topiccrawl_test_{secrets.token_hex(6)}"
    database = f"{scheme}://{rest.partition('/')[0]}/{name}{question}{options}"
    try:
        yield crawl(web, tmp_path_factory.mktemp("mongo"), PAGES, NO_LATER_TRIES, store=database)
    finally:
        from pymongo import MongoClient

        with MongoClient[dict[str, object]](uri) as client:
            client.drop_database(name)
        if server is not None:
            server.kill()


@pytest.fixture(scope="session")
def hostile_crawl(tmp_path_factory: pytest.TempPathFactory) -> CrawlResult:
    """A crawl whose seeds are everything that a web can throw at a crawler."""
    web = hostile_web()
    return crawl(
        web,
        tmp_path_factory.mktemp("hostile"),
        110,
        "CONCURRENT_REQUESTS=4",
        "CONCURRENT_REQUESTS_PER_DOMAIN=2",
        seeds=tuple(hostile_seeds(web).values()),
    )
