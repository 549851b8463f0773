"""Trial runs of large pages: a page that takes too long ends a child process, not the crawl."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
from collections.abc import Iterator

import pytest

from tests.support.small_web import ON_TOPIC, SmallWeb, crawl_small, link
from tests.support.small_web import page as article
from tests.support.store_records import in_loop
from topiccrawl.crawl.pages.trials import (
    TRIAL_BYTES,
    TRIAL_TAGS,
    PageTrials,
)
from topiccrawl.crawl.requests.refused import AnalysisCrash, AnalysisTimeout
from topiccrawl.page.page import Page

URL = "http://a.example/"
EXTRACTORS = "tests.support.costly_extractors"


@pytest.fixture
def trials() -> Iterator[PageTrials]:
    trials = PageTrials(0.5)
    yield trials
    trials.close()


def page(text: str, extractor: str = "blocks") -> Page:
    name = extractor if extractor == "blocks" else f"{EXTRACTORS}.{extractor}"
    return Page(URL, text.encode(), extractor=name)


def child(trials: PageTrials) -> int:
    process = trials._child.process
    assert process is not None
    return process.pid


def test_only_large_pages_have_a_trial(trials: PageTrials) -> None:
    assert not trials.wanted(page("<p>侨" * 10_000))
    assert trials.wanted(page("x" * TRIAL_BYTES))
    assert trials.wanted(page("<b>" * TRIAL_TAGS))
    assert not PageTrials(0.0).wanted(page("x" * TRIAL_BYTES))


def test_a_page_that_takes_too_long_is_given_up_while_the_event_loop_goes_on(
    trials: PageTrials,
) -> None:
    async def crawl() -> int:
        turns = 0
        trial = asyncio.create_task(trials.run(page("endless", "Endless")))
        while not trial.done():
            await asyncio.sleep(0.01)
            turns += 1
        with pytest.raises(AnalysisTimeout, match=r"more than 0\.5 s of CPU time"):
            await trial
        await trials.run(page("short", "Endless"))
        return turns

    before = resource.getrusage(resource.RUSAGE_SELF)
    assert asyncio.run(crawl()) >= 10
    after = resource.getrusage(resource.RUSAGE_SELF)
    assert after.ru_utime - before.ru_utime < 0.5


@in_loop
async def test_a_page_that_crashes_the_parser_is_given_up(trials: PageTrials) -> None:
    with pytest.raises(AnalysisCrash, match="status -6"):
        await trials.run(page("crash", "Crash"))
    await trials.run(page("fine", "Crash"))


def test_a_page_that_takes_too_much_memory_is_given_up(trials: PageTrials) -> None:
    with pytest.raises(AnalysisCrash):
        asyncio.run(trials.run(page("侨", "Memory")))


@in_loop
async def test_a_process_that_was_ended_from_outside_is_replaced(trials: PageTrials) -> None:
    await trials.run(page("侨"))
    first = child(trials)
    os.kill(first, signal.SIGKILL)
    await asyncio.sleep(0.1)
    await trials.run(page("侨"))
    assert child(trials) != first


@in_loop
async def test_the_process_serves_many_pages(trials: PageTrials) -> None:
    await trials.run(page("侨"))
    first = child(trials)
    await asyncio.gather(*(trials.run(page(f"侨{i}")) for i in range(5)))
    assert child(trials) == first


def test_pages_pass_without_a_trial_where_no_process_can_be_started(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(PageTrials, "command", ("/nowhere/python",))
    trials = PageTrials(0.5)
    asyncio.run(trials.run(page("侨")))
    assert "without a trial" in caplog.text
    assert not trials.wanted(page("x" * TRIAL_BYTES))


def test_half_of_the_requests_may_wait_for_a_trial_and_others_get_turns_one_after_the_other() -> (
    None
):
    trials = PageTrials(0.5, concurrency=4)

    async def crawl() -> tuple[bool, bool]:
        one = asyncio.create_task(trials.run(page("侨")))
        await asyncio.sleep(0)
        after_one = trials.turns.crowded
        two = asyncio.create_task(trials.run(page("侨")))
        await asyncio.sleep(0)
        after_two = trials.turns.crowded
        await asyncio.gather(one, two)
        return after_one, after_two

    try:
        assert asyncio.run(crawl()) == (False, True)
        assert not trials.turns.crowded
        turns = [trials.turns.turn() for _ in range(1_000)]
        assert 0 < turns[0] < turns[1] < turns[2]
        assert turns[-1] == turns[-2] < 3_600
    finally:
        trials.close()


def test_no_process_is_left_behind(trials: PageTrials) -> None:
    asyncio.run(trials.run(page("侨")))
    pid = child(trials)
    trials.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_nothing_waits_for_a_trial_when_the_crawl_ends() -> None:
    ending = False
    trials = PageTrials(1000.0, lambda: ending)

    def end() -> None:
        nonlocal ending
        assert trials._child.process is not None
        ending = True

    async def crawl() -> list[bool]:
        asyncio.get_running_loop().call_later(0.5, end)
        waiting = (trials.run(page("endless", "Endless")) for _ in range(3))
        return await asyncio.wait_for(asyncio.gather(*waiting), 30.0)

    assert asyncio.run(crawl()) == [False] * 3
    assert ending
    assert trials._child.process is None


def test_a_page_whose_trial_the_end_of_the_crawl_breaks_off_returns_to_the_queue() -> None:
    home = "http://www.qiao.example/"
    costly = article("侨乡", f"endless {ON_TOPIC}", "<p>侨</p>" * TRIAL_TAGS)
    good = article("侨联座谈会", f"侨联座谈会。{ON_TOPIC}" * 2)
    web = SmallWeb({f"{home}costly": costly, "http://b.qiao.example/": good})
    crawl = crawl_small(
        web,
        [f"{home}costly", "http://b.qiao.example/"],
        CONCURRENT_REQUESTS=2,
        CLOSESPIDER_ITEMCOUNT=1,
        TOPICCRAWL_BODY_EXTRACTOR=f"{EXTRACTORS}.EndlessOrBlocks",
        TOPICCRAWL_PAGE_CPU_SECONDS=1000,
    )
    assert crawl.stats["finish_reason"] == "closespider_itemcount"
    assert web.asked.count(f"{home}costly") == 1
    assert crawl.stats["topiccrawl/frontier/size/queued"] == 1
    assert crawl.stats["topiccrawl/frontier/size/leased"] == 0


def test_pages_that_cannot_wait_for_a_trial_are_fetched_again_and_stored() -> None:
    words = ["侨联座谈会", "华校毕业礼", "侨捐项目表", "归侨联谊会"]
    large = {
        f"http://{number}.qiao.example/": article(
            title, f"{title}。{ON_TOPIC}" * 2, "<i></i>" * TRIAL_TAGS
        )
        for number, title in enumerate(words)
    }
    web = SmallWeb(large)
    crawl = crawl_small(web, [*large], CONCURRENT_REQUESTS=4)
    assert crawl.stats["finish_reason"] == "finished"
    assert crawl.stats["topiccrawl/pages/put_back"] >= 1
    assert {item.url for item in crawl.items} == set(large)
    assert len(web.asked) == len(large) + crawl.stats["topiccrawl/pages/put_back"]


def test_a_crawl_records_the_page_once_and_stores_the_others() -> None:
    """The queue does not offer the page again, so no other worker gets it."""
    home = "http://www.qiao.example/"
    titles = ["侨联座谈会", "华校毕业礼", "侨捐项目表", "归侨联谊会"]
    good = {
        f"{home}{i}": article(title, f"{title}。{ON_TOPIC}" * 2, link(f"{home}{i + 1}", "侨务新闻"))
        for i, title in enumerate(titles)
    }
    costly = article("侨乡", f"endless {ON_TOPIC}", "<p>侨</p>" * TRIAL_TAGS)
    web = SmallWeb({**good, f"{home}costly": costly})
    crawl = crawl_small(
        web,
        [f"{home}costly", f"{home}0"],
        TOPICCRAWL_BODY_EXTRACTOR=f"{EXTRACTORS}.EndlessOrBlocks",
        TOPICCRAWL_PAGE_CPU_SECONDS=0.5,
    )
    assert crawl.stats["finish_reason"] == "finished"
    assert crawl.stats["topiccrawl/failed/analysis-timeout"] == 1
    assert {item.url for item in crawl.items} == set(good)
    assert web.asked.count(f"{home}costly") == 1
    assert crawl.stats["topiccrawl/frontier/size/leased"] == 0
    assert crawl.stats["topiccrawl/frontier/size/queued"] == 0
