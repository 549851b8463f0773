"""Names of charsets that are codecs of Python but no encodings of the web, in headers and in pages."""

from __future__ import annotations

import codecs
import encodings.aliases
import time

import pytest
from scrapy.http import TextResponse

from tests.support.small_web import ON_TOPIC, SmallWeb, crawl_small, page, response
from topiccrawl.page.decoding import charset_of_header
from topiccrawl.page.decoding.encodings import encoding_of_label
from topiccrawl.page.page import Page

NAMES = [
    "hex", "zlib", "bz2", "base64", "uu", "quopri", "rot13", "idna", "punycode", "unicode_escape",
    "raw_unicode_escape", "undefined", "utf-7", "mbcs", "oem", "x-user-defined", "aliases", "none",
    "utf_16_ex", "charmap", "palmos", "ptcp154", "mac-centeuro", "é", "_", "-", "0", "a" * 60_000,
]  # fmt: skip
HOME = "http://www.qiao.example/"


def test_every_codec_of_python_is_either_an_encoding_of_the_web_or_none() -> None:
    for name in {*encodings.aliases.aliases, *encodings.aliases.aliases.values()}:
        found = encoding_of_label(name)
        if found is not None:
            text, _ = codecs.getdecoder(found)(b"<p>", "replace")
            assert isinstance(text, str)
            assert name not in {"hex", "zlib", "bz2", "base64", "idna", "punycode", "rot13"}


@pytest.mark.parametrize("name", NAMES)
def test_a_page_that_names_it_is_read_all_the_same(name: str) -> None:
    text = f"侨批档案馆：{ON_TOPIC}"
    for html in (f"<meta charset={name}><p>{text}", f"<?xml encoding='{name}'?><p>{text}"):
        found = Page(HOME, html.encode(), charset_of_header(f"text/html; charset={name}"))
        assert text in found.visible_text


def test_a_crawl_stores_pages_that_name_them() -> None:
    titles = {name: f"侨联座谈会之{chr(0x4E00 + 97 * i)}{i}" for i, name in enumerate(NAMES)}
    web = SmallWeb(
        {
            f"{HOME}{i}": response(
                f"{HOME}{i}",
                page(titles[name], f"{titles[name]}。{ON_TOPIC}{titles[name]}").replace(
                    b"charset=utf-8", f"charset={name}".encode()
                ),
                content_type=f"text/html; charset={name}" if i % 2 else "text/html",
            )
            for i, name in enumerate(NAMES)
        }
    )
    crawl = crawl_small(web, list(web.pages), TOPICCRAWL_TITLE_DEDUP_THRESHOLD=1.0)
    assert crawl.stats["finish_reason"] == "finished"
    failed = {name for name in crawl.stats if name.startswith("topiccrawl/failed/")}
    assert failed <= {"topiccrawl/failed/http-404"}  # the folder of stored pages, tried as a seed
    assert {item.url for item in crawl.items} | set(crawl.dropped) == set(web.pages)
    assert len(crawl.items) > len(NAMES) // 2


def test_a_refresh_is_followed_from_a_page_that_names_one() -> None:
    refresh = b"<meta charset=zlib><meta http-equiv=refresh content='0; url=/there'>"
    web = SmallWeb({HOME: refresh, f"{HOME}there": page("侨批", ON_TOPIC)})
    crawl = crawl_small(web, [HOME])
    assert web.asked == [HOME, f"{HOME}there"]
    assert len(crawl.items) == 1


def test_nothing_but_the_page_itself_guesses_its_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scrapy's guess reads the whole page in the event loop, before any trial of large pages."""

    def guess(*_: object) -> None:
        raise AssertionError("Scrapy guesses the encoding")

    monkeypatch.setattr(TextResponse, "_auto_detect_fun", guess)
    body = page("侨批", ON_TOPIC, charset="gbk").replace(b"<meta charset=gbk>", b"")
    crawl = crawl_small(SmallWeb({HOME: response(HOME, body)}), [HOME])
    assert [item.title for item in crawl.items] == ["侨批"]


def test_a_large_page_in_a_slow_codec_takes_no_time() -> None:
    """Python's punycode takes quadratic time: 300 KB are some minutes."""
    body = page("侨批", ON_TOPIC, f"<p>{'a' * 150_000}-{'b9' * 75_000}</p>").replace(
        b"charset=utf-8", b"charset=punycode"
    )
    web = SmallWeb({HOME: response(HOME, body, content_type="text/html; charset=punycode")})
    start = time.process_time()
    crawl = crawl_small(web, [HOME])
    assert crawl.stats["topiccrawl/pages/analyzed"] == 1
    assert time.process_time() - start < 20
