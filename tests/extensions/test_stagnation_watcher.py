"""A crawl that runs dry logs this once, tries the folders above what it found, and ends."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request, Spider
from scrapy.exceptions import NotConfigured
from scrapy.http import Response

from tests.support.page_items import run_of, topicless
from tests.support.small_web import (
    OFF_TOPIC,
    ON_TOPIC,
    SmallCrawl,
    SmallWeb,
    crawl_small,
    link,
    page,
    response,
)
from topiccrawl.extensions import stagnation as watcher
from topiccrawl.extensions.stagnation import StagnationWatcher
from topiccrawl.frontier.contract import QueuedLink
from topiccrawl.scoring import stagnation
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.spiders.refresh import RefreshSpider

SITE = "http://a.example/"
ELSEWHERE = "http://b.example/"
#: Pages without a find that the crawls of these tests bear, in place of 100 to 2,000.
BORNE = 5


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stagnation, "LEAST_DRY", BORNE)
    monkeypatch.setattr(stagnation, "MOST_DRY", BORNE)


#: Of each a page: like titles are one story.
TITLES = (
    "侨联座谈会在广州召开",
    "海外侨胞回乡寻根谒祖",
    "华文学校迎来开学典礼",
    "归侨代表谈权益保护",
    "侨资企业落户开发区",
    "华人社团庆祝春节",
    "侨务干部走访贫困户",
    "侨乡博物馆展出书信",
)


def on_topic(number: int, links: str = "") -> bytes:
    return page(TITLES[number % len(TITLES)], f"{ON_TOPIC}这是第{number}次。", links)


def off_topic(number: int, links: str = "") -> bytes:
    return page(f"第{number}轮足球比赛", f"{OFF_TOPIC}这是第{number}轮。", links)


def island(folder: str, pages: int) -> dict[str, bytes]:
    """Relevant pages that only their folder's own page links to, and it is linked from the home page."""
    names = [f"{SITE}{folder}{i}.html" for i in range(1, pages + 1)]
    found = {name: on_topic(i) for i, name in enumerate(names, 1)}
    listed = page("目录", OFF_TOPIC, "".join(map(link, names)))
    return {**found, SITE + folder: listed, SITE: page("首页", OFF_TOPIC, link(SITE + folder))}


def chain(pages: int) -> dict[str, bytes]:
    """Pages off the topic, each with a link to the next."""
    return {
        f"{ELSEWHERE}{i}": off_topic(i, link(f"{ELSEWHERE}{i + 1}") if i < pages else "")
        for i in range(1, pages + 1)
    }


def picture(url: str) -> Response:
    return response(url, b"\x89PNG\r\n\x1a\n\x00", content_type="image/png")


def from_a_find_into_the_desert(folder: str, pages: int) -> SmallWeb:
    """The first page of an island, from which a link leads away for good."""
    first = f"{SITE}{folder}1.html"
    away = on_topic(1, link(f"{ELSEWHERE}1"))
    return SmallWeb({**island(folder, 4), **chain(pages), first: away})


def stat(crawl: SmallCrawl, name: str) -> Any:
    return crawl.stats.get(f"topiccrawl/stagnation/{name}", 0)


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [
        record.getMessage()
        for record in caplog.records
        if record.name == watcher.__name__ and record.levelno >= logging.WARNING
    ]


# -- the queue is empty ------------------------------------------------------------------------


def test_pages_that_only_their_folder_leads_to_are_found() -> None:
    web = SmallWeb(island("news/", 4))
    crawl = crawl_small(web, [f"{SITE}news/1.html"])
    assert web.asked[:3] == [f"{SITE}news/1.html", SITE, f"{SITE}news/"]
    assert {f"{SITE}news/{i}.html" for i in range(1, 5)} <= set(web.asked)
    assert crawl.stats["topiccrawl/pages/relevant"] == 4
    assert stat(crawl, "seeds") == 1
    assert crawl.stats["finish_reason"] == "finished"


def test_only_the_root_is_asked_for_of_a_site_that_links_to_no_folder() -> None:
    start = SITE + "wp/a/deep/1.html"
    web = SmallWeb({start: on_topic(1)})
    crawl = crawl_small(web, [start])
    assert web.asked == [start, SITE]
    assert stat(crawl, "seeds") == 1


