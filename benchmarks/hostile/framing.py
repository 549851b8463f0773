"""Status lines, headers, lengths, chunks that no server should send, and answers mixed up."""

from __future__ import annotations

from benchmarks.hostile.answers import HTML, chunk, head, http, on_topic
from benchmarks.hostile.behavior import Asked, Client, behavior, raw

BODY = on_topic("framing").encode()
_TYPE = f"Content-Type: {HTML}"


def fixed(name: str, about: str, data: bytes) -> None:
    """Declare a behavior that always sends the same bytes."""
    raw(name, about)(lambda asked: data)


def with_headers(name: str, about: str, *headers: str) -> None:
    """Declare a page with *headers*, which stand for its length too."""
    fixed(name, about, head("200 OK", _TYPE, *headers) + BODY)


def with_status(name: str, about: str, line: str | bytes) -> None:
    """Declare a page with the status line *line*."""
    data = line if isinstance(line, bytes) else line.encode()
    rest = f"\r\n{_TYPE}\r\nContent-Length: {len(BODY)}\r\nConnection: close\r\n\r\n"
    fixed(name, about, data + rest.encode() + BODY)


# -- status lines --------------------------------------------------------------------------------
with_status("status-999", "status 999", "HTTP/1.1 999 Request denied")
with_status("status-000", "status 000", "HTTP/1.1 000 Nothing")
with_status("status-4-digits", "status 2000", "HTTP/1.1 2000 OK")
with_status("status-negative", "status -200", "HTTP/1.1 -200 OK")
with_status("status-letters", "a status of letters", "HTTP/1.1 OK fine")
with_status("status-missing", "a status line without status", "HTTP/1.1")
with_status("status-huge-reason", "a reason of 1 MB", "HTTP/1.1 200 " + "O" * 1_000_000)
with_status("status-binary", "a binary status line", bytes(range(128, 256)))
with_status("status-lower-case", "http/1.1 in lower case", "http/1.1 200 ok")
with_status("status-icy", "a radio station's status line", "ICY 200 OK")
with_status("status-http-9", "a version of HTTP that does not exist", "HTTP/9.9 200 OK")
with_status("status-http-2", "the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
with_status("status-unicode-digits", "full-width digits", "HTTP/1.1 ２００ OK")
with_status("switching", "101 Switching Protocols", "HTTP/1.1 101 Switching Protocols")
with_status("no-content-with-body", "204 with a body", "HTTP/1.1 204 No Content")
with_status("reset-content-with-body", "205 with a body", "HTTP/1.1 205 Reset Content")
with_status("partial", "206 that nobody asked for", "HTTP/1.1 206 Partial Content")
with_status("not-modified-with-body", "304 with a body", "HTTP/1.1 304 Not Modified")
with_status("teapot", "418", "HTTP/1.1 418 I'm a teapot")
fixed("http-09", "a body without status line and headers", BODY)
fixed("newlines-only", "a megabyte of empty lines", b"\r\n" * 500_000)
fixed("smtp", "a mail server's greeting", b"220 mail.example ESMTP\r\n250 OK\r\n")
fixed("request-back", "a request as the answer", b"GET / HTTP/1.1\r\nHost: a.example\r\n\r\n")

# -- lengths -------------------------------------------------------------------------------------
for _name, _length in {
    "negative": "-1", "huge": "9" * 30, "text": "many", "empty": "", "float": "1e3", "hex": "0x10",
    "plus": "+100", "list": "5, 5", "too-long": str(len(BODY) * 1000), "too-short": "10",
    "digits": "9" * 100_000, "unicode": "１００",
}.items():  # fmt: skip
    with_headers(f"length-{_name}", f"Content-Length: {_length[:30]}", f"Content-Length: {_length}")
with_headers("length-twice", "two lengths", "Content-Length: 10", f"Content-Length: {len(BODY)}")
fixed("length-and-chunks", "a length and chunks (request smuggling)",
      head("200 OK", _TYPE, "Content-Length: 5", "Transfer-Encoding: chunked")
      + chunk(BODY) + b"0\r\n\r\n")  # fmt: skip

# -- chunks --------------------------------------------------------------------------------------
_CHUNKED = head("200 OK", _TYPE, "Transfer-Encoding: chunked")
for _name, _chunks in {
    "negative": b"-5\r\nhello\r\n0\r\n\r\n",
    "nonsense": b"zz\r\nhello\r\n0\r\n\r\n",
    "empty-size": b"\r\n\r\n\r\n\r\n",
    "huge-size": b"FFFFFFFFFFFFFFFF\r\n" + BODY,
    "endless-size": b"1" * 1_000_000,
    "no-newline": b"5hello0",
    "wrong-size": b"3\r\nhello\r\n0\r\n\r\n",
    "long-extension": b"5;" + b"x" * 1_000_000 + b"\r\nhello\r\n0\r\n\r\n",
    "no-end": chunk(BODY),
    "none": BODY,
    "many": chunk(b"x") * 300_000 + b"0\r\n\r\n",
}.items():
    fixed(f"chunk-{_name}", f"chunked nonsense: {_name}", _CHUNKED + _chunks)
with_headers("coding-unknown", "an unknown transfer coding", "Transfer-Encoding: zebra")
with_headers("coding-repeated", "chunked 1,000 times", "Transfer-Encoding: " + "chunked," * 1000)

# -- headers -------------------------------------------------------------------------------------
_LENGTH = f"Content-Length: {len(BODY)}"
with_headers("header-1-mb", "one header of 1 MB", _LENGTH, "X-Long: " + "x" * 1_000_000)
with_headers("headers-10000", "10,000 headers", _LENGTH, *(f"X-{i}: {i}" for i in range(10_000)))
with_headers("headers-same", "50,000 times the same header", _LENGTH, *["X-Same: 1"] * 50_000)
with_headers("cookies-5000", "5,000 cookies", _LENGTH,
             *(f"Set-Cookie: c{i}={i}; Path=/" for i in range(5000)))  # fmt: skip
with_headers("cookie-1-mb", "a cookie of 1 MB", _LENGTH, "Set-Cookie: a=" + "x" * 1_000_000)
with_headers("header-no-colon", "a header without colon", _LENGTH, "nonsense")
with_headers("header-no-name", "a header without name", _LENGTH, ": nothing")
with_headers("header-nul", "NUL in a header", _LENGTH, "X-Nul: a\0b")
with_headers("header-folded", "a header folded 10,000 times", _LENGTH, "X-F: a" + "\r\n b" * 10_000)
with_headers("header-folded-first", "the first header is folded", " folded", _LENGTH)
with_headers("header-control", "control characters in headers", _LENGTH, "X-\x1b[31m: \x07\x08")
with_headers("header-not-latin", "headers in UTF-8", _LENGTH, "X-标题: 侨务", "Server: 侨")
with_headers("header-injection", "a bare CR in a header", _LENGTH, "X-A: a\rSet-Cookie: b=c")
with_headers("links-in-header", "100,000 Link headers' worth in one", _LENGTH,
             "Link: " + ", ".join(f"</{i}>; rel=next" for i in range(20_000)))  # fmt: skip
with_headers("robots-header", "X-Robots-Tag with 100 KB", _LENGTH,
             "X-Robots-Tag: " + "noindex, " * 10_000)  # fmt: skip
with_headers(
    "language-1-mb", "Content-Language of 1 MB", _LENGTH, "Content-Language: " + "zh," * 300_000
)
with_headers("date-nonsense", "dates out of range", _LENGTH, "Last-Modified: Fri, 99 Foo 99999 25:61:61 GMT",
             "Date: -1", "Age: -9" + "9" * 5000, "Expires: 0")  # fmt: skip
for _name, _kind in {
    "empty": "", "nonsense": ";;;===", "1-mb": "text/html; x=" + "y" * 1_000_000, "slash": "/",
    "list": "text/html, image/png", "nul": "text/\0html", "unicode": "文本/网页",
    "parameters": "text/html" + "; charset=utf-8" * 10_000,
}.items():  # fmt: skip
    fixed(f"type-{_name}", f"Content-Type: {_name}", http(BODY, kind=_kind or " "))


# -- answers mixed up ----------------------------------------------------------------------------
@behavior("two-answers", "two answers to one request on a connection that stays open")
async def _two_answers(asked: Asked, client: Client) -> None:
    one = on_topic(f"first {asked.path}", [(f"/{i}", "侨务") for i in range(5)]).encode()
    two = on_topic("smuggled").encode()
    for body in (one, two):
        await client.send(head("200 OK", _TYPE, f"Content-Length: {len(body)}") + body)
    client.keep = True


@behavior("answer-in-advance", "an answer to the next request before it is asked")
async def _in_advance(asked: Asked, client: Client) -> None:
    client.keep = True
    body = on_topic(f"page {asked.path}", [(f"/{i}", "侨务") for i in range(5)]).encode()
    if asked.before:
        return  # it was sent with the answer before
    for _ in range(2):
        await client.send(head("200 OK", _TYPE, f"Content-Length: {len(body)}") + body)


@behavior("garbage-between", "garbage between two answers of one connection")
async def _garbage_between(asked: Asked, client: Client) -> None:
    client.keep = True
    body = on_topic(f"page {asked.path}", [(f"/{i}", "侨务") for i in range(5)]).encode()
    await client.send(
        head("200 OK", _TYPE, f"Content-Length: {len(body)}") + body + b"\0garbage\r\n"
    )


@behavior("body-smuggles", "an answer hidden behind the stated length")
async def _smuggles(asked: Asked, client: Client) -> None:
    client.keep = True
    body = on_topic(f"page {asked.path}", [(f"/{i}", "侨务") for i in range(5)]).encode()
    hidden = http(on_topic("smuggled"))
    await client.send(head("200 OK", _TYPE, f"Content-Length: {len(body)}") + body + hidden)
