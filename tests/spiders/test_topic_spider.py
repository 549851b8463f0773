"""What the topic spider follows, keeps and refuses, on small drawn webs with all parts in place."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from itemadapter import ItemAdapter
from scrapy.crawler import AsyncCrawlerRunner

from tests.support.small_web import (
    OFF_TOPIC,
    ON_TOPIC,
    SmallCrawl,
    SmallWeb,
    crawl_small,
    link,
    page,
    project_settings,
)
from topiccrawl.crawl.session.current import session_of
from topiccrawl.errors import ConfigurationError
from topiccrawl.spiders.topic import TopicSpider

HOME = "http://a.example/"


def crawl_links(links: str, head: str = "", **settings: Any) -> tuple[list[str], SmallCrawl]:
    """Crawl a home page with *links*; the URLs asked for beside it."""
    web = SmallWeb({HOME: page("首页", ON_TOPIC, links, head=head)})
    done = crawl_small(web, [HOME], RETRY_ENABLED=False, **settings)
    assert web.asked[0] == HOME
    return web.asked[1:], done


@pytest.mark.parametrize(
    ("links", "asked", "why"),
    [
        (link("/b"), ["b"], "an ordinary link"),
        (link("/b", attributes="rel=nofollow"), [], "rel=nofollow"),
        (link("/b", attributes='rel="external ugc"'), [], "written by users"),
        (link("/b", attributes="rel=nofollow") + link("/b"), ["b"], "one of two links is followed"),
        (link("/b#top") + link("/b#end"), ["b"], "fragments are no pages"),
        (link("/b?utm_source=x") + link("/b"), ["b?utm_source=x"], "tracking makes no page"),
        (
            link("/t?tid=1&sid=3f9a7c21e8b04d55") + link("/t?sid=99ff0c3d5e7a1b26&tid=1"),
            ["t?tid=1&sid=3f9a7c21e8b04d55"],
            "session",
        ),
        (link("/p.RAR") + link("/a.zip?x=1") + link("/i.jpg"), [], "files that are no pages"),
        (link("/"), [], "the page itself"),
        (link("/private/x"), [], "robots.txt forbids it"),
        (link("mailto:a@b.example") + link("javascript:void(0)"), [], "no web address"),
        (link("ftp://a.example/x"), [], "not http"),
    ],
)
def test_which_links_are_fetched(links: str, asked: list[str], why: str) -> None:
    fetched, _ = crawl_links(links)
    assert fetched == [HOME + path for path in asked], why


def test_links_of_a_nofollow_page_are_not_followed_but_the_page_is_kept() -> None:
    head = '<meta name="robots" content="index, NOFOLLOW">'
    fetched, done = crawl_links(link("/b"), head)
    assert fetched == []
    assert [item.url for item in done.items] == [HOME]


def test_a_setting_follows_links_marked_rel_nofollow() -> None:
    fetched, _ = crawl_links(
        link("/b", attributes="rel=nofollow"), TOPICCRAWL_LINKS_FOLLOW_NOFOLLOW=True
    )
    assert fetched == [HOME + "b"]


def test_a_setting_follows_the_links_of_nofollow_pages() -> None:
    """settings.py promises it for both kinds."""
    head = '<meta name="robots" content="nofollow">'
    fetched, _ = crawl_links(link("/b"), head, TOPICCRAWL_LINKS_FOLLOW_NOFOLLOW=True)
    assert fetched == [HOME + "b"]


@pytest.mark.parametrize("content", ["noindex", "NONE", "nofollow,noindex"])
def test_a_page_that_asks_not_to_be_kept_is_not_kept(content: str) -> None:
    _, done = crawl_links("", f'<meta name="robots" content="{content}">')
    assert done.items == []
    assert done.dropped == {HOME: "noindex"}


def test_a_noindex_page_still_leads_to_others() -> None:
    fetched, _ = crawl_links(link("/b"), '<meta name="robots" content="noindex">')
    assert fetched == [HOME + "b"]


def test_an_off_topic_page_is_dropped_and_its_links_are_used() -> None:
    web = SmallWeb(
        {
            HOME: page("足球比赛", OFF_TOPIC, link("/b", "侨联座谈会")),
            HOME + "b": page("侨联座谈会召开", ON_TOPIC),
        }
    )
    done = crawl_small(web, [HOME])
    assert done.dropped == {HOME: "off-topic"}
    assert [(i.url, i.link.parent, i.link.anchor, i.link.depth) for i in done.items] == [
        (HOME + "b", HOME, "侨联座谈会", 1)
    ]


def test_links_on_the_topic_are_fetched_first_wherever_they_stand() -> None:
    anchors = ["足球", "天气", "招聘", "华侨华人回乡寻根", "电影", "侨联座谈"]
    links = "<p>x</p>".join(link(f"/{i}", anchor) for i, anchor in enumerate(anchors))
    fetched, _ = crawl_links(links)
    assert set(fetched[:2]) == {HOME + "3", HOME + "5"}


def test_a_page_found_through_two_links_keeps_the_better_one_as_its_parent() -> None:
    """The second link arrives as evidence for a queued link, without a request of its own."""
    web = SmallWeb(
        {
            HOME: page("首页", OFF_TOPIC, link("/first") + "<p>x</p>" + link("/target", "更多")),
            HOME + "first": page("侨务新闻", ON_TOPIC, link("/target", "华侨华人社团")),
            HOME + "target": page("海外侨胞寻根", ON_TOPIC + "寻根之旅结束。"),
        }
    )
    done = crawl_small(web, [HOME])
    target = next(item for item in done.items if item.url == HOME + "target")
    assert (target.link.parent, target.link.anchor) == (HOME + "first", "华侨华人社团")
    assert web.asked.count(HOME + "target") == 1
    assert done.stats["topiccrawl/links/known"] >= 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "-a topic=… is missing"),
        ({"topic": "  "}, "-a topic=… is missing"),
        ({"topic": "侨情", "sede": "http://a.example/"}, "unknown spider argument -a sede=…"),
        ({"topic": "侨情", "b": "1", "a": "2"}, "unknown spider argument -a a=…; known: topic"),
    ],
)
def test_wrong_arguments_are_refused_by_name(arguments: dict[str, str], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        TopicSpider(**arguments)


def test_arguments_of_schedulers_are_accepted() -> None:
    """scrapyd passes _job and _version to each spider."""
    spider = TopicSpider(topic="侨情", _job="26b2", _version="r1")
    assert spider.topic_name == "侨情"


def test_limits_of_the_topic_apply_where_the_user_has_set_none(tmp_path: object) -> None:
    from pathlib import Path

    folder = Path(str(tmp_path)) / "小题"
    folder.mkdir()
    (folder / "topic.toml").write_text(
        'name = "小题"\n[keywords.core]\n"华侨" = 1.0\n'
        '[[seeds]]\nurl = "http://a.example/"\n[limits]\nmax_pages = 7\nmax_depth = 2\n',
        encoding="utf-8",
    )

    async def limits(**settings: object) -> tuple[int, int]:
        crawler = AsyncCrawlerRunner(project_settings(**settings)).create_crawler(TopicSpider)
        crawler.spider = TopicSpider.from_crawler(crawler, topic=str(folder))
        most = session_of(crawler).page_budget.most
        return most, crawler.settings.getint("DEPTH_LIMIT")

    assert asyncio.run(limits()) == (7, 2)
    assert asyncio.run(limits(TOPICCRAWL_MAX_PAGES=3)) == (3, 2)


def test_an_item_is_short_in_the_log_and_has_no_analysis_in_its_fields() -> None:
    _, done = crawl_links("")
    (item,) = done.items
    assert repr(item) == f"<PageItem {HOME} '首页'>"
    assert set(ItemAdapter(item)).isdisjoint({"analysis", "html", "lease"})
    assert item.analysis.page.raw
