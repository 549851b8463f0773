"""No text of a page can become markup or a dangerous link."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from topiccrawl.reporting.markup import Html, anchor, clean, el, is_web_link, join


@given(st.text())
def test_any_text_comes_back_as_the_same_text(text: str) -> None:
    shown = clean(text)
    element = html.fragment_fromstring(el("p", shown, title=shown))
    assert len(element) == 0
    assert element.text_content() == shown
    assert element.get("title") == shown


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        " javascript:alert(1)",
        "java\tscript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "vbscript:x",
        "file:///etc/passwd",
        "//evil.cn/x",
        "/relative",
        "http://",
        "http://[broken",
        "http://a.cn/\u202egnp.exe",
        "http://a.cn/\x00",
        "",
    ],
)
def test_dangerous_or_useless_addresses_are_no_links(url: str) -> None:
    assert not is_web_link(url)
    assert "<a" not in anchor(url, "侨情")


@pytest.mark.parametrize(
    "url", ["http://qw.cn/", "https://侨网.中国/新闻?a=1&b=%22", "http://a.cn:8080/x#y"]
)
def test_web_addresses_become_links_that_send_no_referrer(url: str) -> None:
    link = html.fragment_fromstring(anchor(url, "侨情"))
    assert (link.tag, link.get("href")) == ("a", url)
    assert "noreferrer" in link.get("rel", "")


def test_quotes_in_an_address_cannot_leave_the_attribute() -> None:
    link = html.fragment_fromstring(anchor('http://a.cn/"onmouseover="alert(1)', "x"))
    assert set(link.keys()) == {"href", "rel"}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("侨\x00情\x1b[31m", "侨情[31m"),
        ("a\u202eb\u2066c", "abc"),
        ("一\n\t 二\u3000三", "一 二 三"),
        ("侨" * 400, "侨" * 299 + "…"),
        ("\ud83d坏", "坏"),
        ("👩\u200d👧", "👩\u200d👧"),
    ],
    ids=["control", "direction", "white space", "too long", "lone surrogate", "joiner kept"],
)
def test_foreign_text_is_made_fit_for_one_line(text: str, shown: str) -> None:
    assert clean(text) == shown


def test_attributes_can_be_left_out_or_be_bare() -> None:
    assert el("input", checked=True, disabled=False, id=None) == "<input checked>"
    assert el("line", x1=1.0, stroke_width=0.333, class_="a") == (
        '<line x1="1" stroke-width="0.33" class="a"></line>'
    )


def test_only_markup_passes_unescaped() -> None:
    assert join("<b>", Html("<i></i>"), None, 3, ["&"]) == "&lt;b&gt;<i></i>3&amp;"
