"""More of HTTP's framing: interim answers, line ends, transfer codings, trailers, keep-alive."""

from __future__ import annotations

import asyncio

from benchmarks.hostile.answers import HTML, chunk, head, http, on_topic
from benchmarks.hostile.behavior import Asked, Client, behavior
from benchmarks.hostile.framing import fixed, with_headers
from benchmarks.hostile.transfer import dripping, endless

BODY = on_topic("interim").encode()
_TYPE = f"Content-Type: {HTML}"
_LENGTH = f"Content-Length: {len(BODY)}"
_PAGE = http(BODY)
_CHUNKED = head("200 OK", _TYPE, "Transfer-Encoding: chunked")
_WHOLE = chunk(BODY) + b"0\r\n"

# -- interim answers -----------------------------------------------------------------------------
for _name, _interim in {
    "continue": "100 Continue", "processing": "102 Processing", "hints": "103 Early Hints",
    "unknown": "199 Whatever",
}.items():  # fmt: skip
    fixed(f"interim-{_name}", f"{_interim} 200 times before a page",
          f"HTTP/1.1 {_interim}\r\nLink: </x>\r\n\r\n".encode() * 200 + _PAGE)  # fmt: skip
fixed("interim-body", "100 Continue with a body",
      head("100 Continue", "Content-Length: 5") + b"hello" + _PAGE)  # fmt: skip
fixed("interim-chunks", "103 with chunks of its own",
      head("103 Early Hints", "Transfer-Encoding: chunked") + _WHOLE + b"\r\n" + _PAGE)  # fmt: skip
fixed("interim-only", "100 Continue and nothing else", b"HTTP/1.1 100 Continue\r\n\r\n")
fixed("upgrade-h2c", "101 to h2c and frames of HTTP/2",
      head("101 Switching Protocols", "Connection: Upgrade", "Upgrade: h2c")
      + b"\0\0\0\x04\0\0\0\0\0" * 20_000)  # fmt: skip
fixed("frames-h2", "frames of HTTP/2 at once", b"\0\0\x12\x04\0\0\0\0\0" + bytes(18) * 10_000)

# -- lines ---------------------------------------------------------------------------------------
fixed("lines-lf", "lines that end in LF only", _PAGE.replace(b"\r\n", b"\n"))
fixed("lines-cr", "lines that end in CR only", _PAGE.replace(b"\r\n", b"\r"))
fixed("lines-many-cr", "CRCRLF", _PAGE.replace(b"\r\n", b"\r\r\n"))
fixed("lines-before", "empty lines before the status line", b"\r\n" * 900 + _PAGE)
fixed("headers-16-mb", "999 headers of 16 KB",
      head("200 OK", _TYPE, _LENGTH, *(f"X-{i}: {'x' * 16_000}" for i in range(990))) + BODY)  # fmt: skip
fixed("headers-names-16-kb", "500 headers with names of 16 KB",
      head("200 OK", _TYPE, _LENGTH, *(f"X{'x' * 16_000}{i}: 1" for i in range(500))) + BODY)  # fmt: skip
with_headers(
    "header-nul-name", "NUL in the names of headers", _LENGTH, "Content\0-Type: x", "\0: 1"
)
with_headers("header-blank-colon", "a blank before the colon", "Content-Length : 5", _LENGTH)
with_headers("header-tabs", "headers folded by tabs", "Content-Type: text/html;\r\n\tcharset=utf-8",
             _LENGTH)  # fmt: skip
with_headers("header-location-200", "a Location in a page", _LENGTH, "Location: http://127.77.0.1/")
with_headers("header-set-cookie-odd", "cookies for other domains", _LENGTH,
             *(f"Set-Cookie: a={i}; Domain={d}; Expires=Fri, 99 Foo 99999 00:00:00; Max-Age=1e999"
               for i, d in enumerate((".", "cn", ".com.cn", "127.0.0.1", "\ud800", "xn--", "[::1]"))))  # fmt: skip
for _codec in ("undefined", "punycode", "unicode_escape", "zlib"):
    with_headers(f"header-disposition-{_codec.replace('_', '-')}", f"a file name in {_codec}",
                 f"Content-Disposition: inline; filename*={_codec}''a-b9%5Cud800")  # fmt: skip
with_headers("types-many", "1,000 Content-Types", _LENGTH, *["Content-Type: text/plain"] * 900)
with_headers("lengths-many", "900 equal lengths", *[_LENGTH] * 900)

# -- transfer codings ----------------------------------------------------------------------------
for _name, _coding in {
    "upper": "CHUNKED", "blank": " chunked ", "identity": "identity", "identity-chunked":
    "identity, chunked", "chunked-identity": "chunked, identity", "gzip": "gzip, chunked",
    "quoted": '"chunked"', "parameter": "chunked;q=1", "vertical-tab": "\vchunked", "x": "xchunked",
    "folded": "\r\n chunked",
}.items():  # fmt: skip
    fixed(f"transfer-{_name}", f"Transfer-Encoding: {_coding.strip()}",
          head("200 OK", _TYPE, f"Transfer-Encoding:{_coding}") + _WHOLE + b"\r\n")  # fmt: skip
