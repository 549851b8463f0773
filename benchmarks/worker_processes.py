"""Crawls in processes of their own, and what they have stored."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from topiccrawl.store.contract import PageRecord
from topiccrawl.store.factory import open_store


class Process(Protocol):
    """A worker process, such as a ``Popen``."""

    def poll(self) -> int | None:
        """Return the exit code, ``None`` while it runs."""

    def kill(self) -> None:
        """End it by SIGKILL."""

    def wait(self) -> int:
        """Wait for its end and return the exit code."""


#: Starts ``scrapy`` with these words and environment, its output appended to the file.
Starter = Callable[[Sequence[str], Mapping[str, str], Path], Process]


def start_process(words: Sequence[str], env: Mapping[str, str], log: Path) -> Process:
    """Start a worker in a separate interpreter."""
    with log.open("ab") as file:
        return subprocess.Popen(
            [sys.executable, "-m", "scrapy", *words], env=dict(env), stdout=file, stderr=file
        )


def crawl_words(
    topic: str, seeds: Sequence[str], settings: Mapping[str, object], more: Sequence[str] = ()
) -> list[str]:
    """Return the words after ``scrapy`` of one worker; *more* are ``NAME=VALUE`` that override others."""
    words = ["crawl", "topic", "-a", f"topic={topic}"]
    words += ["-a", f"seeds={','.join(seeds)}"]
    for setting in (*(f"{k}={v}" for k, v in settings.items()), *more):
        words += ["-s", setting]
    return words


def stored_pages(store_uri: str, topic: str) -> dict[str, PageRecord]:
    """Return the pages of *topic* in a store by URL, copies too."""

    async def read() -> dict[str, PageRecord]:
        store = open_store(store_uri, read_only=True)
        await store.open()
        try:
            return {page.url: page async for page in store.pages(topic, copies=True)}
        finally:
            await store.close()

    return asyncio.run(read())
