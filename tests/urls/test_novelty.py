"""How much of a page's text is new on its host."""

from __future__ import annotations

import tracemalloc

import pytest

from topiccrawl.urls.novelty import Novelty, PageText, page_text

HOST = "www.a.example"
MENU = "侨务首页\n新闻中心\n联系我们\n版权所有"
BODY = "侨联座谈会在侨乡举行，归侨侨眷和海外侨胞代表出席。"


@pytest.mark.parametrize(
    ("a", "b", "same", "why"),
    [
        ("侨乡 新闻", "侨乡\n\n新闻 ", True, "layout is not content"),
        ("侨乡 1", "侨乡 2", False, "other words"),
    ],
)
def test_pages_with_the_same_words_have_the_same_hash(a: str, b: str, same: bool, why: str) -> None:
    one, other = page_text(a), page_text(b)
    assert one is not None
    assert other is not None
    assert (one.hash == other.hash) is same, why


def test_a_page_without_text_has_none() -> None:
    assert page_text(" \n\u3000") is None


def share(novelty: Novelty, text: str, url: str = "", host: str = HOST) -> float:
    read = page_text(text, url)
    assert read is not None
    return novelty.read(host, read)[0]


def test_lines_that_were_on_the_host_are_not_new() -> None:
    novelty = Novelty()
    assert share(novelty, f"{MENU}\n{BODY}") == 1.0
    assert share(novelty, f"{MENU}\n{BODY}") == 0.0
    assert share(novelty, f"{MENU}\n华校") == pytest.approx(2 / 18)
    assert share(novelty, f"{MENU}\n{BODY}", host="b.example") == 1.0


@pytest.mark.parametrize(
    ("before", "after", "url"),
    [
        ("第7年8月没有活动", "第2031年12月没有活动", ""),
        ("没有找到 /aaa/ 页", "没有找到 /qiaowu/ 页", "http://a.example/qiaowu/"),
        ("没有找到  页", "没有找到 新闻网 页", "http://a.example/x/?q=%E6%96%B0%E9%97%BB%E7%BD%91"),
    ],
)
def test_numbers_and_the_words_of_the_address_are_not_new(
    before: str, after: str, url: str
) -> None:
    novelty = Novelty()
    share(novelty, before, "http://a.example/aaa/")
    assert share(novelty, after, url) == 0.0


def test_only_the_latest_lines_are_remembered() -> None:
    novelty = Novelty(remembered=5)
    share(novelty, MENU)
    for word in ("甲", "乙", "丙", "丁"):
        assert share(novelty, f"{MENU}\n{word}") < 0.1, "lines in use are remembered"
    share(novelty, "子\n丑\n寅\n卯\n辰\n巳\n午\n未\n申\n酉\n戌\n亥")
    assert share(novelty, MENU) == 1.0


def test_what_was_read_takes_the_same_memory_after_many_lines() -> None:
    tracemalloc.start()
    novelty = Novelty(remembered=1_000)
    levels = []
    for page in range(10):
        text = PageText("", tuple(range(page * 1_000, (page + 1) * 1_000)), (1,) * 1_000)
        assert novelty.read(HOST, text)[0] > 0.99, "new lines stay new"
        del text
        levels.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    assert levels[-1] - levels[1] < 10_000


def test_a_text_of_numbers_only_brings_nothing_new() -> None:
    assert share(Novelty(), "1 2 3\n4") == 0.0