def test_a_folder_like_others_that_answered_is_asked_for_though_nothing_links_to_it() -> None:
    pages = [f"{SITE}{name}/1.html" for name in ("news", "sport", "qiao")]
    web = SmallWeb(
        {
            **{url: on_topic(i) for i, url in enumerate(pages)},
            SITE: page("首页", OFF_TOPIC, "".join(map(link, ["/news/", "/sport/"]))),
            SITE + "news/": page("新闻", OFF_TOPIC),
            SITE + "sport/": page("体育", OFF_TOPIC),
            SITE + "qiao/": page("侨务", OFF_TOPIC),
        }
    )
    crawl_small(web, pages)
    assert SITE + "qiao/" in web.asked


def test_without_reseeding_they_are_not_found() -> None:
    web = SmallWeb(island("news/", 4))
    crawl = crawl_small(web, [f"{SITE}news/1.html"], TOPICCRAWL_RESEED=False)
    assert web.asked == [f"{SITE}news/1.html"]
    assert stat(crawl, "seeds") == 0


def test_without_a_relevant_page_there_is_nothing_to_try_and_the_crawl_ends() -> None:
    web = SmallWeb({SITE + "a/b/1": off_topic(1)})
    crawl = crawl_small(web, [SITE + "a/b/1"])
    assert web.asked == [SITE + "a/b/1"]
    assert crawl.stats["finish_reason"] == "finished"
    assert "every link that was found has been tried" in crawl.stats["topiccrawl/stop_reason"]


def test_a_run_that_goes_on_proposes_the_folders_of_earlier_finds(tmp_path: Path) -> None:
    first, second = f"{SITE}news/1.html", ELSEWHERE + "1"
    web = SmallWeb({**island("news/", 4), second: off_topic(1)})
    queue = {"TOPICCRAWL_FRONTIER_BACKEND": "sqlite", "TOPICCRAWL_FRONTIER_DIR": str(tmp_path)}
    crawl_small(web, [first], TOPICCRAWL_RESEED=False, **queue)
    assert web.asked == [first]
    crawl_small(web, [second], **queue)
    assert web.asked[1:4] == [second, SITE, SITE + "news/"]
    assert f"{SITE}news/4.html" in web.asked


def test_a_run_that_only_refreshes_asks_for_no_new_address(tmp_path: Path) -> None:
    web = SmallWeb(island("news/", 4))
    kept = {
        "TOPICCRAWL_FRONTIER_BACKEND": "sqlite",
        "TOPICCRAWL_FRONTIER_DIR": str(tmp_path),
        "TOPICCRAWL_STORE_URI": f"sqlite:///{tmp_path}/pages.sqlite",
        "TOPICCRAWL_STORE_SPOOL_DIR": str(tmp_path),
    }
    crawl_small(web, [f"{SITE}news/1.html"], TOPICCRAWL_RESEED=False, **kept)
    known = set(web.asked)
    refreshed = crawl_small(web, [f"{SITE}news/1.html"], spider=RefreshSpider, **kept)
    assert set(web.asked) == known
    assert refreshed.stats["finish_reason"] == "finished"


def test_folders_that_were_fetched_already_are_no_new_seeds() -> None:
    web = SmallWeb({SITE: page("首页", OFF_TOPIC, link("/1.html")), SITE + "1.html": on_topic(1)})
    crawl = crawl_small(web, [SITE])
    assert web.asked == [SITE, SITE + "1.html"]
    assert stat(crawl, "seeds") == 0


def test_what_new_seeds_lead_to_brings_more_new_seeds() -> None:
    other = "http://c.example/qiao/"
    web = SmallWeb(
        {
            **island("news/", 1),
            SITE: page("首页", OFF_TOPIC, link(other + "7")),
            other + "7": on_topic(7),
            "http://c.example/": page("目录", OFF_TOPIC, link(other + "8")),
            other + "8": on_topic(8),
        }
    )
    crawl = crawl_small(web, [f"{SITE}news/1.html"])
    assert other + "8" in web.asked
    assert stat(crawl, "seeds") == 2


def test_the_number_of_new_seeds_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watcher, "SEEDS_AT_ONCE", 2)
    monkeypatch.setattr(watcher, "MOST_RESEEDS", 3)
    starts = [f"http://h{i}.example/1" for i in range(9)]
    web = SmallWeb({url: on_topic(i) for i, url in enumerate(starts[:8])})
    crawl = crawl_small(web, starts[:8])
    assert stat(crawl, "seeds") == 6
    assert web.asked[8:] == [url[:-1] for url in starts[:6]]


