"""Traps, redirects, failures, frames and files that are not pages."""

from __future__ import annotations

import re
from urllib.parse import urljoin

import pytest
from protego import Protego

from topiccrawl.demo import DemoWeb
from topiccrawl.webserver.answers import Answer


@pytest.fixture(scope="module")
def web() -> DemoWeb:
    return DemoWeb(slow_seconds=3.5, huge_bytes=1_234_567)


def answer_of(web: DemoWeb, url: str, attempt: int = 1) -> Answer:
    answer = web.answer(url, attempt)
    assert answer is not None
    return answer


def test_the_calendar_always_has_a_next_month(web: DemoWeb) -> None:
    url = "http://www.caijing-zhoukan.example/calendar?y=2024&m=11"
    seen = []
    for _ in range(30):
        assert web.is_trap(url)
        page = web.html(url)
        assert page is not None
        following = re.findall(r'href="(/calendar[^"]+)">下个月', page)[0].replace("&amp;", "&")
        url = urljoin(url, following)
        seen.append(url)
    assert len(set(seen)) == 30
    assert seen[1].endswith("y=2025&m=1")


def test_the_photo_path_grows_without_end(web: DemoWeb) -> None:
    url = "http://sports.qiusai.example/photo/"
    for depth in range(1, 20):
        assert web.is_trap(url)
        page = web.html(url)
        assert page is not None
        assert 'href="photo/"' in page
        url = urljoin(url, "photo/")
        assert url.count("/photo") == depth + 1


def test_the_loop_redirects_forever(web: DemoWeb) -> None:
    url = "http://tech.xinzhi.example/goto/loop?n=1"
    for number in range(2, 50):
        answer = answer_of(web, url)
        assert (answer.status, web.is_trap(url)) == (302, True)
        url = answer.location
        assert url.endswith(f"n={number}")


def test_old_addresses_lead_to_the_article_after_two_redirects(web: DemoWeb) -> None:
    first = answer_of(web, "http://news.haibin.example/old/1000004.html")
    second = answer_of(web, first.location)
    assert (first.status, second.status) == (301, 302)
    assert second.location == "http://news.haibin.example/content/1000004.htm"
    assert answer_of(web, second.location).status == 200
    assert not web.is_trap(first.location)


def test_meta_refresh_leads_to_an_article(web: DemoWeb) -> None:
    page = web.html("http://www.haibin.example/go/1000003.html")
    assert page is not None
    target = re.findall(r'http-equiv="refresh" content="0; url=([^"]+)"', page)[0]
    assert web.kind_of(target) == "article"


def test_some_articles_fail_once_and_then_recover(web: DemoWeb) -> None:
    urls = [url for url in web.pages(("article",)) if answer_of(web, url).status != 200]
    assert {answer_of(web, url).status for url in urls} == {500, 503}
    assert all(answer_of(web, url, 2).status == 200 for url in urls)


def test_one_page_fails_always(web: DemoWeb) -> None:
    url = "http://www.haibin.example/error.html"
    assert [answer_of(web, url, attempt).status for attempt in (1, 2, 3)] == [500] * 3


def test_the_slow_page_asks_for_its_delay(web: DemoWeb) -> None:
    assert answer_of(web, "http://slow.yuanfang.example/slow.html").delay_seconds == 3.5
    assert answer_of(web, "http://slow.yuanfang.example/").delay_seconds == 0


def test_a_zip_file_is_declared_as_html(web: DemoWeb) -> None:
    answer = answer_of(web, "http://bbs.linjiang.example/files/report.html")
    assert answer.content_type == "text/html"
    assert answer.body.startswith(b"PK\x03\x04")
    assert b"\x00" in answer.body


def test_an_empty_page_is_empty(web: DemoWeb) -> None:
    answer = answer_of(web, "http://www.huaqiaocheng-loupan.example/blank.html")
    assert (answer.status, answer.length) == (200, 0)


def test_the_deep_page_nests_thousands_of_elements(web: DemoWeb) -> None:
    page = web.html("http://tech.xinzhi.example/deep.html")
    assert page is not None
    assert "<div>" * 4000 in page


def test_the_huge_page_is_streamed_in_pieces_of_the_promised_length(web: DemoWeb) -> None:
    answer = answer_of(web, web.huge_url)
    assert answer.stream is not None
    assert answer.body == b""
    pieces = list(answer.stream())
    assert sum(map(len, pieces)) == answer.length == 1_234_567
    assert max(map(len, pieces)) < 64 * 1024


def test_no_page_links_to_the_huge_page(web: DemoWeb) -> None:
    assert not [url for url in web.pages() if "huge.html" in (web.html(url) or "")]


def test_frames_map_and_base_need_more_than_anchors(web: DemoWeb) -> None:
    frames = web.html("http://www.linjiang-lvyou.example/special/")
    assert frames is not None
    assert "<frame src=" in frames
    assert "<a " not in frames
    areas = web.html("http://www.linjiang-lvyou.example/map.html")
    assert areas is not None
    assert '<area shape="rect"' in areas
    article = next(url for url in web.pages(("article",)) if "qiaobao-demo" in url)
    based = web.html(article)
    assert based is not None
    assert '<base href="http://www.qiaobao-demo.example/">' in based
    assert 'href="qiaoshe/"' in based


def test_robots_txt_agrees_with_the_ground_truth(web: DemoWeb) -> None:
    forbidden = 0
    for host in web.hosts:
        rules = Protego.parse(answer_of(web, f"http://{host}/robots.txt").body.decode())
        for path in ("/", "/member/7.html", "/search?q=1", "/robots.txt"):
            url = f"http://{host}{path}"
            if web.kind_of(url) is not None:
                assert rules.can_fetch(url, "topiccrawl") is not web.robots_disallowed(url)
                forbidden += web.robots_disallowed(url)
    assert forbidden == 2


def test_one_host_asks_for_a_small_crawl_delay(web: DemoWeb) -> None:
    delays = {}
    for host in web.hosts:
        rules = Protego.parse(answer_of(web, f"http://{host}/robots.txt").body.decode())
        delays[host] = rules.crawl_delay("topiccrawl")
    assert {host: delay for host, delay in delays.items() if delay} == {"slow.yuanfang.example": 1}


def test_sitemaps_name_existing_pages(web: DemoWeb) -> None:
    found = 0
    for host in web.hosts:
        answer = answer_of(web, f"http://{host}/sitemap.xml")
        if answer.status == 200:
            found += 1
            urls = re.findall(rb"<loc>([^<]+)</loc>", answer.body)
            assert len(urls) > 5
            assert all(web.kind_of(url.decode()) in ("list", "article") for url in urls)
    assert found == 3
