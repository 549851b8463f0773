"""A real console on a free port of loopback, over a store, in a thread of its own."""

from __future__ import annotations

import asyncio
import gzip
import http.client
import re
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from tests.support.stored import in_store
from topiccrawl.console.config import ConsoleConfig
from topiccrawl.console.server import bound_socket, serve
from topiccrawl.store.contract import Store


@dataclass(frozen=True)
class Answer:
    """What the console answered."""

    status: int
    headers: Mapping[str, str]
    """By lower-case name."""
    body: bytes
    """As it was sent."""

    @property
    def text(self) -> str:
        """The body, unpacked."""
        packed = self.headers.get("content-encoding") == "gzip"
        return (gzip.decompress(self.body) if packed else self.body).decode("utf-8")


@dataclass(frozen=True)
class RunningConsole:
    """A console that answers at ``url``."""

    url: str
    port: int

    def get(self, path: str, **headers: str) -> Answer:
        """GET a path; header names with underscores: ``accept_language="zh"``."""
        return self._ask("GET", path, None, headers)

    def post(self, path: str, fields: Mapping[str, str], **headers: str) -> Answer:
        """POST a form as it is."""
        body = urlencode(fields).encode()
        headers = {"content_type": "application/x-www-form-urlencoded", **headers}
        return self._ask("POST", path, body, headers)

    def submit(self, page: str, path: str, fields: Mapping[str, str]) -> Answer:
        """POST a form as a browser does that shows *page*: with the page's CSRF token."""
        token = re.search(r'name="csrf" value="([^"]+)"', self.get(page).text)
        assert token is not None, f"{page} has no form"
        return self.post(path, {"csrf": token[1], **fields}, origin=self.url)

    def _ask(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
    ) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, quote(path, safe="/?=&%+#:~"), body, named)
            answer = connection.getresponse()
            found = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(answer.status, found, answer.read())
        finally:
            connection.close()


@contextmanager
def console(uri: str, *, write: bool = False, **options: Any) -> Iterator[RunningConsole]:
    """Serve a console of the store at *uri*; *options* are fields of :class:`ConsoleConfig`."""
    config = ConsoleConfig(store_uri=uri, is_writable=write, **options)
    listening = bound_socket("127.0.0.1", 0)
    config = replace(config, port=listening.getsockname()[1])
    started, failures = threading.Event(), []
    stop: list[Callable[[], None]] = []

    async def run() -> None:
        task = asyncio.current_task()
        loop = asyncio.get_running_loop()
        assert task is not None
        ended = asyncio.Event()
        stop.append(lambda: loop.call_soon_threadsafe(ended.set))
        await serve(config, listening, started.set, until=ended)

    def thread() -> None:
        try:
            asyncio.run(run())
        except BaseException as error:
            failures.append(error)
        finally:
            started.set()

    runner = threading.Thread(target=thread, name="console")
    runner.start()
    try:
        assert started.wait(30)
        if failures:
            raise failures[0]
        yield RunningConsole(f"http://127.0.0.1:{config.port}", config.port)
    finally:
        for end in stop:
            end()
        runner.join(30)
        listening.close()


def fill(path: Path, work: Callable[[Store], Awaitable[object]]) -> str:
    """Make a SQLite store at *path*, let *work* write to it, and return its address."""
    uri = f"sqlite:///{path}"
    fill_store(uri, work)
    return uri


def fill_store(uri: str, work: Callable[[Store], Awaitable[object]]) -> None:
    """Let *work* write to the store at *uri*, which is made."""

    # In a thread of its own: Playwright's loop runs in that of the tests.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(in_store, uri, work).result()
