"""An article on several pages is stored as one text, and its parts are fetched once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.crawl_runs import PATIENCE_SECONDS, crawl_words, finished, scrapy
from tests.support.forked import ForkedCommand
from tests.support.small_web import ON_TOPIC, SmallCrawl, SmallWeb, crawl_small, link, page
from tests.support.trap_web import article
from topiccrawl.crawl.storing.outcomes import PageLostError
from topiccrawl.webserver.answers import Answer
from topiccrawl.webserver.environment import environment
from topiccrawl.webserver.server import WebServer

A = "http://www.qiao.example"
PLAIN: dict[str, Any] = {
    "TOPICCRAWL_STRATEGY": "breadth-first",
    "TOPICCRAWL_PAGE_CLASSIFIER": False,
}
PARTS = 4


def part_url(number: int) -> str:
    return f"{A}/hr/20200113/5468{'' if number == 1 else f'_{number}'}.html"


def part(
    number: int, parts: int = PARTS, *, all_links: bool = True, title: str = "侨乡百年"
) -> bytes:
    """A part with links to all others, or only to its neighbors."""
    others = range(1, parts + 1) if all_links else (number - 1, number + 1)
    pager = "".join(link(part_url(n), str(n)) for n in others if n != number and 1 <= n <= parts)
    if number < parts:
        pager += link(part_url(number + 1), "下一页")
    text = f"{title}</p><p>{'</p><p>'.join(article(number).split('。')[:-1])}。"
    return page(f"{title}（{number}）" if number > 1 else title, text, f"<div>{pager}</div>")


def web(**changes: bytes | None) -> SmallWeb:
    """A front with a link to the article; *changes* by the number of a part, ``p2=None``."""
    pages = {f"{A}/": page("侨网", "", link(part_url(1), "侨乡百年"))}
    for number in range(1, PARTS + 1):
        body = changes.get(f"p{number}", part(number))
        if body is not None:
            pages[part_url(number)] = body
    return SmallWeb(pages)


def crawl(web: SmallWeb, *seeds: str, **settings: Any) -> SmallCrawl:
    return crawl_small(web, seeds or [f"{A}/"], **PLAIN, **settings)


def whole(*numbers: int) -> str:
    """The text of parts: all begin with the same sentences."""
    return letters(ON_TOPIC + "".join(article(n).removeprefix(ON_TOPIC) for n in numbers))


def letters(text: str) -> str:
    return "".join(c for c in text if c.isalnum()).removeprefix("侨乡百年")


def item_of(done: SmallCrawl, url: str) -> Any:
    return next(item for item in done.items if item.url == url)


@pytest.mark.parametrize("all_links", [True, False])
def test_an_article_is_stored_with_the_text_of_all_its_parts(all_links: bool) -> None:
    site = web(**{f"p{n}": part(n, all_links=all_links) for n in range(1, PARTS + 1)})
    done = crawl(site)
    stored = item_of(done, part_url(1))
    assert letters(stored.body) == whole(1, 2, 3, 4)
    assert stored.parts == PARTS
    assert [it.url for it in done.items] == [part_url(1)]
    assert sorted(site.asked) == sorted([f"{A}/", *map(part_url, range(1, PARTS + 1))])
    assert done.stats["topiccrawl/parts/joined"] == PARTS - 1
    # No link was left out for want of a budget.
    assert "topiccrawl/frontier/over_budget" not in done.stats


def test_a_part_that_cannot_be_fetched_is_left_out_and_counted() -> None:
    done = crawl(web(p3=None))
    stored = item_of(done, part_url(1))
    assert letters(stored.body) == whole(1, 2, 4)
    assert stored.parts == PARTS - 1
    assert done.stats["topiccrawl/parts/missing"] == 1


def test_a_page_with_another_title_is_stored_for_itself() -> None:
    done = crawl(web(p2=part(2, title="侨批档案")))
    assert letters(item_of(done, part_url(1)).body) == whole(1, 3, 4)
    assert item_of(done, part_url(2)).parts == 1


def test_a_part_that_is_found_first_becomes_the_whole_article() -> None:
    site = web()
    done = crawl(site, part_url(3))
    [stored] = done.items
    assert (stored.url, stored.parts, stored.title) == (part_url(1), PARTS, "侨乡百年")
    assert letters(stored.body) == whole(1, 2, 3, 4)
    # One of its links may be taken from the queue before the parts are fetched.
    asked = [url for url in site.asked if "5468" in url]
    assert set(asked) == set(map(part_url, range(1, PARTS + 1)))
    assert len(asked) <= PARTS + 1
    assert {why for url, why in done.dropped.items() if "5468" in url} <= {"part"}


def test_a_part_without_its_first_one_is_stored_for_itself() -> None:
    done = crawl(web(p1=None), part_url(3))
    stored = item_of(done, part_url(3))
    assert letters(stored.body) == whole(3)
    assert (stored.parts, stored.title) == (1, "侨乡百年")


def test_articles_stay_apart_without_the_setting_and_in_part_with_a_limit() -> None:
    apart = crawl(web(), TOPICCRAWL_ARTICLE_PARTS=0)
    assert {it.url for it in apart.items} == {part_url(n) for n in range(1, PARTS + 1)}
    assert item_of(crawl(web(), TOPICCRAWL_ARTICLE_PARTS=2), part_url(1)).parts == 2


def test_parts_outside_the_scope_or_forbidden_by_robots_are_not_fetched() -> None:
    site = web()
    stored = item_of(crawl(site, TOPICCRAWL_DENY="/*_3.html"), part_url(1))
    assert stored.parts == PARTS - 1
    assert part_url(3) not in site.asked
    site = web()
    site.robots = b"User-agent: *\nDisallow: /hr/20200113/5468_2\n"
    assert item_of(crawl(site), part_url(1)).parts == PARTS - 1
    assert part_url(2) not in site.asked


def test_pages_of_an_article_off_topic_are_not_fetched_for_it() -> None:
    text = "昨晚的比赛在雨中进行，主队在下半场连进三球，逆转取胜。门将多次扑出险球，教练满意。" * 3
    body = page("比赛", text, link(part_url(2), "下一页"))
    done = crawl(web(p1=body, p2=None))
    assert "topiccrawl/parts/missing" not in done.stats
    assert done.dropped[part_url(1)] == "off-topic"


class SlowParts:
    """The article's site; the last of its parts that are joined may be answered late at the first time."""

    def __init__(self, *, late: bool = True) -> None:
        self.pages = web().pages
        self._late = late
        self.asked: list[str] = []

    def answer(self, url: str, attempt: int = 1) -> Answer | None:
        if not url.startswith(A):
            return None
        self.asked.append(url)
        body = self.pages.get(url)
        if body is None:
            return Answer(404, "text/html", b"")
        late = self._late and url == part_url(PARTS) and self.asked.count(url) == 1
        return Answer(200, "text/html; charset=utf-8", body, delay_seconds=30.0 * late)


