"""Slow, endless, broken and reset transfers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from benchmarks.hostile.answers import HTML, chunk, head, http, on_topic
from benchmarks.hostile.behavior import Asked, Client, Handler, behavior

PAGE = http(on_topic("transfer"))
#: A megabyte of page.
MEGABYTE = "<p>侨务部门走访归侨侨眷。</p>".encode() * 25_000


def cut(at: str | int, end: str) -> Handler:
    """Return a behavior that sends the page up to *at* and then ends in the way of *end*."""

    async def handle(asked: Asked, client: Client) -> None:
        await client.send(PAGE[: PAGE.index(at.encode()) + 3 if isinstance(at, str) else at])
        await asyncio.sleep(0.05)
        if end == "reset":
            client.reset()
        elif end == "hang":
            await client.hang()

    return handle


#: Where a transfer breaks off: bytes, or three bytes into this text.
PLACES: dict[str, str | int] = {
    "status": 7, "headers": "Content-L", "body": "<title>", "first-byte": 1,
}  # fmt: skip
for _place, _at in PLACES.items():
    for _end, _what in {
        "reset": "is reset", "closed": "is closed", "hang": "falls silent",
    }.items():  # fmt: skip
        behavior(f"{_end}-in-{_place}", f"the connection {_what} in the {_place}")(cut(_at, _end))


@behavior("reset-at-once", "reset as soon as it is open", at_once=True, robots=True)
async def _reset_at_once(asked: Asked, client: Client) -> None:
    client.reset()


@behavior("closed-at-once", "closed as soon as it is open", at_once=True, robots=True)
async def _closed_at_once(asked: Asked, client: Client) -> None:
    pass


@behavior("silent-at-once", "accepts and never reads nor writes", at_once=True, robots=True)
async def _silent(asked: Asked, client: Client) -> None:
    await asyncio.sleep(3600)


@behavior("early-answer", "answers before the request was sent", at_once=True, robots=True)
async def _early(asked: Asked, client: Client) -> None:
    await client.send(PAGE)
    await client.hang()


@behavior("reset-after-request", "reset instead of an answer")
async def _reset(asked: Asked, client: Client) -> None:
    client.reset()


@behavior("no-answer", "reads the request and never answers")
async def _no_answer(asked: Asked, client: Client) -> None:
    await client.hang()


def dripping(before: bytes, slow: bytes, seconds: float = 0.1) -> Handler:
    """Return a behavior that sends *before* at once and *slow* byte by byte."""

    async def handle(asked: Asked, client: Client) -> None:
        await client.send(before)
        await client.drip(slow, seconds)

    return handle


_HEADERS, _, _BODY = PAGE.partition(b"\r\n\r\n")
behavior("slow-status", "a status line of one byte a second")(dripping(b"", PAGE, 1.0))
behavior("slow-headers", "headers of ten bytes a second")(dripping(PAGE[:17], PAGE[17:]))
behavior("drip", "a body of ten bytes a second")(dripping(_HEADERS + b"\r\n\r\n", _BODY))
behavior("slow-chunks", "chunks of one byte, ten a second")(
    dripping(
        head("200 OK", f"Content-Type: {HTML}", "Transfer-Encoding: chunked"),
        b"".join(chunk(_BODY[i : i + 1]) for i in range(len(_BODY))),
    )
)


@behavior("slow-tree", "slow pages that link to twenty others")
async def _slow_tree(asked: Asked, client: Client) -> None:
    links = [(f"{asked.path}{i}/", f"侨务{i}") for i in range(20)]
    await asyncio.sleep(1.0)
    await client.send(http(on_topic(asked.path, links)))


def endless(before: bytes, piece: Callable[[int], bytes], rest: float = 0.0) -> Handler:
    """Return a behavior that sends *before*, and pieces until the client closes."""

    async def handle(asked: Asked, client: Client) -> None:
        await client.send(before)
        number = 0
        while True:
            await client.send(piece(number))
            await asyncio.sleep(rest)
            number += 1

    return handle


_OPEN = head("200 OK", f"Content-Type: {HTML}")
_CHUNKED = head("200 OK", f"Content-Type: {HTML}", "Transfer-Encoding: chunked")
behavior("endless-body", "a body without length or end, at full speed")(
    endless(_OPEN, lambda number: MEGABYTE)
)
behavior("endless-chunks", "chunks without end, at full speed")(
    endless(_CHUNKED, lambda number: chunk(MEGABYTE))
)
behavior("endless-small-chunks", "chunks of one byte without end, at full speed")(
    endless(_CHUNKED, lambda number: chunk(b"x") * 10_000)
)
behavior("endless-stated", "a body of a stated exabyte, at full speed")(
    endless(head("200 OK", f"Content-Type: {HTML}", "Content-Length: 1000000000000000000"),
            lambda number: MEGABYTE)
)  # fmt: skip
behavior("endless-headers", "header lines without end")(
    endless(b"HTTP/1.1 200 OK\r\n", lambda number: b"X-%d: 1\r\n" % number * 100)
)
behavior("endless-header", "one header without end")(
    endless(b"HTTP/1.1 200 OK\r\nX-Long: ", lambda number: b"x" * 65536)
)
behavior("endless-status", "a status line without end")(
    endless(b"HTTP/1.1 200 ", lambda number: b"O" * 65536)
)
behavior("endless-continue", "100 Continue without end")(
    endless(b"", lambda number: b"HTTP/1.1 100 Continue\r\n\r\n" * 100)
)
behavior("endless-hints", "103 Early Hints without end")(
    endless(b"", lambda number: b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" * 100)
)
behavior("endless-trailers", "trailers without end behind the last chunk")(
    endless(_CHUNKED + chunk(_BODY) + b"0\r\n", lambda number: b"X-%d: 1\r\n" % number * 100)
)
behavior("endless-events", "text/event-stream")(
    endless(head("200 OK", "Content-Type: text/event-stream"),
            lambda number: b"data: %d\n\n" % number, 0.05)
)  # fmt: skip
behavior("endless-multipart", "multipart/x-mixed-replace without end")(
    endless(head("200 OK", "Content-Type: multipart/x-mixed-replace; boundary=x"),
            lambda number: b"--x\r\nContent-Type: text/html\r\n\r\n<p>x</p>\r\n", 0.01)
)  # fmt: skip


@behavior("never-closed", "a whole page without length; the connection stays open")
async def _never_closed(asked: Asked, client: Client) -> None:
    await client.send(_OPEN + _BODY)
    await client.hang()


@behavior("huge-body", "a page of 200 MB that states its length")
async def _huge_body(asked: Asked, client: Client) -> None:
    await client.send(head("200 OK", f"Content-Type: {HTML}", f"Content-Length: {200_000_000}"))
    while True:
        await client.send(MEGABYTE)


@behavior("just-under-the-limit", "a page of 4 MB, below DOWNLOAD_MAXSIZE")
async def _just_under(asked: Asked, client: Client) -> None:
    await client.send(http(_BODY + MEGABYTE * (4_000_000 // len(MEGABYTE))))
