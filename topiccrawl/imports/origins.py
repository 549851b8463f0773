"""Where a saved page was on the web: what browsers, extensions and the page itself state.

Forms: ``saved from url`` (Chrome, Edge, Internet Explorer), ``Page saved with SingleFile``, ``Mirrored from``
(HTTrack), ``Saved from … using monolith``, the attributes of WebScrapBook and the meta tags of Save Page WE;
``<link rel=canonical>``, ``og:url``, and the variables of a WeChat article.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from html import unescape
from typing import Final
from urllib.parse import urlsplit

from topiccrawl.imports.entries import Origin
from topiccrawl.page.dates.in_scripts import wechat_time
from topiccrawl.page.escapes import unescaped
from topiccrawl.page.origin import wechat_account
from topiccrawl.urls.fetchable import fetchable_url
from topiccrawl.urls.hosts import host_of

#: Bytes at the beginning that are searched for comments of programs: doctype and ``<html>`` come before.
_COMMENT_BYTES: Final = 8_192
#: Bytes that are searched for ``<link>``, ``<meta>`` and the variables of scripts (a choice: the heads of
#: WeChat pages have some 100 KB).
_HEAD_BYTES: Final = 1 << 20

_SAVED_FROM: Final = re.compile(
    rb"<!--\s*saved from url=\(\d{1,6}\)(\S{1,4000}?)\s*-->", re.IGNORECASE
)
_SINGLE_FILE: Final = re.compile(
    rb"<!--\s*Page saved with SingleFile\s+url:\s*(?P<url>\S{1,4000})"
    rb"(?:\s+saved date:\s*(?P<date>[^\r\n>]{1,200}))?",
    re.IGNORECASE,
)
_MIRRORED: Final = re.compile(
    rb"<!--\s*Mirrored from (?P<url>\S{1,4000}) by HTTrack[^>]{0,200}?,\s*(?P<date>\w{3}, [^>]{10,40}?)\s*-->",
    re.IGNORECASE,
)
_MONOLITH: Final = re.compile(
    rb"<!--\s*Saved from (?P<url>\S{1,4000}) at (?P<date>\S{1,40}) using monolith", re.IGNORECASE
)
_SCRAPBOOK: Final = re.compile(
    rb"<html\b[^<>]{0,2000}?\bdata-scrapbook-source=[\"'](?P<url>[^\"'\s]{1,4000})", re.IGNORECASE
)
#: Hosts that Internet Explorer writes for pages of no zone.
_NOWHERE: Final = frozenset({"internet.e-mail"})
_TAG: Final = re.compile(r"<(?:link|meta)\b[^<>]{1,5000}>", re.IGNORECASE)
_ATTRIBUTE: Final = re.compile(r"([a-zA-Z:-]{1,40})\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))")
_DATA_URL: Final = re.compile(
    rb"data:[a-zA-Z0-9.+-]{1,40}/[a-zA-Z0-9.+-]{1,80}(?:;[a-zA-Z0-9=._-]{1,80}){0,4},"
    rb"[A-Za-z0-9+/=%._~!$&*;:@-]{256,}"
)
_WECHAT_URL: Final = re.compile(
    r"\bvar\s+msg_link\s*=\s*(?:htmlDecode\()?[\"'](https?:[^\"'\s]{10,2000})[\"']"
)
_WECHAT_HOST: Final = "mp.weixin.qq.com"


def origin_of(body: bytes) -> Origin:
    """Return what the source code of a page states about its origin.

    >>> origin_of(b"<!-- saved from url=(0019)http://a.example.cn/ --><p>").url
    'http://a.example.cn/'
    """
    start = body[:_COMMENT_BYTES]
    text = body[:_HEAD_BYTES].decode("utf-8", "replace")
    written, saved_at = _by_program(start)
    tagged, stated = _by_page(text)
    written = written or tagged
    if _WECHAT_HOST not in f"{written} {stated}" and "js_content" not in text:
        return Origin(written or stated, bool(written), saved_at)
    linked = _WECHAT_URL.search(text)
    stated = stated or http_url(unescaped(linked[1]) if linked else "")
    return Origin(
        written or stated,
        # WeChat states the address of the article on each.
        bool(written) or urlsplit(stated).hostname == _WECHAT_HOST,
        saved_at,
        wechat_time(text, datetime.now(UTC)),
        wechat_account(text),
    )


def without_pictures(body: bytes) -> bytes:
    """Return a page without the pictures and fonts that were saved in it as ``data:`` URLs.

    >>> without_pictures(b'<img src="data:image/png;base64,' + b"A" * 300 + b'">')
    b'<img src="data:,">'
    """
    return _DATA_URL.sub(b"data:,", body) if b"data:" in body else body


def http_url(text: str) -> str:
    """Return *text* if it is an http(s) URL of a page, else ``""``; an archive's copy is unwrapped.

    >>> http_url("https://web.archive.org/web/20200102030405/http://a.example.cn/x")
    'http://a.example.cn/x'
    """
    url = text.strip()
    if found := re.match(
        r"https?://web\.archive\.org/web/\d{4,14}(?:[a-z]{2}_)?/(https?://.+)", url
    ):
        url = found[1]
    try:
        return "" if host_of(url) in _NOWHERE else fetchable_url(url)
    except ValueError:
        return ""


def rfc_date(text: str) -> datetime | None:
    """Return the time in a header of a message (RFC 5322), with time zone; ``None`` if it is wrong."""
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def _by_program(start: bytes) -> tuple[str, datetime | None]:
    """Return URL and time of saving in the comment of the program that saved the page."""
    if found := _SINGLE_FILE.search(start):
        return http_url(_ascii(found["url"])), _script_date(_ascii(found["date"] or b""))
    if found := _SAVED_FROM.search(start):
        return http_url(_ascii(found[1])), None
    if found := _MIRRORED.search(start):
        return http_url(f"http://{_ascii(found['url'])}"), rfc_date(_ascii(found["date"]))
    if found := _MONOLITH.search(start):
        return http_url(_ascii(found["url"])), _iso_date(_ascii(found["date"]))
    if found := _SCRAPBOOK.search(start):
        return http_url(unescape(_ascii(found["url"]))), None
    return "", None


def _by_page(text: str) -> tuple[str, str]:
    """Return the URL that an extension wrote as a meta tag, and the one that the page states.

    A page that states the URL of a front page is not believed.
    """
    stated: dict[str, str] = {}
    for tag in _TAG.finditer(text):
        values = {m[1].lower(): m[2] or m[3] or m[4] or "" for m in _ATTRIBUTE.finditer(tag[0])}
        if "canonical" in values.get("rel", "").lower().split():
            stated.setdefault("canonical", values.get("href", ""))
        elif values.get("name", "").lower() == "savepage-url":
            stated.setdefault("written", values.get("content", ""))
        elif "og:url" in (values.get("property", "").lower(), values.get("name", "").lower()):
            stated.setdefault("og:url", values.get("content", ""))
    written, *others = (
        http_url(unescape(stated.get(name, ""))) for name in ("written", "canonical", "og:url")
    )
    return written, next(filter(_is_below_front_page, others), "")


def _is_below_front_page(url: str) -> bool:
    parts = urlsplit(url)
    return parts.path not in ("", "/") or bool(parts.query)


def _script_date(text: str) -> datetime | None:
    """Return the time that JavaScript writes: ``Sun Nov 22 2026 10:00:00 GMT+0800 (China …)``."""
    found = re.match(r"\w{3} (\w{3} \d\d? \d{4} \d\d:\d\d:\d\d) GMT([+-]\d{4})", text.strip())
    if found is None:
        return None
    try:
        return datetime.strptime(f"{found[1]} {found[2]}", "%b %d %Y %H:%M:%S %z")
    except ValueError:
        return None


def _iso_date(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def _ascii(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")
