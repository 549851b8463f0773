"""TLS that is none, and names that resolve to strange addresses."""

from __future__ import annotations

import asyncio
import struct
from typing import Final

from benchmarks.hostile.answers import http, on_topic
from benchmarks.hostile.behavior import INNER_ADDRESS, Asked, Client, behavior
from benchmarks.hostile.transfer import PAGE

#: An address that may be contacted, where nothing listens.
PUBLIC_ADDRESS: Final = "127.67.9.1"
#: Names with an address other than that of a behavior: the addresses of one lookup after the other.
#: An empty list is a name that does not exist.
NAMES: Final[dict[str, list[list[str]]]] = {
    "nowhere.example": [[]],
    "into-the-network.example": [[INNER_ADDRESS]],
    "many-addresses.example": [[INNER_ADDRESS] * 100],
    "flapping.example": [[PUBLIC_ADDRESS], [INNER_ADDRESS]] * 200,
    "flapping-inward.example": [[PUBLIC_ADDRESS], [PUBLIC_ADDRESS], [INNER_ADDRESS]] * 200,
    "half-inner.example": [[PUBLIC_ADDRESS, INNER_ADDRESS]],
    "one-of-100.example": [[PUBLIC_ADDRESS] * 99 + [INNER_ADDRESS]],
    "one-of-100-first.example": [[INNER_ADDRESS] + [PUBLIC_ADDRESS] * 99],
    "vanishing.example": [[PUBLIC_ADDRESS], []],
    "late.example": [[], [], [], [PUBLIC_ADDRESS]],
    "hundred.example": [[f"127.67.9.{i}" for i in range(1, 101)]],
}

#: Names below this one take :data:`SLOW_SECONDS` to resolve, to nothing: their server of names is silent.
SLOW: Final = ".slow-names.example"
SLOW_SECONDS: Final = 8.0


def tls(name: str, about: str, data: bytes) -> None:
    """Declare a server that answers the first bytes of TLS with *data*."""

    @behavior(f"tls-{name}", f"TLS: {about}", scheme="https", at_once=True, robots=True)
    async def handle(asked: Asked, client: Client) -> None:
        await client.read()
        await client.send(data)


tls("plain", "an answer without TLS", PAGE)
tls("garbage", "garbage", bytes(range(256)) * 100)
tls("closed", "closed", b"")
tls("alerts", "100,000 alerts", b"\x15\x03\x03\x00\x02\x01\x00" * 100_000)
tls("fatal", "a fatal alert", b"\x15\x03\x03\x00\x02\x02\x28")
tls("huge-record", "a record of 64 KB", b"\x16\x03\x03\xff\xff" + bytes(65535))
tls("half-hello", "half of a ServerHello",
    b"\x16\x03\x03\x00\x7a\x02\x00\x00\x76\x03\x03" + bytes(40))  # fmt: skip
tls("old", "SSL 2.0", struct.pack(">H", 0x8004) + b"\x04\x00\x02\x00")


@behavior("tls-silent", "TLS: no answer", scheme="https", at_once=True, robots=True)
async def _silent(asked: Asked, client: Client) -> None:
    await client.hang()


@behavior("tls-drip", "TLS: a byte of a record a second", scheme="https", at_once=True, robots=True)
async def _drip(asked: Asked, client: Client) -> None:
    await client.drip(b"\x16\x03\x03\x40\x00" + bytes(1000), 1.0)


@behavior(
    "tls-reset", "TLS: reset after the first bytes", scheme="https", at_once=True, robots=True
)
async def _reset(asked: Asked, client: Client) -> None:
    await client.read()
    client.reset()


@behavior("tls-self-signed", "TLS with a certificate for another name", scheme="https", tls=True)
async def _self_signed(asked: Asked, client: Client) -> None:
    await client.send(http(on_topic("self-signed")))


@behavior("tls-cut", "TLS that ends without closing it", scheme="https", tls=True)
async def _cut(asked: Asked, client: Client) -> None:
    await client.send(PAGE[:-100])
    await asyncio.sleep(0.05)
    client.reset()


@behavior("slow-names", "pages with links to fifty names that take long to resolve")
async def _slow(asked: Asked, client: Client) -> None:
    links = [(asked.url("/", f"n{i}{SLOW}"), f"侨务侨领{i}") for i in range(50)]
    await client.send(http(on_topic("slow names", links)))


for _host in NAMES:
    # The behavior itself is never asked: its seed has another host.
    @behavior(f"dns-{_host.removesuffix('.example')}", f"the name {_host}", host=_host)
    async def _never(asked: Asked, client: Client) -> None:
        client.reset()
