"""Run the unmodified ``scrapy crawl topic`` on a stored web behind the replay proxy."""

from __future__ import annotations

import asyncio
import math
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from topiccrawl.evaluation.conditions import CONDITIONS
from topiccrawl.evaluation.experiment import Checkpoint, Experiment, Fetch, Judgments, Run
from topiccrawl.evaluation.replay.proxy import ReplayServer, Served
from topiccrawl.evaluation.topic_folder import define_topic
from topiccrawl.store.factory import opened_store
from topiccrawl.urls.canonical import canonical_url
from topiccrawl.webserver.environment import environment

if TYPE_CHECKING:
    from topiccrawl.evaluation.webs.web import Web, WebTopic
    from topiccrawl.store.page_record import PageRecord
    from topiccrawl.store.records import OutcomeRecord

#: Interval of progress messages and of checks whether the child process has ended.
_POLL_SECONDS = 0.1
#: Time for a crawl to stop after SIGINT; the last ranking round may take a while (a guess).
_PATIENCE_SECONDS = 60.0
#: Lines of the log quoted in an error message.
_LOG_LINES = 15


class CrawlFailed(RuntimeError):  # noqa: N818 - what happened
    """The crawler failed; the message ends with the last lines of its log."""


def crawl(
    web: Web,
    topic: WebTopic,
    experiment: Experiment,
    *,
    folder: Path,
    concurrency: int = 1,
    settings: Mapping[str, object] | None = None,
    latency_seconds: float = 0.0,
    arguments: Sequence[str] = (),
    direct: str = "",
    tick: Callable[[int], object] = lambda fetched: None,
) -> Run:
    """Crawl *web* and return the pages with status 200 in the order of their requests.

    The crawler receives only the topic definition and the seeds named by the experiment; without a name,
    none.  Its files are created in *folder*, which must be empty and is not cleaned up.  *concurrency*
    applies to the whole crawl and to each host, *settings* override all others, *latency_seconds* delays
    each response, *arguments* are further spider arguments, hosts in *direct* (separated by commas) are
    asked without the proxy, and *tick* is called with the number of pages fetched so far.

    Raises:
        CrawlFailed: the crawler ended with an error.
        ConfigurationError: the topic lacks what the experiment requires.
    """
    seeds = topic.seeds[experiment.seeds] if experiment.seeds else ()
    defined = define_topic(folder, web, topic, seeds, experiment.define)
    log = folder / "crawl.log"
    own = _settings(experiment, folder, concurrency, log) | dict(settings or {})
    # The topic folder contains the seeds as well; the argument is what a user would pass.
    given = [f"topic={defined.argument}", f"seeds={','.join(seeds)}", *arguments]
    options = [part for argument in given for part in ("-a", argument)]
    for name, value in own.items():
        options += ["-s", f"{name}={value}"]
    started = time.perf_counter()
    with ReplayServer(
        web, max_pages=experiment.max_pages, latency_seconds=latency_seconds
    ) as proxy:
        served = proxy.proxy.served
        # The project's own settings, whatever the working folder is.
        variables = {"SCRAPY_SETTINGS_MODULE": "topiccrawl.settings", "no_proxy": direct}
        variables = environment(proxy.url) | variables
        code = _run(options, variables, log, proxy.proxy.over, lambda: tick(len(served)))
    seconds = time.perf_counter() - started
    if code != 0 or not served:
        why = f"the crawl ended with exit code {code}" if code else "the crawl fetched nothing"
        raise CrawlFailed(f"{web.name}, {experiment}: {why}\n{_tail(log)}")
    records = asyncio.run(_crawl_records(str(own["TOPICCRAWL_STORE_URI"]), defined.definition.name))
    reason, errors = records.stop_reason, records.errors
    early = len(served) < experiment.max_pages
    if early and errors:
        why = f"the crawl ended early, with {errors} errors in its log"
        raise CrawlFailed(f"{web.name}, {experiment}: {why}\n{_errors(log)}")
    note = f"{errors} errors in the crawler's log" if errors else ""
    if early:
        note = "nothing left to fetch" if reason == "finished" else f"stopped: {reason}"
    fetches, judgments = _what_was_fetched(served, records)
    checkpoint = Checkpoint(experiment.max_pages, judgments)
    return Run(experiment, "crawl", fetches, seconds, note, (checkpoint,))


