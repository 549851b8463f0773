"""All hostile servers, a good site and a server inside the network, in one thread."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from functools import partial
from typing import Final

from benchmarks.hostile.answers import HTML, head, http
from benchmarks.hostile.behavior import INNER_ADDRESS, Asked, Behavior, Client, address
from benchmarks.hostile.good import GoodSite
from topiccrawl.evaluation.replay.certificate import server_context
from topiccrawl.webserver.threaded import ThreadedServer

#: Longest request head that a server reads; some behaviors make the crawler send long ones.
HEAD_BYTES: Final = 32 * 1024 * 1024
_NO_ROBOTS = head("404 Not Found", f"Content-Type: {HTML}", "Content-Length: 0")


class HostileServers(ThreadedServer):
    """Serves *behaviors* and *good* on loopback while it is entered."""

    def __init__(
        self,
        behaviors: Iterable[Behavior],
        good: GoodSite,
        arrived: Callable[[str], object] = lambda url: None,
    ) -> None:
        """*arrived* is called with the URL of each request to the good site, in this thread."""
        super().__init__("hostile-servers")
        self.behaviors = list(behaviors)
        self.good = good
        self.port = 0
        self.connections: Counter[str] = Counter()
        """Connections by behavior; ``inner`` counts those to the server inside the network."""
        self.requests: Counter[str] = Counter()
        """Requests by behavior, without robots.txt unless the behavior answers for it."""
        self.failures: list[str] = []
        """Mistakes of behaviors themselves."""
        self._arrived = arrived

    async def _serve(self) -> None:
        async with contextlib.AsyncExitStack() as stack:
            serve = partial(self._listen, stack)
            await serve(INNER_ADDRESS, self._inner)
            for host in self.good.addresses:
                await serve(host, self._good)
            for behavior in self.behaviors:
                await serve(address(behavior.name), partial(self._hostile, behavior), behavior.tls)
            await self._until_stopped()
        connections = asyncio.all_tasks() - {asyncio.current_task()}
        for task in connections:
            task.cancel()
        await asyncio.gather(*connections, return_exceptions=True)

    async def _listen(
        self,
        stack: contextlib.AsyncExitStack,
        host: str,
        handle: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]],
        tls: bool = False,
    ) -> None:
        """Listen on *host* and the port of all servers, a free one at first."""
        context = server_context() if tls else None
        server = await asyncio.start_server(
            handle,
            host,
            self.port,
            limit=HEAD_BYTES,
            ssl=context,
        )
        self.port = server.sockets[0].getsockname()[1]
        stack.callback(server.close)

    async def _inner(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections["inner"] += 1
        writer.write(http("<h1>侨务</h1>" * 100))
        writer.close()

    async def _good(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with self._connection(writer):
            while asked := await self._request(reader, 0, 0):
                self._arrived(asked.url(asked.path))
                body = self.good.page(asked)
                status = "200 OK" if body else "404 Not Found"
                length = f"Content-Length: {len(body)}"
                writer.write(head(status, f"Content-Type: {HTML}", length) + body)
                await writer.drain()

    async def _hostile(
        self, behavior: Behavior, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.connections[behavior.name] += 1
        client = Client(reader, writer)
        async with self._connection(writer):
            before = 0
            while True:
                number = self.requests[behavior.name]
                asked: Asked | None = Asked("", "", self.port, number, before)
                if not behavior.at_once:
                    asked = await self._request(reader, number, before)
                if asked is None:
                    break
                if asked.path == "/robots.txt" and not behavior.robots:
                    await client.send(_NO_ROBOTS)
                    continue
                before += 1
                self.requests[behavior.name] += 1
                client.keep = False
                try:
                    await behavior.handle(asked, client)
                except OSError:
                    break  # the crawler has closed the connection
                except Exception as error:
                    self.failures.append(f"{behavior.name}: {error!r}")
                    raise
                if not client.keep:
                    break

    @contextlib.asynccontextmanager
    async def _connection(self, writer: asyncio.StreamWriter) -> AsyncIterator[None]:
        try:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
                yield
        finally:
            writer.close()

    async def _request(
        self, reader: asyncio.StreamReader, number: int, before: int
    ) -> Asked | None:
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        words = lines[0].split(" ")
        headers = dict(line.lower().partition(":")[::2] for line in lines[1:])
        if len(words) != 3:
            return None
        name = headers.get("host", "").strip().rpartition(":")[0]
        return Asked(name, words[1], self.port, number, before)
