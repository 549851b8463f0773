"""Bytes of HTTP answers and of pages, for behaviors."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Final

from benchmarks.known_web import QIAOQING, page_html

#: Content-Type of the pages.
HTML: Final = "text/html; charset=utf-8"


def http(
    body: bytes | str = b"",
    status: str = "200 OK",
    *headers: str,
    kind: str = HTML,
    length: int | None = None,
) -> bytes:
    """Return an answer that ends the connection; *headers* are whole lines.

    *length* is the stated length if it is not the true one; no Content-Type without *kind*.
    """
    data = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else body
    stated = len(data) if length is None else length
    more = (f"Content-Type: {kind}",) if kind else ()
    return head(status, *more, f"Content-Length: {stated}", "Connection: close", *headers) + data


def head(status: str = "200 OK", *headers: str) -> bytes:
    """Return a status line and *headers* with the empty line behind them."""
    lines = (f"HTTP/1.1 {status}", *headers, "", "")
    return "\r\n".join(lines).encode("utf-8", "surrogatepass")


def redirect(location: str, status: str = "302 Found") -> bytes:
    """Return a redirect."""
    return http(b"", status, f"Location: {location}")


def chunk(data: bytes) -> bytes:
    """Return *data* as one chunk of a chunked body."""
    return b"%x\r\n%s\r\n" % (len(data), data)


def sentences(key: str, count: int = 12) -> list[str]:
    """Return paragraphs on the topic, drawn by *key*: each key has other ones."""
    draw = random.Random(key)
    return [f"{''.join(draw.sample(QIAOQING, 3))}{key}之{part}。" for part in range(count // 3)]


def on_topic(title: str, links: Iterable[tuple[str, str]] = (), key: str = "") -> str:
    """Return a page on the topic, which the crawl would like to store."""
    return page_html(f"侨务工作 {title}", sentences(key or title), list(links))


def in_page(markup: str, head: str = "", title: str = "侨务工作报道") -> str:
    """Return a page on the topic with *markup* in its body and *head* in its head."""
    text = "".join(f"<p>{paragraph}</p>" for paragraph in sentences(title))
    return (
        f"<!DOCTYPE html><html><head><title>{title}</title>{head}</head>"
        f"<body><h1>{title}</h1><div>{text}</div>{markup}</body></html>"
    )
