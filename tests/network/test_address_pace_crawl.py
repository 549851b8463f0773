"""Many host names on one address."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from tests.support.loopback_sites import Answer, article, crawl, serving


def test_an_address_with_any_number_of_names_gets_a_few_requests_at_a_time(tmp_path: Path) -> None:
    lock = threading.Lock()
    under_way = most = 0

    def answer(path: str) -> Answer:
        nonlocal under_way, most
        with lock:
            under_way += 1
            most = max(most, under_way)
        time.sleep(0.05)
        with lock:
            under_way -= 1
        if path != "/":
            return Answer(b"<html></html>")
        return article("侨情首页", *(f"http://n{i}-wild.test:{site.port}/{i}" for i in range(30)))

    with serving(answer, "127.0.0.1") as site:
        done = crawl(
            tmp_path,
            [f"http://www-wild.test:{site.port}/"],
            names={"*.test": ["127.0.0.1"]},
            TOPICCRAWL_PRIVATE_ADDRESSES_ALLOWED="all",
            TOPICCRAWL_REQUESTS_PER_ADDRESS=3,
            TOPICCRAWL_STRATEGY="breadth-first",  # it waits for no answers, whatever the pages are worth
            CONCURRENT_REQUESTS=16,
            ROBOTSTXT_OBEY=False,
            TOPICCRAWL_RESEED=False,
        )
    assert done.code == 0
    assert len(set(site.asked)) == 31
    assert most == 3
