"""Pages that are not content are recognized by their words and their structure, articles are not."""

from __future__ import annotations

import sys

import pytest

from benchmarks.notcontent.fifth import FIFTH
from benchmarks.notcontent.first import FIRST
from benchmarks.notcontent.fourth import FOURTH
from benchmarks.notcontent.scoring import made_content, recall
from benchmarks.notcontent.second import SECOND
from benchmarks.notcontent.sixth import SIXTH
from benchmarks.notcontent.third import THIRD
from topiccrawl.page.notcontent import NotContent, recognize
from topiccrawl.page.notcontent.cues import STRONG, alternatives, has_strong, strong
from topiccrawl.page.notcontent.repeats import RepeatedTexts
from topiccrawl.page.page import Page

ARTICLE = "侨务部门昨日走访归侨侨眷，了解华侨华人社团的需要，并就华文教育座谈。" * 4


def found(html: str, url: str = "http://www.a.example/2023/12345.html") -> NotContent | None:
    return recognize(Page(url, html.encode(), "utf-8", "text/html"))


def kind(html: str) -> str:
    what = found(html)
    return what.kind if what else ""


@pytest.mark.parametrize("templates", [FIRST, SECOND, THIRD, FOURTH, FIFTH, SIXTH])
def test_at_least_95_of_100_made_pages_are_recognized(templates: tuple[object, ...]) -> None:
    result = recall(templates, each=3)  # type: ignore[arg-type]
    assert result.found >= 0.95 * result.pages, result.missed
    assert result.right_kind >= 0.9 * result.pages


def test_no_made_page_with_content_is_taken_for_none() -> None:
    assert [(title, what) for title, what in made_content() if what is not None] == []


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<title>提示</title><p>您所访问的栏目已被管理员关闭", "soft-404"),
        ("<title>提示</title><p>您 所 访 问 的 页 面 不 存 在", "soft-404"),
        ("<title>提示</title><p>抱歉，您要瀏覽的頁面已經刪除", "soft-404"),
        ("<p>由于请求次数超过上限，您的IP已被临时封锁</p>", "blocked"),
        ("<p>请在下方输入验证码，以证明您是真人</p>", "captcha"),
        ("<p>请使用校园账号登录后浏览本页</p>", "login"),
        ("<body><div id='app'></div><script src='a.js'></script>", "shell"),
    ],
)
def test_wordings_that_no_list_holds_are_recognized(html: str, expected: str) -> None:
    assert kind(html) == expected


@pytest.mark.parametrize(
    "line",
    ["您好，请登录 免费注册", "用户名 密码 登录 忘记密码", "请输入验证码", "页面加载中…", "404"],
)
def test_a_line_in_the_header_of_an_article_says_nothing(line: str) -> None:
    assert not found(
        f"<title>侨联座谈会_侨网</title><div>{line}</div><h1>侨联座谈会</h1><p>{ARTICLE}</p>"
    )


def test_short_bulletins_are_content() -> None:
    assert not found("<title>停水通知_侨网</title><h1>停水通知</h1><p>明日东湖路停水，请储水备用。")
    assert not found("<title>侨乡新貌</title><h1>侨乡新貌</h1><img src=a.jpg><img src=b.jpg>")


def test_a_list_of_links_is_no_shell() -> None:
    links = "".join(f"<li><a href=/{n}>侨务新闻标题第{n}条在这里</a>" for n in range(30))
    assert not found(f"<title>侨网</title><div id=app></div><ul>{links}</ul><script></script>")


@pytest.mark.parametrize("html", ["", "<html>", "\0" * 50, "<title></title><p>" + "　" * 300])
def test_empty_pages_are_left_to_other_rules(html: str) -> None:
    assert found(html) is None


def test_a_text_under_three_addresses_with_other_link_texts_is_no_content() -> None:
    texts = RepeatedTexts()
    pages = [(f"http://a.example/{n}", f"旧闻报道{name}") for n, name in enumerate("甲乙丙丁")]
    seen = [texts.repeated("a.example", url, anchor, "侨网", "欢迎") for url, anchor in pages]
    assert seen == [False, False, True, True]


def test_texts_that_differ_in_digits_and_white_space_of_any_script_are_one_text() -> None:
    texts = RepeatedTexts()
    left_out = [c for c in map(chr, range(sys.maxunicode + 1)) if c.isspace() or c.isdigit()]
    shown = ["欢迎", f"欢{''.join(left_out)}迎", f"{''.join(reversed(left_out))}欢迎"]
    seen = [
        texts.repeated(
            "a.example", f"http://a.example/{n}", f"旧闻报道{n}{'甲乙丙'[n]}", "侨网", text
        )
        for n, text in enumerate(shown)
    ]
    assert seen == [False, False, True]


def test_an_article_under_many_addresses_is_content_as_it_has_its_link_text() -> None:
    texts = RepeatedTexts()
    seen = [
        texts.repeated("a.example", f"http://a.example/?p={n}", anchor, "侨联座谈会", ARTICLE)
        for n, anchor in enumerate(["侨联座谈会", "归侨侨眷", "阅读", "侨联座谈会", "华文教育"])
    ]
    assert not any(seen)


def test_one_address_that_is_asked_again_is_no_other_address() -> None:
    texts = RepeatedTexts()
    seen = [
        texts.repeated("a.example", "http://a.example/", f"旧闻报道{name}", "侨网", "欢迎")
        for name in "甲乙丙丁戊"
    ]
    assert not any(seen)


def test_alternatives_are_those_outside_of_groups_and_sets() -> None:
    assert alternatives(r"a(?:b|c(d|e))|[|(]\||\(|f") == [r"a(?:b|c(d|e))", r"[|(]\|", r"\(", "f"]


def test_alternatives_one_by_one_find_what_the_whole_pattern_finds() -> None:
    for kind, words in STRONG.items():
        assert "|".join(alternatives(words)) == words
        for text in (
            "404",
            "1404",
            "a waf.",
            "wafer",
            "forbidden",
            "未登录",
            "page is missing",
            "侨务",
        ):
            assert has_strong(kind, text) == bool(strong(kind).search(text))


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("太过频繁访问，太快请求", "太过频繁访问 太快请求"),
        ("您的请求存在异常，操作有异常", "请求存在异常，操作有异常"),
        ("error 404, 1404, 404.1, 4040", ""),
        ("the waf, wafer, awaf: forbidden, unforbidden", "waf forbidden"),
        ("line 403, 1403, 403.2", "403"),
    ],
)
def test_what_stands_before_a_word_counts(words: str, found: str) -> None:
    assert " ".join(match[0] for match in strong("blocked").finditer(words)) == found
