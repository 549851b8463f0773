"""The registry of hostile behaviors, and what a behavior can do to its client."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Final

from benchmarks.hostile.answers import http, on_topic

#: A server inside the network that no crawl may ask, by its name and its address.  Names end in
#: ``.example``, which never exists (RFC 2606).
INNER: Final = "inner.example"
INNER_ADDRESS: Final = "127.77.0.1"
#: Modules with behaviors.
KINDS: Final = (
    "transfer", "framing", "interim", "coding", "packing", "redirects", "robots", "markup", "texts",
    "traps", "mazes", "refusals", "names",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Asked:
    """One request as a behavior receives it."""

    name: str
    """Host without port, in lower case; may be any name under the behavior's own."""
    path: str
    """Path with query."""
    port: int
    number: int
    """Earlier requests to the behavior, robots.txt included."""
    before: int
    """Earlier requests on the same connection."""

    def url(self, path: str = "", name: str = "") -> str:
        """Return the URL of *path* on this host, or on another *name* with the same port."""
        return f"http://{name or self.name}:{self.port}{path}"


class Client:
    """The connection to a crawler."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self.keep = False
        """Whether the connection stays open for another request."""

    async def send(self, data: bytes) -> None:
        """Send *data*; waits while the client does not read."""
        self._writer.write(data)
        await self._writer.drain()

    async def drip(self, data: bytes, seconds: float = 0.1) -> None:
        """Send *data* one byte at a time."""
        for i in range(len(data)):
            await self.send(data[i : i + 1])
            await asyncio.sleep(seconds)

    async def read(self) -> bytes:
        """Return what the client sent, at most 64 KB; waits for some."""
        return await self._reader.read(65536)

    async def hang(self) -> None:
        """Keep the connection open, silent, until the client closes it."""
        while await self._reader.read(65536):
            pass

    def reset(self) -> None:
        """Close the connection with a TCP reset."""
        sock = self._writer.get_extra_info("socket")
        if sock is None:
            return  # the client was faster
        # SO_LINGER with 0 seconds: close() sends RST instead of FIN (socket(7)).
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._writer.transport.abort()


Handler = Callable[[Asked, Client], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Behavior:
    """A hostile server."""

    name: str
    about: str
    handle: Handler
    robots: bool = False
    """Whether *handle* answers for robots.txt too; else it does not exist."""
    scheme: str = "http"
    tls: bool = False
    """Whether the server speaks TLS."""
    at_once: bool = False
    """Whether *handle* is called when a connection opens, before a request was read."""
    start: str = "/"
    """Path of the seed."""
    host: str = ""
    """Host of the seed if it is not ``www.NAME.example``."""
    outcome: bool = True
    """Whether the seed must leave an outcome (a seed that is no valid URL leaves none)."""
    kind: str = ""
    """Module that declares it."""

    def seed(self, port: int) -> str:
        """Return the URL at which a crawl starts."""
        return f"{self.scheme}://{self.host or f'www.{self.name}.example'}:{port}{self.start}"


_REGISTRY: dict[str, Behavior] = {}


def all_behaviors() -> dict[str, Behavior]:
    """Import the modules of behaviors; return what they declare, by name."""
    for kind in KINDS:
        import_module(f"benchmarks.hostile.{kind}")
    return _REGISTRY


def address(name: str) -> str:
    """Return the loopback address of the behavior called *name*."""
    place = sorted(all_behaviors()).index(name)
    return f"127.66.{place // 250}.{place % 250 + 1}"


def behavior(
    name: str,
    about: str,
    *,
    robots: bool = False,
    scheme: str = "http",
    tls: bool = False,
    at_once: bool = False,
    start: str = "/",
    host: str = "",
    outcome: bool = True,
) -> Callable[[Handler], Handler]:
    """Declare an asynchronous function ``(asked, client)`` as a behavior; fields as in `Behavior`."""

    def declare(handle: Handler) -> Handler:
        if name in _REGISTRY:
            raise ValueError(f"two behaviors are called {name}")
        kind = handle.__module__.rpartition(".")[2]
        _REGISTRY[name] = Behavior(
            name, about, handle, robots, scheme, tls, at_once, start, host, outcome, kind
        )
        return handle

    return declare


def raw(name: str, about: str) -> Callable[[Callable[[Asked], bytes]], Callable[[Asked], bytes]]:
    """Declare a function from the request to all bytes of the answer, which ends the connection."""

    def declare(make: Callable[[Asked], bytes]) -> Callable[[Asked], bytes]:
        async def handle(asked: Asked, client: Client) -> None:
            await client.send(await asyncio.to_thread(make, asked))

        handle.__module__ = make.__module__
        behavior(name, about)(handle)
        return make

    return declare


def page(name: str, about: str) -> Callable[[Callable[[Asked], str]], Callable[[Asked], str]]:
    """Declare a function from the request to the HTML of a page with status 200."""

    def declare(make: Callable[[Asked], str]) -> Callable[[Asked], str]:
        async def handle(asked: Asked, client: Client) -> None:
            await client.send(http(await asyncio.to_thread(make, asked)))

        handle.__module__ = make.__module__
        behavior(name, about)(handle)
        return make

    return declare


def robots(name: str, about: str) -> Callable[[Handler], Handler]:
    """Declare how robots.txt is answered; every other path is a page on the topic."""

    def declare(handle: Handler) -> Handler:
        async def both(asked: Asked, client: Client) -> None:
            if asked.path.startswith("/robots"):
                await handle(asked, client)
            else:
                await client.send(http(on_topic(f"{name} {asked.path}")))

        both.__module__ = handle.__module__
        behavior(name, about, robots=True)(both)
        return handle

    return declare
