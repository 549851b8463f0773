"""The crawl that ``scrapy demo`` runs on the demonstration web, and its store."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from topiccrawl.demo.findings import Findings, measure
from topiccrawl.store.factory import opened_store

if TYPE_CHECKING:
    from topiccrawl.demo.web import DemoWeb
    from topiccrawl.webserver.server import WebServer

#: Topic of the crawl.
TOPIC = "侨情"

#: Files that a crawl writes to its folder.
_FILES = ("demo.sqlite", "demo.sqlite-wal", "demo.sqlite-shm", "crawl.log", "report.html")

#: No politeness is needed on loopback.  The web has few hosts: with one slot per host, all hosts
#: would always be busy and the order of links would have no effect.  Hence four concurrent requests
#: for any host.  Pages that fail once are retried while the crawl still runs, without back-off.
_SETTINGS = {
    "CONCURRENT_REQUESTS": "4",
    "CONCURRENT_REQUESTS_PER_DOMAIN": "4",
    "DOWNLOAD_DELAY": "0",
    "AUTOTHROTTLE_ENABLED": "0",
    "TOPICCRAWL_RETRY_DELAY_SECONDS": "1",
    "TOPICCRAWL_BACKOFF_SECONDS": "0",
    "LOG_LEVEL": "INFO",
}


def clear(out: Path) -> None:
    """Remove the files of an earlier crawl from *out*."""
    for name in _FILES:
        (out / name).unlink(missing_ok=True)
    for path in out.glob("*.frontier*"):
        path.unlink()
    shutil.rmtree(out / "crawls", ignore_errors=True)


def store_uri(out: Path) -> str:
    """Return the URI of the SQLite store in *out*."""
    return f"sqlite:///{quote(str(out.resolve() / 'demo.sqlite'))}"


def crawl_command(
    seeds: Sequence[str], out: Path, pages: int, more: Sequence[str] = ()
) -> list[str]:
    """Return the command line of the crawl, without the interpreter.

    *more* are ``NAME=VALUE`` settings of the user, which override all others.
    """
    settings = _SETTINGS | {
        "TOPICCRAWL_STORE_URI": store_uri(out),
        "TOPICCRAWL_STORE_SPOOL_DIR": str(out / "spool"),
        "TOPICCRAWL_MAX_PAGES": str(pages),
        "LOG_FILE": str(out / "crawl.log"),
    }
    words = ["scrapy", "crawl", "topic", "-a", f"topic={TOPIC}", "-a", f"seeds={','.join(seeds)}"]
    for setting in (*(f"{name}={value}" for name, value in settings.items()), *more):
        words += ["-s", setting]
    return words


async def measure_store(server: WebServer[DemoWeb], out: Path) -> Findings:
    """Return the figures of the crawl whose store is in *out*."""
    async with opened_store(store_uri(out)) as store:
        return await measure(store, TOPIC, server.web, server.requests)
