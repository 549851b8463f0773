"""Bytes, headers and meta elements: each site errs in its own way, and the text is never lost."""

from __future__ import annotations

import re

import pytest

from topiccrawl.demo import DemoWeb

META = re.compile(rb"charset=\"?([\w-]+)", re.IGNORECASE)


@pytest.fixture(scope="module")
def web() -> DemoWeb:
    return DemoWeb()


def unescaped(text: str) -> str:
    """Undo the references that stand for characters outside a charset."""
    return re.sub(r"&#(\d+);", lambda found: chr(int(found[1])), text)


def test_bytes_decode_to_the_intended_text_in_the_true_charset(web: DemoWeb) -> None:
    charsets = set()
    for url in web.pages():
        answer, truth, text = web.answer(url, 2), web.truth(url), web.html(url)
        assert answer is not None
        assert truth is not None
        assert text is not None
        assert unescaped(answer.body.decode(truth.charset)) == unescaped(text)
        charsets.add(truth.charset)
    assert charsets == {"utf-8", "gbk", "gb18030", "big5"}


@pytest.mark.parametrize(
    ("host", "header", "meta", "truth"),
    [
        pytest.param("www.qiaowang.example", "utf-8", b"utf-8", "utf-8", id="all agree"),
        pytest.param("news.haibin.example", "", None, "gbk", id="GBK, nothing declared"),
        pytest.param("www.qiaobao-demo.example", "", b"gb2312", "gb18030", id="gb2312 too narrow"),
        pytest.param(
            "qiaolian.gangwan.example", "utf-8", b"gb2312", "gbk", id="false UTF-8 header"
        ),
        pytest.param("www.zonghe-shibao.example", "iso-8859-1", None, "gbk", id="false Latin-1"),
        pytest.param("www.nanyang-huabao.example", "", b"big5", "big5", id="Big5 by meta"),
        pytest.param("www.caijing-zhoukan.example", "gbk", None, "gbk", id="GBK by header"),
    ],
)
def test_declarations_are_as_wrong_as_intended(
    web: DemoWeb, host: str, header: str, meta: bytes | None, truth: str
) -> None:
    url = next(url for url in web.pages(("article",)) if host in url)
    answer = web.answer(url, 2)
    assert answer is not None
    assert answer.content_type == "text/html" + (f"; charset={header}" if header else "")
    declared = META.search(answer.body)
    assert (declared[1] if declared else None) == meta
    known = web.truth(url)
    assert known is not None
    assert known.charset == truth


def test_the_gb2312_site_holds_characters_that_neither_gb2312_nor_gbk_has(web: DemoWeb) -> None:
    url = next(url for url in web.pages(("article",)) if "qiaobao-demo" in url)
    answer = web.answer(url)
    assert answer is not None
    for too_narrow in ("gb2312", "gbk"):
        with pytest.raises(UnicodeDecodeError):
            answer.body.decode(too_narrow)
    assert "㙟" in answer.body.decode("gb18030")


def test_gbk_behind_a_utf8_header_is_no_utf8(web: DemoWeb) -> None:
    url = next(url for url in web.pages(("article",)) if "gangwan" in url)
    answer = web.answer(url)
    assert answer is not None
    with pytest.raises(UnicodeDecodeError):
        answer.body.decode("utf-8")


def test_the_big5_site_is_in_traditional_characters(web: DemoWeb) -> None:
    url = next(url for url in web.relevant() if "nanyang" in url)
    truth = web.truth(url)
    assert truth is not None
    text = "".join(truth.paragraphs)
    assert "僑" in text
    assert "侨" not in text
