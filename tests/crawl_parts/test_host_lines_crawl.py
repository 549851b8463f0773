"""Crawls whose bodies are without the lines that a host repeats."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.journal_in_memory import OneJournal
from tests.support.small_web import ON_TOPIC, SmallCrawl, SmallWeb, crawl_small, link
from tests.support.small_web import page as article
from topiccrawl.crawl.journal.journal import CrawlJournal
from topiccrawl.crawl.journal.kinds import EDGES
from topiccrawl.page.body.host_learning import BodyEdges

HOME = "http://www.qiao.example/"
OTHER = "http://lone.example/1.html"
NOTICE = (
    "本网愿与海内外侨胞一道，记录侨乡的每一天，讲好每一个侨乡故事，也请各地读者继续关心侨乡的变化。"
)
EDITOR = "责任编辑：王小明"
TITLES = [
    "侨联举行座谈会商讨新年工作",
    "华文学校为三百名学生举行毕业典礼",
    "海外侨胞捐资修缮百年侨校",
    "归侨联谊会迎来四十周年",
    "侨批档案馆开放两天接待千人",
    "侨乡文化节周末在古镇开幕",
    "侨商考察团签下九个项目",
]
LEFT_OUT = "topiccrawl/pages/host_lines"


def text(title: str) -> str:
    """A page whose template follows the text."""
    first, second = f"{title}。{ON_TOPIC}", f"{title}上，{ON_TOPIC}代表们对{title}作了说明。"
    return f"</p><h1>{title}</h1><p>{first}</p><p>{second}</p><p>{NOTICE}</p><p>{EDITOR}"


def web() -> SmallWeb:
    """A host with a template and one that has a page with the same lines."""
    pages = {f"{HOME}{i}.html": article(it, text(it)) for i, it in enumerate(TITLES)}
    pages[OTHER] = article("侨务访谈录", text("侨务访谈录"))
    links = "".join(link(url, f"侨务新闻{i}") for i, url in enumerate(pages))
    return SmallWeb({HOME: article("侨网", "", links), **pages})


def crawl(**settings: Any) -> SmallCrawl:
    # The text is in the page, whatever the model makes of its lines.
    return crawl_small(
        web(),
        [HOME],
        TOPICCRAWL_STRATEGY="rw",
        TOPICCRAWL_BODY_EXTRACTOR="text-density",
        **settings,
    )


def bodies(*crawls: SmallCrawl) -> dict[str, str]:
    return {item.url: item.body for crawl in crawls for item in crawl.items}


def with_notice(crawl: SmallCrawl) -> list[str]:
    """URLs of the host's pages that have a line of the template, in the order of the crawl."""
    found = (item for item in crawl.items if item.url.startswith(HOME))
    return [item.url for item in found if NOTICE in item.body or EDITOR in item.body]


def test_the_template_leaves_the_bodies_of_later_pages() -> None:
    found = crawl()
    urls = [item.url for item in found.items if item.url.startswith(HOME)]
    assert len(urls) == len(TITLES)
    assert with_notice(found) == urls[:3]
    assert found.stats[LEFT_OUT] == 2 * (len(TITLES) - 3)
    assert all(len(body) > len(ON_TOPIC) for body in bodies(found).values())


def test_a_host_with_one_page_keeps_its_lines() -> None:
    body = bodies(crawl())[OTHER]
    assert NOTICE in body
    assert EDITOR in body


def test_the_learned_block_classifier_is_corrected_as_well() -> None:
    found = crawl_small(web(), [HOME])
    assert len(with_notice(found)) == 3
    assert found.stats[LEFT_OUT] >= len(TITLES) - 3


def test_what_the_parts_of_one_article_repeat_is_no_template() -> None:
    urls = [f"{HOME}20200113/5468{end}.html" for end in ("", "_2", "_3", "_4", "_5")]
    pager = "".join(link(url, str(number)) for number, url in enumerate(urls, 1))
    pages = {
        url: article("侨乡百年", text(it), pager) for url, it in zip(urls, TITLES, strict=False)
    }
    found = crawl_small(
        SmallWeb(pages), urls[:1], TOPICCRAWL_ARTICLE_PARTS=0, TOPICCRAWL_DUPLICATES="off"
    )
    assert len(with_notice(found)) == len(urls)


def test_all_bodies_are_whole_when_it_is_off() -> None:
    found = crawl(TOPICCRAWL_HOST_LINES=False)
    assert len(with_notice(found)) == len(TITLES)
    assert LEFT_OUT not in found.stats
    assert found.run.host_lines is None


@pytest.mark.skipif(sys.platform != "linux", reason="processes are forked")
def test_a_crawl_with_processes_leaves_out_the_same() -> None:
    here, there = crawl(), crawl(TOPICCRAWL_ANALYSIS_PROCESSES="1")
    assert list(bodies(there).items()) == list(bodies(here).items())
    assert there.stats[LEFT_OUT] == here.stats[LEFT_OUT]


@pytest.mark.parametrize("pages", [3, 5])
def test_a_crawl_in_two_runs_leaves_out_what_one_run_does(tmp_path: Path, pages: int) -> None:
    settings = {
        "TOPICCRAWL_FRONTIER_BACKEND": "sqlite",
        "TOPICCRAWL_FRONTIER_DIR": str(tmp_path),
    }
    first = crawl(TOPICCRAWL_MAX_PAGES=pages, **settings)
    second = crawl(**settings)
    assert 0 < len(first.items) < pages
    assert len(second.items) > 2
    whole = crawl()
    assert list(bodies(first, second).items()) == list(bodies(whole).items())
    assert second.run.host_lines is not None
    assert whole.run.host_lines is not None
    assert second.run.host_lines.of(HOME) == whole.run.host_lines.of(HOME) != frozenset()


def test_a_page_that_is_compared_is_compared_whole() -> None:
    """Else a page would have changed as soon as the template of its host is known."""
    on, off = crawl(), crawl(TOPICCRAWL_HOST_LINES=False)
    for mine, other in zip(on.items, off.items, strict=True):
        assert mine.analysis.body_digest == other.analysis.body_digest
        assert mine.analysis.content == other.analysis.content


def test_other_workers_receive_what_a_worker_has_learned() -> None:
    journal, received = OneJournal(), list[BodyEdges]()
    here = CrawlJournal(journal)
    there = CrawlJournal(journal.other_end())
    there.subscribe(EDGES, received.append)
    found = crawl()
    page = found.items[0].analysis.view
    edges = [BodyEdges(1, i, (i, 7)) for i in range(3)]
    for it in edges:
        here.publish_page(page, None, it)
    here.publish_page(page)
    while there.replay():
        pass
    assert received == edges
    assert there.pages == 4
