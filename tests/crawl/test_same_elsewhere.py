"""Analysis in processes of their own: the same requests, pages and outcomes as in the crawl's own process."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.crawl.test_same_twice import outcomes, pages
from tests.support.crawl_runs import NO_LATER_TRIES, crawl
from topiccrawl.demo import DemoWeb

pytestmark = pytest.mark.slow

#: Fetches of each crawl.
PAGES = 60


def test_a_real_crawl_is_the_same_in_every_request_page_and_outcome(
    web: DemoWeb, tmp_path: Path
) -> None:
    here = crawl(web, tmp_path / "here", PAGES, NO_LATER_TRIES, "TOPICCRAWL_ANALYSIS_PROCESSES=0")
    there = crawl(web, tmp_path / "there", PAGES, NO_LATER_TRIES, "TOPICCRAWL_ANALYSIS_PROCESSES=1")
    assert (there.code, there.stderr) == (0, "")
    assert len(here.pages) >= PAGES / 4
    assert [(it.url, it.status) for it in there.requests] == [
        (it.url, it.status) for it in here.requests
    ]
    assert pages(there) == pages(here)
    assert outcomes(there) == outcomes(here)
