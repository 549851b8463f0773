"""The URL that a saved page had is found in what programs and pages state."""

from __future__ import annotations

import base64
import time
from datetime import UTC, datetime, timedelta

import pytest

from topiccrawl.imports.mhtml import read_mhtml
from topiccrawl.imports.origins import origin_of, without_pictures
from topiccrawl.page.page import Page

URL = "https://www.example.cn/qiao/1.html?a=1&b=2"
SINGLE_FILE = """<!DOCTYPE html> <html lang=zh><!--
 Page saved with SingleFile
 url: https://www.example.cn/qiao/1.html?a=1&b=2
 saved date: Sat Nov 21 2026 10:00:00 GMT+0800 (中国标准时间)
--><meta charset=utf-8><title>侨乡</title>"""
WECHAT = r"""<!DOCTYPE html><html><head><meta charset="utf-8">
<meta property="og:title" content="侨乡的老屋" />
<meta property="og:url" content="http://mp.weixin.qq.com/s?__biz=MzA1&amp;mid=22&amp;idx=1&amp;sn=ab#rd" />
</head><body><div id="js_content"><p>侨乡的老屋</p></div><script>
var ct = "1764000000"; var nickname = htmlDecode("侨乡\x26amp;文化");
var msg_link = "http://mp.weixin.qq.com/s?__biz=MzA1&amp;mid=22&amp;idx=1&amp;sn=ab#rd";
</script></body></html>"""


@pytest.mark.parametrize(
    "source",
    [
        "<!DOCTYPE html>\n<!-- saved from url=(0042)" + URL + " -->\n<html>",
        SINGLE_FILE,
        "<!-- Saved from " + URL + " at 2026-11-21T02:00:00Z using monolith v2.8.1 -->",
        '<html data-scrapbook-create="20261121" data-scrapbook-source="'
        + URL.replace("&", "&amp;")
        + '">',
        '<head><meta name="savepage-url" content="' + URL.replace("&", "&amp;") + '">',
    ],
)
def test_the_program_that_saved_a_page_states_its_url(source: str) -> None:
    other = "<link rel=canonical href=http://other.example.cn/x>"
    origin = origin_of((source + other).encode())
    assert (origin.url, origin.sure) == (URL, True)


def test_httrack_states_address_and_time() -> None:
    source = (
        b"<html>\n<!-- Mirrored from www.example.cn/a/1.html by HTTrack Website Copier/3.x "
        b"[XR&CO'2014], Sat, 21 Nov 2026 02:00:00 GMT -->"
    )
    origin = origin_of(source)
    assert (origin.url, origin.sure) == ("http://www.example.cn/a/1.html", True)
    assert origin.saved_at == datetime(2026, 11, 21, 2, tzinfo=UTC)


def test_singlefile_states_when_the_page_was_saved() -> None:
    saved_at = origin_of(SINGLE_FILE.encode()).saved_at
    assert saved_at is not None
    assert saved_at.utcoffset() == timedelta(hours=8)
    assert saved_at.astimezone(UTC) == datetime(2026, 11, 21, 2, tzinfo=UTC)


@pytest.mark.parametrize(
    ("source", "url"),
    [
        ("<link rel='canonical' href='http://a.example.cn/x'>", "http://a.example.cn/x"),
        ('<link href="http://a.example.cn/?id=3" rel=canonical>', "http://a.example.cn/?id=3"),
        ("<meta property='og:url' content='http://a.example.cn/y'>", "http://a.example.cn/y"),
        ("<link rel=canonical href='http://a.example.cn/'>", ""),
        ("<link rel=canonical href='/relative'>", ""),
        ("<link rel=canonical href='javascript:alert(1)'>", ""),
        ("<link rel=stylesheet href='http://a.example.cn/x.css'>", ""),
        ("<p>text</p>", ""),
    ],
)
def test_what_the_page_states_itself_is_not_sure(source: str, url: str) -> None:
    origin = origin_of(source.encode())
    assert (origin.url, origin.sure) == (url, False)


def test_marks_of_pages_from_nowhere_are_no_urls() -> None:
    for mark in ("(0014)about:internet", "(0022)http://internet.e-mail"):
        assert origin_of(f"<!-- saved from url={mark} -->".encode()).url == ""


