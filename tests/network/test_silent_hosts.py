"""Hosts that accept connections and never answer keep neither connections nor honest pages waiting for long."""

from __future__ import annotations

import random
import threading
from pathlib import Path

from tests.support.loopback_sites import Answer, article, crawl, serving

GOOD = [f"/good/{n}" for n in range(10)]


def names_of(count: int) -> list[str]:
    """Names of registered domains without anything in common."""
    draw = random.Random(4)
    return [f"www.{''.join(draw.choices('bcdfghkl', k=8))}.test" for _ in range(count)]


def test_pages_of_a_host_that_answers_do_not_wait_for_a_page_of_links_to_silent_hosts(
    tmp_path: Path,
) -> None:
    end = threading.Event()
    silent = names_of(80)

    def never(path: str) -> Answer:
        end.wait(30)
        return Answer(status=-1)

    texts = random.Random(5)
    with serving(never, "127.0.0.2") as dead:
        links = [f"http://{name}:{dead.port}/" for name in silent] + GOOD
        pages = {"/": article("侨情首页", *links)}
        for path in GOOD:
            own = "".join(chr(texts.randrange(0x4E00, 0x6E00)) for _ in range(60))
            pages[path] = article(f"归侨{own}")
        with serving(pages, "127.0.0.1") as site:
            done = crawl(
                tmp_path,
                [f"{site.url}/"],
                names={name: ["127.0.0.2"] for name in silent},
                arguments=["-a", f"pages={1 + len(GOOD)}"],
                DOWNLOAD_TIMEOUT=0.3,
                RETRY_TIMES=2,
                TOPICCRAWL_RETRY_DELAY_SECONDS=60,
                TOPICCRAWL_RETRY_MAX_ATTEMPTS=3,
                TOPICCRAWL_PRIVATE_ADDRESSES_ALLOWED="all",
            )
            end.set()
    assert done.code == 0
    assert set(GOOD) <= set(site.asked)
    failed = [it for it in done.outcomes.values() if it.verdict == "failed"]
    assert {it.reason for it in failed} == {"timeout"}
    assert len(failed) <= 40, "20 in a row, and some that had been sent by then"
    assert len(dead.asked) == len(failed), "each is asked once: the queue tries it again later"


def test_seeds_that_never_answer_are_not_tried_again_before_all_others(tmp_path: Path) -> None:
    end = threading.Event()
    silent = names_of(4)

    def never(path: str) -> Answer:
        end.wait(60)
        return Answer(status=-1)

    with (
        serving(never, "127.0.0.2") as dead,
        serving({"/": article("侨情首页"), "/2": article("归侨")}, "127.0.0.1") as site,
    ):
        seeds = [f"http://{name}:{dead.port}/" for name in silent]
        done = crawl(
            tmp_path,
            [*seeds, f"{site.url}/"],
            names={name: ["127.0.0.2"] for name in silent},
            arguments=["-a", "pages=1"],
            CONCURRENT_REQUESTS=1,
            DOWNLOAD_TIMEOUT=2,
            CLOSESPIDER_TIMEOUT=40,
            TOPICCRAWL_PRIVATE_ADDRESSES_ALLOWED="all",
        )
        end.set()
    assert done.code == 0
    assert "/" in site.asked
    assert len(dead.asked) == len(silent)
