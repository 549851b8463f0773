"""The true crawl: the unmodified ``scrapy crawl topic`` of a stored web, behind the replay proxy."""

from __future__ import annotations

import asyncio
import math
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from topiccrawl.evaluation.conditions import CONDITIONS
from topiccrawl.evaluation.experiment import Experiment, Fetch, Run
from topiccrawl.evaluation.replay.proxy import ReplayServer, Served
from topiccrawl.evaluation.topic_folder import write_topic_folder
from topiccrawl.store.factory import open_store
from topiccrawl.urls.canonical import canonical_url
from topiccrawl.webserver.environment import environment

if TYPE_CHECKING:
    from topiccrawl.evaluation.webs.web import Web, WebTopic

__all__ = ["CrawlFailed", "crawl"]

#: How often the progress is told, and a child that has ended is noticed.
_POLL_SECONDS = 0.1
#: A crawl that was asked to stop gets so long to do it; some need it for their last ranking.
_PATIENCE_SECONDS = 60.0
_LOG_LINES = 15


class CrawlFailed(RuntimeError):  # noqa: N818 - what happened
    """The crawler broke; the message ends with the last lines of its log."""


def crawl(
    web: Web,
    topic: WebTopic,
    experiment: Experiment,
    *,
    folder: Path,
    concurrency: int = 1,
    settings: Mapping[str, object] | None = None,
    latency_seconds: float = 0.0,
    tick: Callable[[int], object] = lambda fetched: None,
) -> Run:
    """Crawl *web* and return the pages with status 200 in the order of their requests.

    The crawler is told of the topic what the experiment says, and nothing else; its files are made
    in *folder*, which must be empty and stays as it is left.  *concurrency* requests at once (of one
    host, too), *settings* go to the crawler and win, *latency_seconds* is waited before each
    answer, *tick* hears of the pages fetched so far.

    Raises:
        CrawlFailed: the crawler ended with an error.
        ConfigurationError: the topic has not what the experiment asks for.
    """
    seeds = topic.seeds[experiment.seeds]
    described = write_topic_folder(folder, web, topic, seeds, experiment.define)
    store = f"sqlite:///{quote(str((folder / 'store.sqlite').resolve()))}"
    store = str((settings or {}).get("TOPICCRAWL_STORE_URI", store))
    log = folder / "crawl.log"
    own = {
        **CONDITIONS,
        "TOPICCRAWL_STRATEGY": experiment.strategy,
        "TOPICCRAWL_SEED": experiment.repeat,
        "TOPICCRAWL_STORE_URI": store,
        "TOPICCRAWL_STORE_SPOOL_DIR": folder / "spool",
        "TOPICCRAWL_PROGRESS_LIVE": "off",
        "CONCURRENT_REQUESTS": concurrency,
        "CONCURRENT_REQUESTS_PER_DOMAIN": concurrency,
        "LOG_LEVEL": "INFO",
        "LOG_FILE": log,
        **(settings or {}),
    }
    # The topic folder names the seeds, too; the argument is what a user would give.
    words = ["-a", f"topic={described.resolve()}", "-a", f"seeds={','.join(seeds)}"]
    for name, value in own.items():
        words += ["-s", f"{name}={value}"]
    started = time.perf_counter()
    with ReplayServer(
        web, max_pages=experiment.max_pages, latency_seconds=latency_seconds
    ) as proxy:
        served = proxy.proxy.served
        code = _run(words, proxy.url, log, proxy.proxy.over, lambda: tick(len(served)))
    seconds = time.perf_counter() - started
    if code != 0 or not served:
        why = f"the crawl ended with exit code {code}" if code else "the crawl fetched nothing"
        raise CrawlFailed(f"{web.name}, {experiment}: {why}\n{_tail(log)}")
    relevance, reason, errors = asyncio.run(_opinions(store, described.name))
    early = len(served) < experiment.max_pages
    if early and errors:
        why = f"the crawl ended early, with {errors} errors in its log"
        raise CrawlFailed(f"{web.name}, {experiment}: {why}\n{_errors(log)}")
    note = f"{errors} errors in the crawler's log" if errors else ""
    if early:
        note = "nothing left to fetch" if reason == "finished" else f"stopped: {reason}"
    fetches = tuple(_fetch(page, relevance) for page in served)
    return Run(experiment, "crawl", fetches, seconds, note)


def _fetch(page: Served, relevance: Mapping[str, float]) -> Fetch:
    return Fetch(page.url, page.size, relevance.get(canonical_url(page.requested), math.nan))


def _run(
    words: list[str], proxy: str, log: Path, over: threading.Event, tick: Callable[[], object]
) -> int:
    """Run the crawl until it ends by itself or *over* is set; return its exit code."""
    # The project's own settings, whatever the working folder is.
    variables = environment(proxy) | {"SCRAPY_SETTINGS_MODULE": "topiccrawl.settings"}
    command = [sys.executable, "-m", "scrapy", "crawl", "topic", *words]
    with (
        log.with_suffix(".err").open("wb") as errors,
        _termination_is_interruption(),
        _ended(subprocess.Popen(command, env=variables, stdout=errors, stderr=errors)) as child,
    ):
        while child.poll() is None and not over.wait(_POLL_SECONDS):
            tick()
        if child.poll() is None:
            child.send_signal(signal.SIGINT)
            child.wait(_PATIENCE_SECONDS)
    tick()
    return child.returncode


@contextmanager
def _ended(child: subprocess.Popen[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    """Whatever happens, the child does not outlive this."""
    try:
        yield child
    finally:
        if child.poll() is None:
            child.kill()
            child.wait()


@contextmanager
def _termination_is_interruption() -> Iterator[None]:
    """SIGTERM runs the ``finally`` of those who have started children, as Ctrl-C does."""
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


async def _opinions(uri: str, topic: str) -> tuple[dict[str, float], str, int]:
    """What the crawler thought of the pages, by URL, why its run ended, and errors it logged."""
    store = open_store(uri, read_only=True)
    await store.open()
    try:
        said = {
            outcome.url: outcome.relevance
            async for outcome in store.outcomes(topic)
            if outcome.relevance is not None
        }
        async for page in store.pages(topic):
            said[page.url] = page.relevance
        runs = await store.runs(topic)
    finally:
        await store.close()
    if not runs:
        return said, "unknown", 0
    return said, runs[-1].stop_reason, int(runs[-1].stats.get("log_count/ERROR", 0))


def _errors(log: Path) -> str:
    """The first error in the log, with its traceback."""
    text = log.read_text("utf-8", "replace")
    return "\n".join(text[text.find(" ERROR: ") :].splitlines()[: 2 * _LOG_LINES])


def _tail(log: Path) -> str:
    lines: list[str] = []
    for path in (log, log.with_suffix(".err")):
        if path.is_file():
            lines += path.read_text("utf-8", "replace").splitlines()[-_LOG_LINES:]
    return "\n".join(lines) or "(no log)"
