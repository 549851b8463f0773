"""Which pages are loaded in a browser."""

from __future__ import annotations

import asyncio

from tests.support.store_records import in_loop
from topiccrawl.crawl.pages.browsing import BrowserChoice, Learned
from topiccrawl.topics.definition import Seed, TopicDefinition


def choice(published: list[Learned] | None = None, *, learns: bool = True) -> BrowserChoice:
    definition = TopicDefinition(
        "侨情",
        seeds=(Seed("http://spa.cn/index.html", browser=True), Seed("http://b.cn/")),
        browser=("a.cn/news/*",),
    )
    return BrowserChoice(
        definition, [].append if published is None else published.append, learns=learns
    )


def test_the_topic_names_pages_by_seeds_and_patterns() -> None:
    named = choice().named
    assert named("http://spa.cn/x/1.html")
    assert named("http://a.cn/news/1.html")
    assert not named("http://a.cn/about.html")
    assert not named("http://b.cn/")
    nothing = BrowserChoice(TopicDefinition("侨情"), lambda learned: None, learns=False)
    assert not nothing.possible
    assert not nothing.named("http://a.cn/")


@in_loop
async def test_the_first_page_of_a_template_is_tried_and_others_wait_for_it() -> None:
    published: list[Learned] = []
    decides = choice(published)
    trials: list[int] = []
    assert await decides.load("a.cn", "t", lambda: trials.append(1)) == (True, True)
    others = [asyncio.ensure_future(decides.load("a.cn", "t", lambda: None)) for _ in range(3)]
    await asyncio.sleep(0)
    assert not any(task.done() for task in others)
    decides.tried("a.cn", "t", True)
    assert await asyncio.gather(*others) == [(True, False)] * 3
    assert published == [Learned("a.cn", "t", True)]
    assert trials == [1]


@in_loop
async def test_a_template_without_gain_is_left_alone_and_tried_again_rarely() -> None:
    decides = choice()
    loads = 0
    for _ in range(400):
        load, trial = await decides.load("a.cn", "t", lambda: None)
        loads += load
        if trial:
            decides.tried("a.cn", "t", False)
    assert 2 <= loads <= 4


@in_loop
async def test_a_template_whose_loads_are_useless_is_given_up() -> None:
    published: list[Learned] = []
    decides = choice(published)
    await decides.load("a.cn", "t", lambda: None)
    decides.tried("a.cn", "t", True)
    for _ in range(3):
        decides.loaded("a.cn", "t", False)
    assert await decides.load("a.cn", "t", lambda: None) == (False, False)
    assert published[-1] == Learned("a.cn", "t", False)


@in_loop
async def test_failed_trials_decide_nothing_until_there_are_three() -> None:
    decides = choice()
    for _ in range(3):
        assert await decides.load("a.cn", "t", lambda: None) == (True, True)
        decides.tried("a.cn", "t", None)
    assert await decides.load("a.cn", "t", lambda: None) == (False, False)


@in_loop
async def test_what_another_worker_has_learned_is_taken_over() -> None:
    decides = choice()
    decides.receive(Learned("a.cn", "t", True))
    decides.receive(Learned("a.cn", "u", False))
    assert await decides.load("a.cn", "t", lambda: None) == (True, False)
    assert await decides.load("a.cn", "u", lambda: None) == (False, False)