fixed("transfer-twice", "two Transfer-Encodings that disagree",
      head("200 OK", _TYPE, "Transfer-Encoding: chunked", "Transfer-Encoding: identity", _LENGTH)
      + _WHOLE + b"\r\n")  # fmt: skip
fixed("transfer-old", "chunks in HTTP/1.0",
      _CHUNKED.replace(b"HTTP/1.1", b"HTTP/1.0") + _WHOLE + b"\r\n")  # fmt: skip

# -- chunks --------------------------------------------------------------------------------------
for _name, _data in {
    "zeros": b"0" * 900 + b"5\r\nhello\r\n0\r\n\r\n",
    "prefix": b"0x5\r\nhello\r\n0\r\n\r\n",
    "underscore": b"1_0\r\n0123456789abcdef\r\n0\r\n\r\n",
    "plus": b"+5\r\nhello\r\n0\r\n\r\n",
    "lf": chunk(BODY).replace(b"\r\n", b"\n") + b"0\n\n",
    "blank": b"5 \r\nhello\r\n0\r\n\r\n",
    "unicode": "５\r\nhello\r\n0\r\n\r\n".encode(),
    "extensions": b"".join(
        b'1;a="%s"\r\nx\r\n' % (b"\\\"" * 200) for _ in range(2_000)) + b"0\r\n\r\n",
    "extension-nul": b"5;\0\x1b[31m\r\nhello\r\n0;\0\r\n\r\n",
}.items():  # fmt: skip
    fixed(f"chunk-size-{_name}", f"chunks: {_name}", _CHUNKED + _data)
fixed("trailers-odd", "trailers that name a length, a type, a place",
      _CHUNKED + _WHOLE + b"Content-Length: 5\r\nLocation: file:///etc/passwd\r\n"
      b"Content-Type: image/png\r\n: x\r\nno colon\r\n\0\r\n\r\n")  # fmt: skip
behavior("endless-extension", "a chunk extension without end")(
    endless(_CHUNKED + b"5;", lambda number: b"x" * 65_536)
)
behavior("endless-zeros", "a chunk size of zeros without end")(
    endless(_CHUNKED, lambda number: b"0" * 65_536)
)
behavior("endless-empty-lines", "empty lines before the status line, without end")(
    endless(b"", lambda number: b"\r\n" * 30_000)
)
behavior("endless-fold", "a folded header without end")(
    endless(b"HTTP/1.1 200 OK\r\nX: a\r\n", lambda number: b" b\r\n" * 1_000)
)
behavior("slow-chunk-size", "the digits of a chunk's size, ten a second")(
    dripping(_CHUNKED, b"0" * 10_000)
)
behavior("slow-trailers", "trailers of ten bytes a second")(
    dripping(_CHUNKED + _WHOLE, b"X-Trailer: x\r\n" * 1_000)
)
behavior("slow-interim", "ten 100 Continue a second")(
    endless(b"", lambda number: b"HTTP/1.1 100 Continue\r\n\r\n", 0.1)
)


# -- connections that stay open ------------------------------------------------------------------
@behavior("keep-then-reset", "each second request on a connection is reset")
async def _keep_reset(asked: Asked, client: Client) -> None:
    if asked.before:
        client.reset()
        return
    client.keep = True
    body = on_topic(f"kept {asked.path}", [(f"/{i}", "侨务") for i in range(6)]).encode()
    await client.send(head("200 OK", _TYPE, f"Content-Length: {len(body)}") + body)


@behavior("keep-old", "HTTP/1.0 that says keep-alive and closes")
async def _keep_old(asked: Asked, client: Client) -> None:
    body = on_topic(f"old {asked.path}", [(f"/{i}", "侨务") for i in range(6)]).encode()
    answer = head("200 OK", _TYPE, "Connection: keep-alive", f"Content-Length: {len(body)}")
    await client.send(answer.replace(b"HTTP/1.1", b"HTTP/1.0") + body)


@behavior("keep-drip-behind", "a page, and a byte a second behind its end")
async def _drip_behind(asked: Asked, client: Client) -> None:
    body = on_topic(f"behind {asked.path}", [(f"/{i}", "侨务") for i in range(6)]).encode()
    await client.send(head("200 OK", _TYPE, f"Content-Length: {len(body)}") + body)
    for _ in range(60):
        await asyncio.sleep(1.0)
        await client.send(b"H")


@behavior("head-body-apart", "headers, three seconds of nothing, then a page")
async def _apart(asked: Asked, client: Client) -> None:
    await client.send(head("200 OK", _TYPE, _LENGTH))
    await asyncio.sleep(3.0)
    await client.send(BODY)


@behavior("half-closed", "closes its own side after half of the stated length")
async def _half(asked: Asked, client: Client) -> None:
    await client.send(head("200 OK", _TYPE, f"Content-Length: {2 * len(BODY)}") + BODY)
