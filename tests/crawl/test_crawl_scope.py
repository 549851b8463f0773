"""A crawl keeps to its scope: at links, redirects, new seeds, and links that earlier runs queued."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from scrapy import Request
from scrapy.crawler import AsyncCrawlerRunner
from scrapy.http import Response

from tests.support.crawl_runs import all_records
from tests.support.small_web import (
    ON_TOPIC,
    SmallWeb,
    crawl_small,
    link,
    page,
    project_settings,
    response,
)
from tests.support.stored import from_store
from topiccrawl.crawl.session.current import session_of
from topiccrawl.crawl.session.session import CrawlSession
from topiccrawl.errors import ConfigurationError
from topiccrawl.spiders.topic import TopicSpider
from topiccrawl.urls.scope import Scope

HOME = "http://www.qiao.example/"
ELSEWHERE = "http://www.w3.example/"


def moved(target: str) -> Any:
    def answer(request: Request) -> Response:
        return response(request.url, status=302, Location=target)

    return answer


def site() -> SmallWeb:
    """A home page with links into a folder, to another host, and to a redirect to it."""
    targets = [f"{HOME}news/1", f"{HOME}ads/1", f"{HOME}go", f"{ELSEWHERE}a"]
    links = "".join(link(url, "侨务新闻") for url in targets)
    pages: dict[str, Any] = {
        HOME: page("侨务首页", ON_TOPIC, links),
        f"{HOME}news/1": page("侨联座谈会", ON_TOPIC * 2),
        f"{HOME}ads/1": page("侨乡广告", ON_TOPIC * 3),
        f"{HOME}go": moved(f"{ELSEWHERE}b"),
        f"{ELSEWHERE}a": page("华校毕业礼", ON_TOPIC * 4),
        f"{ELSEWHERE}b": page("归侨联谊会", ON_TOPIC * 5),
    }
    return SmallWeb(pages)


@pytest.mark.parametrize(
    ("settings", "fetched"),
    [
        ({}, {"", "news/1", "ads/1", "go", "a", "b"}),
        ({"TOPICCRAWL_DENY": "w3.example"}, {"", "news/1", "ads/1", "go"}),
        ({"TOPICCRAWL_ALLOW": "qiao.example"}, {"", "news/1", "ads/1", "go"}),
        ({"TOPICCRAWL_DENY": "w3.example,/ads/"}, {"", "news/1", "go"}),
        ({"TOPICCRAWL_ALLOW": "qiao.example/news/ re:^www.qiao.example/$"}, {"", "news/1"}),
    ],
)
def test_only_urls_inside_the_scope_are_asked_for(
    settings: dict[str, str], fetched: set[str]
) -> None:
    web = site()
    crawl_small(web, [HOME], **settings)
    assert {url.removeprefix(HOME).removeprefix(ELSEWHERE) for url in web.asked} == fetched


def test_what_is_left_out_is_counted_and_a_redirect_leaves_its_reason(tmp_path: Path) -> None:
    uri = f"sqlite:///{tmp_path / 'pages.sqlite'}"
    deny = {"TOPICCRAWL_DENY": "w3.example", "TOPICCRAWL_STORE_URI": uri}
    crawl = crawl_small(site(), [HOME], **deny)
    assert crawl.stats["topiccrawl/links/out_of_scope"] == 1, "the link to the other host"
    assert crawl.stats["topiccrawl/failed/out-of-scope"] == 1, "the redirect to it"
    _, outcomes, runs = from_store(uri, all_records)
    (refused,) = [it for it in outcomes if it.reason == "out-of-scope"]
    assert refused.url == f"{ELSEWHERE}b"
    assert "is excluded by deny=w3.example" in refused.detail
    assert runs[-1].stats["topiccrawl/scope/deny"] == "w3.example"


def test_a_new_pattern_applies_to_links_that_an_earlier_run_has_queued(tmp_path: Path) -> None:
    """Dropped together at the start, without a record for each and without the host's delay."""
    many = [f"{ELSEWHERE}{i}" for i in range(500)]
    pages = {url: page(f"第{i}页", "别的") for i, url in enumerate(many)}
    home = page("侨务首页", ON_TOPIC, "".join(link(url) for url in many))
    web = SmallWeb({**pages, HOME: home})
    uri = f"sqlite:///{tmp_path / 'pages.sqlite'}"
    settings: dict[str, Any] = {"TOPICCRAWL_STORE_URI": uri, "TOPICCRAWL_RESEED": False}
    settings["TOPICCRAWL_FRONTIER_BACKEND"] = "sqlite"
    crawl_small(web, [HOME], TOPICCRAWL_MAX_PAGES=2, **settings)
    asked = len(web.asked)
    again = crawl_small(web, [HOME], TOPICCRAWL_DENY="w3.example", DOWNLOAD_DELAY=30, **settings)
    assert again.stats["finish_reason"] == "finished"
    assert again.stats["topiccrawl/frontier/out_of_scope"] == len(many) + 1 - asked
    assert len(web.asked) == asked
    _, outcomes, _ = from_store(uri, all_records)
    assert not [it for it in outcomes if it.reason == "out-of-scope"]