def test_a_wechat_article_has_its_address_time_and_account() -> None:
    origin = origin_of(WECHAT.encode())
    assert origin.url == "http://mp.weixin.qq.com/s?__biz=MzA1&mid=22&idx=1&sn=ab#rd"
    assert origin.sure
    assert origin.published_at == datetime.fromtimestamp(1764000000, UTC)
    assert origin.publisher == "侨乡&文化"
    without_tag = WECHAT.replace("og:url", "og:nothing")
    assert origin_of(without_tag.encode()).url == origin.url


@pytest.mark.parametrize("time", ["0000000000", "9999999999"])
def test_an_impossible_time_of_a_wechat_article_is_none(time: str) -> None:
    assert "1764000000" in WECHAT
    assert origin_of(WECHAT.replace("1764000000", time).encode()).published_at is None


def test_pictures_within_a_page_are_taken_out_and_its_text_stays() -> None:
    picture = "data:image/png;base64," + "iVBORw0KGgo" * 1000
    html = f"<title>侨乡</title><p style='background:url({picture})'>侨乡文化<img src={picture}>"
    short = without_pictures(html.encode())
    assert len(short) < 200
    assert Page("http://a.example.cn/x", short).visible_text == "侨乡文化"
    assert without_pictures(b"data: 5 % of <p>") == b"data: 5 % of <p>"


def mhtml(charset: str = "gbk", *, snapshot: bool = True) -> bytes:
    html = "<html><title>侨乡</title><p>侨乡文化".encode(charset)
    lines = [
        "From: <Saved by Blink>",
        "Snapshot-Content-Location: https://www.example.cn/qiao/\r\n 1.html" if snapshot else "",
        "Subject: x",
        "Date: Sat, 21 Nov 2026 10:00:00 +0800",
        "MIME-Version: 1.0",
        'Content-Type: multipart/related;\r\n\ttype="text/html"; boundary="B"',
        "",
        "",
        "--B",
        "Content-Type: text/html",
        "Content-Location: cid:frame@mhtml.blink",
        "",
        "<p>an advertisement",
        "--B",
        f"Content-Type: text/html; charset={charset}",
        "Content-Transfer-Encoding: base64",
        "Content-Location: https://www.example.cn/qiao/1.html",
        "",
        base64.b64encode(html).decode(),
        "--B--",
        "",
    ]
    if not snapshot:
        del lines[1]
        del lines[7:12]
    return "\r\n".join(lines).encode()


@pytest.mark.parametrize("snapshot", [True, False])
def test_the_page_of_an_mhtml_file_is_its_root(snapshot: bool) -> None:
    saved = read_mhtml(mhtml(snapshot=snapshot))
    assert saved is not None
    assert "侨乡文化" in saved.body.decode("gbk")
    assert saved.content_type == "text/html; charset=gbk"
    assert (saved.origin.url, saved.origin.sure) == ("https://www.example.cn/qiao/1.html", True)
    assert saved.origin.saved_at is not None
    assert saved.origin.saved_at.astimezone(UTC) == datetime(2026, 11, 21, 2, tzinfo=UTC)


def test_parts_in_parts_without_end_are_not_read() -> None:
    part = "--b{0}\r\nContent-Type: multipart/related; boundary=b{1}\r\n\r\n"
    nested = "".join(part.format(n, n + 1) for n in range(100))
    head = "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b0\r\n\r\n"
    lines = "x\r\n" * 300_000
    begun = time.process_time()
    assert read_mhtml(f"{head}{nested}{lines}".encode()) is None
    assert time.process_time() - begun < 0.5


@pytest.mark.parametrize("cut", [0, 10, 200, 300, 420, 520])
def test_a_torn_mhtml_file_gives_a_page_or_nothing(cut: int) -> None:
    saved = read_mhtml(mhtml()[:cut])
    assert saved is None or saved.body


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"Sat, 21 Nov 2026", b"Sat, 21 Nov 99999999999"),
        (b"10:00:00 +0800", b"10:00:00 +99999999999999"),
        (b"charset=gbk", b"charset*=\"a\0\"''x"),
        (b"charset=gbk", b"charset*=undefined''x"),
        (b"charset=gbk", b"charset*=punycode''a-b9"),
    ],
)
def test_wrong_headers_of_an_mhtml_file_are_no_failure(old: bytes, new: bytes) -> None:
    whole = mhtml()
    changed = whole.replace(old, new).replace(b'charset="gbk"', new)
    assert changed != whole
    saved = read_mhtml(changed)
    assert saved is None or saved.body
