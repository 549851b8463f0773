"""Crawls that many tests look at; each is run once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from crawl.crawl_runs import CrawlResult, crawl

from topiccrawl.demo import DemoWeb

if TYPE_CHECKING:
    from pathlib import Path

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
    """The main job with the default settings, one request at a time."""
    return crawl(web, main_folder, PAGES)


@pytest.fixture(scope="session")
def breadth_first(web: DemoWeb, tmp_path_factory: pytest.TempPathFactory) -> CrawlResult:
    """The same web and limit in the order of a crawler that knows no topic."""
    folder = tmp_path_factory.mktemp("breadth-first")
    return crawl(web, folder, PAGES, "TOPICCRAWL_STRATEGY=breadth-first")