def test_a_long_queue_is_searched_for_links_outside_the_scope_in_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = [f"{ELSEWHERE}{i}" for i in range(1000)]
    web = SmallWeb({HOME: page("侨务首页", ON_TOPIC, "".join(map(link, many)))})
    queue = {"TOPICCRAWL_FRONTIER_BACKEND": "sqlite", "TOPICCRAWL_FRONTIER_DIR": str(tmp_path)}
    crawl_small(web, [HOME], TOPICCRAWL_MAX_PAGES=1, **queue)
    looked_at = [0]
    excluded = Scope.exclusion

    def counted(scope: Scope, url: str) -> Any:
        looked_at[-1] += 1
        return excluded(scope, url)

    def turn() -> None:
        looked_at.append(0)
        asyncio.get_running_loop().call_soon(turn)

    monkeypatch.setattr(Scope, "exclusion", counted)
    crawl_small(
        web,
        [HOME],
        probe=lambda crawler: turn(),
        TOPICCRAWL_DENY="w3.example",
        TOPICCRAWL_RESEED=False,
        **queue,
    )
    assert sum(looked_at) >= len(many)
    assert max(looked_at) <= 250, "links between two turns of the event loop"


def start_error(**arguments: str) -> str:
    async def run() -> None:
        runner = AsyncCrawlerRunner(project_settings())
        await runner.crawl(runner.create_crawler(TopicSpider), **arguments)

    with pytest.raises(ConfigurationError) as caught:
        asyncio.run(run())
    return str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"deny": "a.cn,re:("}, "-a deny: 're:(' is no regular expression"),
        ({"allow": "ftp://a.cn"}, "-a allow: 'ftp://a.cn' has a scheme other than"),
        ({"allowed_domains": "a..cn"}, "-a allowed_domains: 'a..cn' has the host name part ''"),
        ({"deny": "qiao.example"}, f"all seeds are outside the scope: {HOME} is excluded by deny="),
        ({"allowed_domains": "b.cn"}, f"{HOME} matches no pattern of allow"),
        ({"pages": "0"}, "-a pages must be a whole number >= 1, got '0'"),
        ({"pages": "many"}, "-a pages must be a whole number >= 1, got 'many'"),
        ({"deny": "\udcff.cn"}, r"-a deny must be UTF-8 text, got b'\xff.cn' (character 1)"),
    ],
)
def test_a_wrong_argument_stops_the_run_with_its_name_and_value(
    arguments: dict[str, str], message: str
) -> None:
    assert message in start_error(topic="侨情", seeds=HOME, **arguments)


def test_arguments_replace_the_allowed_sites_of_the_topic_and_add_to_the_denied(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "小题"
    folder.mkdir()
    (folder / "topic.toml").write_text(
        'name = "小题"\nallow = ["a.cn"]\ndeny = ["/ads/"]\n[keywords.core]\n"华侨" = 1.0\n'
        '[[seeds]]\nurl = "http://www.b.cn/"\n[[seeds]]\nurl = "http://a.cn/"\n',
        encoding="utf-8",
    )

    async def start() -> CrawlSession:
        crawler = AsyncCrawlerRunner(project_settings()).create_crawler(TopicSpider)
        arguments = {"topic": str(folder), "allowed_domains": "b.cn", "deny": "/old/", "pages": "9"}
        crawler.spider = TopicSpider.from_crawler(crawler, **arguments)
        return session_of(crawler)

    session = asyncio.run(start())
    assert session.scope.allow == ("b.cn",)
    assert session.scope.deny == ("/ads/", "/old/")
    assert session.page_budget.most == 9


def test_a_wrong_scope_does_not_cost_the_queue(tmp_path: Path) -> None:
    queue = {"TOPICCRAWL_FRONTIER_BACKEND": "sqlite", "TOPICCRAWL_FRONTIER_DIR": str(tmp_path)}
    crawl_small(site(), [HOME], TOPICCRAWL_MAX_PAGES=1, **queue)

    def start(**arguments: str) -> CrawlSession:
        crawler = AsyncCrawlerRunner(project_settings(**queue)).create_crawler(TopicSpider)
        return TopicSpider.from_crawler(crawler, topic="侨情", seeds=HOME, **arguments).session

    with pytest.raises(ConfigurationError, match="all seeds are outside the scope"):
        start(deny="qiao.example", fresh="1")
    frontier = start().frontier
    try:
        assert frontier.size().queued > 0
    finally:
        frontier.close()