def test_robots_txt_holds_for_new_seeds() -> None:
    web = SmallWeb(island("news/", 4), robots=b"User-agent: *\nDisallow: /$\n")
    crawl = crawl_small(web, [f"{SITE}news/1.html"])
    assert web.asked == [f"{SITE}news/1.html"]
    assert crawl.stats["topiccrawl/failed/robots"] == 1


def test_trap_rules_hold_for_new_seeds() -> None:
    folders = [f"{SITE}{path}/" for path in ("news/a/b", "sport/a/b", "tea/a/b")]
    listed = {url: page("目录", OFF_TOPIC) for url in folders}
    home = {SITE: page("首页", OFF_TOPIC, "".join(map(link, folders)))}
    starts = [url + "1.html" for url in (*folders, SITE + "x/x/x/", SITE + "qiao/a/b/")]
    web = SmallWeb({**{url: on_topic(i) for i, url in enumerate(starts)}, **listed, **home})
    crawl_small(web, [SITE, *starts])
    assert SITE + "qiao/a/b/" in web.asked
    assert SITE + "x/x/x/" not in web.asked


def test_the_budget_of_a_host_holds_for_new_seeds() -> None:
    web = SmallWeb(island("news/", 4))
    crawl = crawl_small(
        web,
        [f"{SITE}news/1.html"],
        TOPICCRAWL_HOST_BUDGET_PAGES=1,
        TOPICCRAWL_HOST_BUDGET_GROWTH=0,
    )
    assert web.asked == [f"{SITE}news/1.html"]
    assert crawl.stats["topiccrawl/frontier/refused"] == 1


def test_links_of_other_workers_keep_the_queue_from_being_empty() -> None:
    run, crawler = run_of()
    spider: Any = SimpleNamespace(makes_page_items=True)
    crawler.spider = spider
    watching = StagnationWatcher.from_crawler(crawler)
    run.frontier.push([QueuedLink("http://b.example/1", "b.example", LinkEvidence(0.5))])
    run.proposals.add(SITE + "a/1")
    watching.spider_idle()
    assert stat_of(crawler, "seeds") is None


def stat_of(crawler: Any, name: str) -> Any:
    return crawler.stats.get_value(f"topiccrawl/stagnation/{name}")


# -- a dry stretch -----------------------------------------------------------------------------


@pytest.mark.usefixtures("impatient")
def test_a_dry_stretch_is_reported_once_and_leads_to_new_seeds_at_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    web = from_a_find_into_the_desert("news/", 12)
    crawl = crawl_small(web, [f"{SITE}news/1.html"])
    # The find, as many pages as are borne, the one too many; the root, and what it leads to.
    assert web.asked.index(SITE) == 1 + BORNE + 1
    assert crawl.stats["topiccrawl/pages/relevant"] == 4
    (first, *_) = warnings(caplog)
    assert f"the last {BORNE + 1} pages were off the topic" in first
    assert "1 new seed " in first


@pytest.mark.usefixtures("impatient")
def test_a_folder_that_waits_in_the_queue_is_fetched_first_when_the_crawl_runs_dry() -> None:
    first = f"{SITE}news/1.html"
    dull = [f"{ELSEWHERE}{i}" for i in range(1, 31)]
    links = "".join(map(link, [*dull, SITE + "news/"]))
    others = {url: off_topic(i) for i, url in enumerate(dull)}
    web = SmallWeb({**island("news/", 4), **others, first: on_topic(1, links)})
    crawl = crawl_small(web, [first], TOPICCRAWL_STRATEGY="breadth-first")
    dry = 1 + BORNE + 1
    assert web.asked[:dry] == [first, *dull[: BORNE + 1]]
    assert sorted(web.asked[dry : dry + 2]) == [SITE, SITE + "news/"]
    assert stat(crawl, "seeds") == 2


@pytest.mark.usefixtures("impatient")
def test_a_long_stretch_is_one_stretch_with_one_warning(caplog: pytest.LogCaptureFixture) -> None:
    web = SmallWeb({**chain(40), SITE + "a/b/1": on_topic(1, link(ELSEWHERE + "1"))})
    crawl = crawl_small(web, [SITE + "a/b/1"])
    assert len(warnings(caplog)) == stat(crawl, "stretches") == 1
    assert stat(crawl, "seeds") == 1