@pytest.mark.slow
@pytest.mark.parametrize("found", [1, 3])
def test_an_article_whose_worker_is_killed_while_it_is_joined_is_stored_whole(
    found: int, tmp_path: Path
) -> None:
    site = SlowParts()
    with WebServer(site) as server:
        plain = [f"{name}={value}" for name, value in PLAIN.items()]
        words = crawl_words(tmp_path, [part_url(found)], 100, *plain)
        process = ForkedCommand(words, environment(server.url))
        try:
            process.wait_until(lambda: part_url(PARTS) in site.asked, PATIENCE_SECONDS)
        finally:
            process.kill()
            process.result(PATIENCE_SECONDS)
        done = finished(scrapy(words, environment(server.url)), tmp_path, server.requests)
    [stored] = done.pages
    assert (done.code, stored.url, stored.parts) == (0, part_url(1), PARTS)
    assert letters(stored.body) == whole(1, 2, 3, 4)


@pytest.mark.slow
def test_an_article_whose_worker_is_killed_before_it_is_stored_is_stored_whole(
    tmp_path: Path,
) -> None:
    held = tmp_path / "held"
    site = SlowParts(late=False)
    with WebServer(site) as server:
        plain = [f"{name}={value}" for name, value in PLAIN.items()]
        hold = ['ITEM_PIPELINES={"tests.support.holding.HoldArticle": 350}', f"HELD_FILE={held}"]
        both = "CONCURRENT_REQUESTS=2"
        words = crawl_words(tmp_path, [part_url(3), part_url(2)], 100, *plain, *hold, both)
        process = ForkedCommand(words, environment(server.url))
        try:
            process.wait_until(held.exists, PATIENCE_SECONDS)
        finally:
            process.kill()
            process.result(PATIENCE_SECONDS)
        done = finished(scrapy(words, environment(server.url)), tmp_path, server.requests)
    [stored] = done.pages
    assert (done.code, stored.url, stored.parts) == (0, part_url(1), PARTS)
    assert letters(stored.body) == whole(1, 2, 3, 4)


