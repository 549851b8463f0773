"""A site that answers under several names is fetched once, and nothing of other sites is lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.support.mirror_web import ARTICLES, MIRRORS, WWW, MirrorWeb, number_of
from tests.support.small_web import SmallCrawl, crawl_small
from tests.support.trap_web import article
from topiccrawl.crawl.requests.meta import NOT_ELSEWHERE

HTTP, BARE, PHONE = MIRRORS[1:]
NEWS = "http://news.qiao.example"
ALL = set(range(ARTICLES))
PLAIN: dict[str, Any] = {
    "TOPICCRAWL_STRATEGY": "breadth-first",
    "TOPICCRAWL_PAGE_CLASSIFIER": False,
    "TOPICCRAWL_PATTERN_BUDGET_PAGES": 0,
}


def crawl(web: MirrorWeb, **settings: Any) -> SmallCrawl:
    """Crawl from the front page."""
    return crawl_small(web, [f"{web.origins[0]}/"], **PLAIN, **settings)


def numbers(urls: list[str], origin: str = "") -> set[int | None]:
    return {number_of(url) for url in urls if url.startswith(origin)}


def test_a_site_under_four_names_is_fetched_little_more_than_once() -> None:
    web = MirrorWeb()
    stats = crawl(web).stats
    fetched = web.articles()
    assert numbers(fetched) == ALL
    assert len(fetched) < 1.5 * ARTICLES, "without learning 4 times"
    assert stats["topiccrawl/mirrors/learned"] >= 3
    assert stats["topiccrawl/links/mirrored"]
    assert stats["topiccrawl/failed/mirror"]


def test_versions_for_printing_are_fetched_a_few_times() -> None:
    web = MirrorWeb(origins=[WWW], variants=["/print/{}.html", "/hr/{}.html?wap=1"])
    crawl(web)
    fetched = web.articles()
    assert numbers(fetched) == ALL
    assert len(fetched) < 1.5 * ARTICLES


def test_hosts_that_share_nothing_but_an_error_page_are_fetched_whole() -> None:
    sorry = (
        "您访问的页面不存在或者已经被删除，请返回侨务网站的首页继续浏览，或者联系华侨网站管理员。"
        * 3
    )
    web = MirrorWeb(
        origins=[NEWS, HTTP],
        text=lambda origin, n: sorry if n % 2 else article(n + 500 * (origin == NEWS)),
    )
    crawl(web)
    assert numbers(web.articles(), NEWS) == numbers(web.articles(), HTTP) == ALL


def test_hosts_that_were_equal_for_some_pages_are_fetched_apart_when_they_differ() -> None:
    half = ARTICLES // 2
    web = MirrorWeb(
        origins=[HTTP, NEWS],
        text=lambda origin, n: article(n + 500 * (n >= half and origin == NEWS)),
    )
    stats = crawl(web).stats
    assert stats["topiccrawl/mirrors/learned"] == stats["topiccrawl/mirrors/unlearned"]
    assert len(web.articles()) <= 2 * ARTICLES
    assert numbers(web.articles()) == ALL
    assert numbers(web.articles(), NEWS) >= set(range(half, ARTICLES)), "nothing is lost meanwhile"


def test_what_the_preferred_host_does_not_have_is_fetched_from_the_other() -> None:
    gone = set(range(30, ARTICLES, 7))
    web = MirrorWeb(
        origins=[HTTP, BARE],
        text=lambda origin, n: None if origin == HTTP and n in gone else article(n),
    )
    done = crawl(web)
    assert gone <= numbers(web.articles(), BARE)
    assert {number_of(item.url) for item in done.items} >= gone
    assert any(NOT_ELSEWHERE in request.meta for request in done.scheduled)


def test_a_host_that_the_user_excludes_stays_excluded_and_is_no_reason_to_exclude_others() -> None:
    web = MirrorWeb()
    crawl(web, TOPICCRAWL_DENY="m.qiao.example")
    assert not numbers(web.articles(), PHONE)
    assert numbers(web.articles()) == ALL
    web = MirrorWeb(origins=[BARE, HTTP])
    crawl(web, TOPICCRAWL_DENY="www.qiao.example")
    assert numbers(web.articles(), BARE) == ALL


def test_a_run_that_goes_on_knows_the_mirrors_of_the_one_before(tmp_path: Path) -> None:
    settings: dict[str, Any] = {
        "TOPICCRAWL_FRONTIER_BACKEND": "sqlite",
        "TOPICCRAWL_FRONTIER_DIR": str(tmp_path),
        "TOPICCRAWL_STORE_URI": f"sqlite:///{tmp_path}/pages.sqlite",
    }
    first = MirrorWeb(origins=[HTTP, BARE])
    crawl(first, TOPICCRAWL_MAX_PAGES=30, **settings)
    second = MirrorWeb(origins=[HTTP, BARE])
    done = crawl(second, **settings)
    assert "topiccrawl/mirrors/learned" not in done.stats, "it was learned before"
    assert numbers(first.articles() + second.articles()) == ALL
    assert len(second.articles()) < 1.2 * (ARTICLES - len(first.articles()) / 2)