@pytest.mark.usefixtures("impatient")
def test_a_find_ends_a_stretch_and_the_next_is_reported_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    web = SmallWeb({**chain(20), ELSEWHERE + "10": on_topic(10, link(ELSEWHERE + "11"))})
    crawl = crawl_small(web, [ELSEWHERE + "1"], TOPICCRAWL_RESEED=False)
    assert len(warnings(caplog)) == stat(crawl, "stretches") == 2


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(("by_the_classifier", "stretches"), [(True, 2), (False, 1)])
def test_the_judgment_that_keeps_a_page_decides_whether_it_is_a_find(
    by_the_classifier: bool, stretches: int
) -> None:
    # Half of the threshold by its words, and a keyword in the title.
    weak = page("侨乡侨务", f"{OFF_TOPIC}昨晚", link(ELSEWHERE + "11"))
    web = SmallWeb({**chain(20), ELSEWHERE + "10": weak})
    settings = {"TOPICCRAWL_RESEED": False, "TOPICCRAWL_PAGE_CLASSIFIER": by_the_classifier}
    crawl = crawl_small(web, [ELSEWHERE + "1"], **settings)
    assert stat(crawl, "stretches") == stretches
    assert len(crawl.items) == stretches - 1


@pytest.mark.usefixtures("impatient")
def test_between_two_reseeds_of_a_stretch_a_patience_passes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(watcher, "SEEDS_AT_ONCE", 1)
    starts = ["http://c.example/1", "http://d.example/1"]
    found = {url: on_topic(i) for i, url in enumerate(starts)}
    web = SmallWeb({**chain(40), **found})
    crawl_small(web, [*starts, ELSEWHERE + "1"])
    # Addresses that are not there are no pages, and are not counted.
    places = [web.asked.index(url[:-1]) for url in starts]
    assert places == [2 + (BORNE + 1), 3 + 2 * (BORNE + 1)]


@pytest.mark.usefixtures("impatient")
def test_without_reseeding_a_stretch_is_reported_all_the_same(
    caplog: pytest.LogCaptureFixture,
) -> None:
    web = from_a_find_into_the_desert("news/", 12)
    crawl = crawl_small(web, [f"{SITE}news/1.html"], TOPICCRAWL_RESEED=False)
    (only,) = warnings(caplog)
    assert "TOPICCRAWL_RESEED is off" in only
    assert stat(crawl, "stretches") == 1
    assert SITE + "news/" not in web.asked


@pytest.mark.usefixtures("impatient")
def test_pictures_and_failures_are_no_pages_of_a_stretch() -> None:
    missing = "".join(link(f"/missing/{i}") for i in range(2 * BORNE))
    shown = {f"{SITE}shown/{i}": picture(f"{SITE}shown/{i}") for i in range(2 * BORNE)}
    web = SmallWeb({SITE: on_topic(1, missing + "".join(map(link, shown))), **shown})
    crawl = crawl_small(web, [SITE])
    assert len(web.asked) == 1 + 4 * BORNE
    assert stat(crawl, "stretches") == 0


@pytest.mark.usefixtures("impatient")
def test_the_order_of_a_crawl_that_is_reseeded_is_the_same_twice() -> None:
    asked = []
    for _ in range(2):
        web = from_a_find_into_the_desert("news/", 25)
        crawl_small(web, [f"{SITE}news/1.html"])
        asked.append(web.asked)
    assert asked[0] == asked[1]


# -- other spiders -----------------------------------------------------------------------------


class ForeignSpider(Spider):
    """Another project's: its callbacks are its own."""

    name = "foreign"

    async def start(self) -> AsyncIterator[Request]:
        yield Request(f"{SITE}news/1.html", callback=self.read)

    def read(self, response: Any) -> Any:
        for found in response.css("a::attr(href)").getall():
            yield response.follow(found, callback=self.read)


@pytest.mark.usefixtures("impatient")
def test_crawls_of_other_spiders_get_warnings_but_no_new_seeds(
    caplog: pytest.LogCaptureFixture,
) -> None:
    web = from_a_find_into_the_desert("news/", 12)
    crawl = crawl_small(
        web, [], spider=ForeignSpider, TOPICCRAWL_TOPIC="侨情", TOPICCRAWL_RESEED=True
    )
    assert len(warnings(caplog)) == 1
    assert stat(crawl, "seeds") == 0
    assert SITE + "news/" not in web.asked


def test_without_a_topic_the_watcher_is_off() -> None:
    with pytest.raises(NotConfigured):
        StagnationWatcher.from_crawler(topicless())
