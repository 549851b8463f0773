"""Proxies on loopback that answer for a web until they begin to misbehave."""

from __future__ import annotations

import asyncio
import base64
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack

from topiccrawl.webserver.answers import Answer, AnsweringWeb
from topiccrawl.webserver.proxy import WebProxy
from topiccrawl.webserver.threaded import ThreadedServer

#: What a proxy can do instead of its work.
FAULTS = ("refuse", "hang", "reset", "502", "407", "truncate", "ad", "portal")

_AD = (
    "<html><head><title>免费加速</title></head><body><h1>特价加速套餐</h1><p>您访问的 {url} 需要加速。"
    '<a href="http://ads.example/buy?n={n}">立即购买</a></p></body></html>'
)


class DyingProxy(WebProxy["AnsweringWeb"]):
    """A forward proxy with a switch."""

    def __init__(self, web: AnsweringWeb, latency_seconds: float, basic: str = "") -> None:
        super().__init__(web, latency_seconds=latency_seconds)
        self._basic = basic
        self.fault = ""
        self.genuine: dict[str, float] = {}
        """When each URL was last answered as its site answers it."""
        self.asked = 0

    def respond(self, method: str, url: str) -> Answer | None:
        """Return the web's answer, or the fault's."""
        if self.fault in ("502", "407"):
            return Answer(int(self.fault), "text/html", b"<html>proxy error</html>")
        if self.fault == "ad":
            page = _AD.format(url=url, n=self.asked)
            return Answer(200, "text/html; charset=utf-8", page.encode())
        if self.fault == "portal":
            return Answer(302, location=f"http://portal.example/login?from={self.asked}")
        answer = super().respond(method, url)
        self.genuine[url] = time.monotonic()
        return answer

    async def _exchange(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, origin: str
    ) -> str | None:
        if self._basic:
            return await self._authorized(reader, writer)
        if self.fault in ("", "502", "407", "ad", "portal"):
            answered = await super()._exchange(reader, writer, origin)
            self.asked += 1
            return answered
        await reader.readuntil(b"\r\n\r\n")
        self.asked += 1
        if self.fault == "hang":
            await asyncio.sleep(3600)
        elif self.fault == "truncate":
            writer.write(
                b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9000\r\n\r\n"
            )
            writer.write(b"<html>")
            await writer.drain()
        elif writer.transport is not None:
            writer.transport.abort()
        return None

    async def _authorized(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> str | None:
        """Answer one request, 407 without the right credentials."""
        head = await reader.readuntil(b"\r\n\r\n")
        url = head.split(b" ")[1].decode("latin-1")
        right = f"Basic {self._basic}".encode() in head
        answer = super().respond("GET", url) if right else Answer(407)
        self.asked += 1
        answer = answer or Answer(502)
        lines = f"HTTP/1.1 {answer.status} X\r\nContent-Length: {len(answer.body)}\r\n"
        lines += f"Connection: close\r\nContent-Type: {answer.content_type}\r\n"
        lines += f"Location: {answer.location}\r\n\r\n" if answer.location else "\r\n"
        writer.write(lines.encode() + answer.body)
        await writer.drain()
        return None

    async def revive(self) -> None:
        """Work again."""
        if self.fault == "refuse":
            self._server = await asyncio.start_server(
                self._client, "127.0.0.1", int(self._address.rpartition(":")[2])
            )
        self.fault = ""

    def die(self, fault: str) -> None:
        """Misbehave from now on."""
        self.fault = fault
        if fault in ("refuse", "reset"):
            for task in self._clients:
                task.cancel()
        if fault == "refuse" and self._server is not None:
            self._server.close()

    def url_now(self) -> str:
        """Return the address, also of a proxy that refuses."""
        return self._address

    async def __aenter__(self) -> DyingProxy:
        await super().__aenter__()
        self._address = self.url
        return self


class ProxyFarm(ThreadedServer):
    """Proxies for one crawl, in a thread; they begin to die after a number of answers."""

    def __init__(
        self,
        web: AnsweringWeb,
        count: int,
        *,
        faults: Sequence[str] = (),
        after: int = 0,
        latency_seconds: float = 0.0,
        credentials: str = "",
        back_after_seconds: float | None = None,
    ) -> None:
        """*credentials*: ``user:password`` that the proxies ask for.

        With *back_after_seconds*, they recover.
        """
        super().__init__("proxy-farm")
        self.web = web
        self.basic = base64.b64encode(credentials.encode()).decode()
        self.proxies = [DyingProxy(web, latency_seconds, self.basic) for _ in range(count)]
        self.asked_before = 0
        """Requests to all proxies when some died."""
        self._credentials = credentials
        self._back = back_after_seconds
        self.died_at: float | None = None
        self._faults = tuple(faults)
        self._after = after

    @property
    def urls(self) -> list[str]:
        """Addresses of the proxies."""
        return [proxy.url_now() for proxy in self.proxies]

    @property
    def urls_with_credentials(self) -> list[str]:
        """Addresses of the proxies with user name and password."""
        return [url.replace("://", f"://{self._credentials}@") for url in self.urls]

    @property
    def genuine(self) -> dict[str, float]:
        """When each URL was last answered as its site answers it."""
        found: dict[str, float] = {}
        for proxy in self.proxies:
            for url, at in proxy.genuine.copy().items():
                found[url] = max(at, found.get(url, 0.0))
        return found

    async def _serve(self) -> None:
        async with AsyncExitStack() as stack:
            for proxy in self.proxies:
                await stack.enter_async_context(proxy)
            watching = asyncio.ensure_future(self._watch())
            await self._until_stopped()
            watching.cancel()

    async def _watch(self) -> None:
        while sum(proxy.asked for proxy in self.proxies) < self._after:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        self.died_at = time.monotonic()
        self.asked_before = sum(proxy.asked for proxy in self.proxies)
        # The busiest die: an idle proxy that dies shows nothing.
        busiest = sorted(self.proxies, key=lambda proxy: -proxy.asked)
        for proxy, fault in zip(busiest, self._faults, strict=False):
            proxy.die(fault)
        if self._back is not None:
            await asyncio.sleep(self._back)
            for proxy in self.proxies:
                await proxy.revive()
