"""Crawl an error web completely and account for every address."""

from __future__ import annotations

import asyncio
import os
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.errors.server import ErrorServer, free_port
from benchmarks.errors.web import ErrorWeb
from benchmarks.worker_processes import Starter, crawl_words, start_process
from topiccrawl.store.factory import open_store
from topiccrawl.urls.canonical import canonical_url

TOPIC = "侨情"


@dataclass(slots=True)
class Plan:
    """The web, and how long it may take."""

    pages: int = 20_000
    hosts: int = 200
    share: float = 0.05
    """Share of the pages that fail."""
    seed: int = 1
    seconds: float = 3_000.0
    timeout: float = 4.0
    """DOWNLOAD_TIMEOUT."""
    settings: Sequence[str] = ()


@dataclass(slots=True)
class Outcome:
    """Where the addresses ended."""

    pages: int
    known: int
    """Addresses on pages that were stored, and the seed."""
    stored: int
    ended: dict[str, int] = field(default_factory=dict)
    """Addresses that are not stored, by verdict and reason."""
    by_kind: dict[str, dict[str, int]] = field(default_factory=dict)
    """Failing pages by the kind of failure and where they ended."""
    lost: list[str] = field(default_factory=list)
    """Known addresses without any outcome."""
    good_not_stored: list[str] = field(default_factory=list)
    """Known pages that never failed and are not stored."""
    transient_not_stored: list[str] = field(default_factory=list)
    """Known pages that failed for a while and are not stored."""
    exit_code: int | None = None
    tracebacks: int = 0
    seconds: float = 0.0


def run(plan: Plan, folder: Path, start: Starter = start_process) -> Outcome:
    """Run *plan* in *folder*, where store, queue and log are left."""
    port, tls_port = free_port(), free_port()
    web = ErrorWeb(
        plan.pages, plan.hosts, share=plan.share, seed=plan.seed, port=port, tls_port=tls_port
    )
    uri = f"sqlite:///{folder.resolve() / 'pages.sqlite'}"
    settings = {
        "TOPICCRAWL_STORE_URI": uri,
        "TOPICCRAWL_STORE_SPOOL_DIR": folder / "spool",
        "TOPICCRAWL_STORE_QUEUED_LINKS": plan.pages,
        "TOPICCRAWL_FRONTIER_DIR": folder,
        "TOPICCRAWL_PRIVATE_ADDRESSES_ALLOWED": "127.68.0.0/16",
        "TOPICCRAWL_REQUESTS_PER_ADDRESS": 0,
        "TOPICCRAWL_RETRY_DELAY_SECONDS": 1,
        "TOPICCRAWL_BACKOFF_SECONDS": 0.2,
        "TOPICCRAWL_RETRY_AFTER_MAX_SECONDS": 5,
        "TOPICCRAWL_OFFLINE_SECONDS": 60,
        # Where addresses end is measured; every page is on topic.
        "TOPICCRAWL_PAGE_CLASSIFIER": 0,
        "TOPICCRAWL_PROGRESS_LIVE": "off",
        "CONCURRENT_REQUESTS": 32,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 4,
        "DOWNLOAD_DELAY": 0,
        "DOWNLOAD_TIMEOUT": plan.timeout,
        "AUTOTHROTTLE_ENABLED": 0,
        "LOG_LEVEL": "INFO",
    }
    words = crawl_words(TOPIC, web.seeds, settings, plan.settings)
    # No proxy: the crawl itself opens each connection.
    env = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    log = folder / "crawl.log"
    begun = time.monotonic()
    with ErrorServer(web, port, tls_port):
        process = start(words, env, log)
        while process.poll() is None and time.monotonic() - begun < plan.seconds:
            time.sleep(0.2)
        code = process.poll()
        if code is None:
            process.kill()
            process.wait()
    outcome = account(web, uri)
    outcome.exit_code, outcome.seconds = code, time.monotonic() - begun
    outcome.tracebacks = log.read_text("utf-8", "replace").count("Traceback (most recent")
    return outcome


def account(web: ErrorWeb, uri: str) -> Outcome:
    """Return where the addresses of *web* ended by the store at *uri*."""
    stored, verdicts = asyncio.run(_read(uri))
    names = {canonical_url(url): url for url in web.urls}
    pages = {names[url] for url in stored if url in names}
    ended = {names[url]: verdict for url, verdict in verdicts.items() if url in names}
    known = web.reachable(pages)
    outcome = Outcome(len(web.urls), len(known), len(pages))
    outcome.ended = dict(Counter(ended.get(url, "lost") for url in sorted(known - pages)))
    for number, url in enumerate(web.urls):
        if url not in known:
            continue
        kind = web.kind.get(number, "")
        if url not in pages and url not in ended:
            outcome.lost.append(url)
        if kind:
            how = f"{kind}, always" if number in web.always else kind
            where = "stored" if url in pages else ended.get(url, "lost")
            places = outcome.by_kind.setdefault(how, {})
            places[where] = places.get(where, 0) + 1
        if url not in pages and not kind:
            outcome.good_not_stored.append(url)
        elif url not in pages and number not in web.always:
            outcome.transient_not_stored.append(url)
    return outcome


async def _read(uri: str) -> tuple[set[str], dict[str, str]]:
    """Return the URLs of the stored pages, and the last verdict and reason of each URL."""
    store = open_store(uri, read_only=True)
    await store.open()
    try:
        stored = {page.url async for page in store.pages(TOPIC, copies=True)}
        verdicts = {it.url: f"{it.verdict} {it.reason}" async for it in store.outcomes(TOPIC)}
        return stored, verdicts
    finally:
        await store.close()