def test_an_article_that_is_lost_on_its_way_is_joined_again_when_its_part_comes_back() -> None:
    lost: list[str] = []

    class Losing:
        def process_item(self, item: Any) -> Any:
            if item.parts > 1 and not lost:
                lost.append(item.url)
                raise PageLostError
            return item

    done = crawl(
        web(p1=part(1, all_links=False)),
        part_url(3),
        ITEM_PIPELINES={Losing: 350},
        TOPICCRAWL_RETRY_DELAY_SECONDS=0,
    )
    [stored] = done.items
    assert lost == [stored.url] == [part_url(1)]
    assert letters(stored.body) == whole(1, 2, 3, 4)


class Failing:
    """A pipeline that fails on whole articles, a number of times."""

    def __init__(self, times: int) -> None:
        self.left = times

    def process_item(self, item: Any) -> Any:
        if item.parts > 1 and self.left:
            self.left -= 1
            raise ValueError
        return item


def failing(times: int) -> dict[str, Any]:
    """Settings with such a pipeline."""
    pipeline = Failing(times)
    return {"ITEM_PIPELINES": {type("", (), {"process_item": pipeline.process_item}): 350}}


@pytest.mark.parametrize("seed", [f"{A}/", part_url(3)])
def test_an_article_on_which_a_pipeline_fails_once_is_stored_whole(seed: str) -> None:
    done = crawl(web(), seed, **failing(1))
    [stored] = done.items
    assert letters(stored.body) == whole(1, 2, 3, 4)
    assert done.run.frontier.size().queued == 0


def test_the_pages_of_an_article_on_which_a_pipeline_always_fails_are_stored_apart() -> None:
    site = web()
    done = crawl(site, **failing(100))
    assert {it.parts for it in done.items} == {1}
    assert {it.url for it in done.items} == set(map(part_url, range(1, PARTS + 1)))
    assert done.stats["topiccrawl/failed/pipeline-error"] == 2


def test_the_first_page_of_an_article_that_is_stored_under_its_address_is_not_stored_again() -> (
    None
):
    site = web()
    both = {"CONCURRENT_REQUESTS": 2, "CONCURRENT_REQUESTS_PER_DOMAIN": 2}
    done = crawl(site, part_url(3), part_url(1), **both)
    assert site.asked[:2] == [part_url(3), part_url(1)]
    [stored] = done.items
    assert (stored.url, stored.parts) == (part_url(1), PARTS)
    size = done.run.frontier.size()
    assert (size.queued, size.leased) == (0, 0)


def test_a_part_on_its_way_is_stored_whole_when_a_pipeline_fails_on_the_article() -> None:
    failed: list[str] = []

    class Failing:
        def process_item(self, item: Any) -> Any:
            if item.parts > 1 and not failed:
                failed.append(item.url)
                raise ValueError
            return item

    done = crawl(
        web(),
        part_url(3),
        part_url(2),
        ITEM_PIPELINES={Failing: 350},
        CONCURRENT_REQUESTS=2,
        CONCURRENT_REQUESTS_PER_DOMAIN=2,
    )
    assert failed == [part_url(1)]
    assert {it.url for it in done.items} == {part_url(1)}
    assert {letters(it.body) for it in done.items} == {whole(1, 2, 3, 4)}