def _settings(
    experiment: Experiment, folder: Path, concurrency: int, log: Path
) -> dict[str, object]:
    """Return the settings of the crawl before those of the user."""
    return {
        **CONDITIONS,
        "TOPICCRAWL_STRATEGY": experiment.strategy,
        "TOPICCRAWL_SEED": experiment.repeat,
        "TOPICCRAWL_STORE_URI": f"sqlite:///{quote(str((folder / 'store.sqlite').resolve()))}",
        "TOPICCRAWL_STORE_SPOOL_DIR": folder / "spool",
        "TOPICCRAWL_PROGRESS_LIVE": "off",
        "CONCURRENT_REQUESTS": concurrency,
        "CONCURRENT_REQUESTS_PER_DOMAIN": concurrency,
        "LOG_LEVEL": "INFO",
        "LOG_FILE": log,
    }


def _what_was_fetched(
    served: Sequence[Served], records: _Records
) -> tuple[tuple[Fetch, ...], Judgments]:
    """Return the pages in the order of their requests, and their last judgments."""
    urls = [canonical_url(page.requested) for page in served]
    fetches = tuple(
        Fetch(page.url, page.size, records.relevance.get(url, math.nan))
        for page, url in zip(served, urls, strict=True)
    )
    probability = tuple(records.probability.get(url, math.nan) for url in urls)
    return fetches, Judgments(probability, tuple(url in records.stored for url in urls))


@dataclass(frozen=True, slots=True)
class _Records:
    """What the store of a crawl contains."""

    relevance: Mapping[str, float]
    """By canonical URL, of stored and of dropped pages."""
    probability: Mapping[str, float]
    """By canonical URL, as the pages were last judged."""
    stored: frozenset[str]
    """Canonical URLs of the stored pages."""
    stop_reason: str
    errors: int
    """Errors in the log."""


def _run(
    options: Sequence[str],
    variables: Mapping[str, str],
    log: Path,
    over: threading.Event,
    tick: Callable[[], object],
) -> int:
    """Run the crawl until it ends by itself or *over* is set; return its exit code."""
    command = [sys.executable, "-m", "scrapy", "crawl", "topic", *options]
    with (
        log.with_suffix(".err").open("wb") as errors,
        _sigterm_raises(),
        _killed_at_exit(
            subprocess.Popen(command, env=variables, stdout=errors, stderr=errors)
        ) as child,
    ):
        while child.poll() is None and not over.wait(_POLL_SECONDS):
            tick()
        if child.poll() is None:
            child.send_signal(signal.SIGINT)
            child.wait(_PATIENCE_SECONDS)
    tick()
    return child.returncode


@contextmanager
def _killed_at_exit(child: subprocess.Popen[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    """Kill the child at the end if it is still running."""
    try:
        yield child
    finally:
        if child.poll() is None:
            child.kill()
            child.wait()


@contextmanager
def _sigterm_raises() -> Iterator[None]:
    """Raise ``SystemExit`` on SIGTERM, so that ``finally`` blocks run, as after Ctrl-C."""
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


async def _crawl_records(uri: str, topic: str) -> _Records:
    """Read the pages, outcomes and the last run of a crawl from its store."""
    async with opened_store(uri) as store:
        outcomes = [outcome async for outcome in store.outcomes(topic)]
        pages = [page async for page in store.pages(topic)]
        runs = await store.runs(topic)
    # A page that is stored has its own values; an outcome is only that of its first fetch.
    records: list[OutcomeRecord | PageRecord] = [*outcomes, *pages]
    relevance = {it.url: it.relevance for it in records if it.relevance is not None}
    probability = {it.url: it.probability for it in records if it.probability is not None}
    stored = frozenset(page.url for page in pages)
    if not runs:
        return _Records(relevance, probability, stored, "unknown", 0)
    errors = int(runs[-1].stats.get("log_count/ERROR", 0))
    return _Records(relevance, probability, stored, runs[-1].stop_reason, errors)


def _errors(log: Path) -> str:
    """Return the first error in the log with its traceback."""
    text = log.read_text("utf-8", "replace")
    return "\n".join(text[text.find(" ERROR: ") :].splitlines()[: 2 * _LOG_LINES])


def _tail(log: Path) -> str:
    lines: list[str] = []
    for path in (log, log.with_suffix(".err")):
        if path.is_file():
            lines += path.read_text("utf-8", "replace").splitlines()[-_LOG_LINES:]
    return "\n".join(lines) or "(no log)"
