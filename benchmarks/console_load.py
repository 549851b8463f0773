"""How much slower a crawl is while a console is open and refreshes its pages.

    python -m benchmarks.console_load --pairs 8 --pages 400

Pairs of crawls of the demonstration web, without delays: one alone, one with a console in a process of its
own, whose page of the crawl and whose list of crawls are asked for every four seconds, as an open browser
does.  The order alternates.  Printed are pages per second and CPU seconds per page of the crawl's process,
and the quotient of each pair: the median, and an interval of 95 % by the sign test's order statistics.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from topiccrawl.crawl.runs.folder import find_runs
from topiccrawl.demo.crawl import TOPIC, crawl_command, store_uri
from topiccrawl.demo.web import DemoWeb
from topiccrawl.store.factory import open_store
from topiccrawl.webserver.environment import environment
from topiccrawl.webserver.server import WebServer

#: Seconds between two refreshes of an open page, as in the templates of the console.
REFRESH_SECONDS = 4.0
#: Pages after which the speed is measured: imports and tables are over.
WARM_PAGES = 40


@dataclass(frozen=True)
class Measured:
    """One crawl."""

    speed: float
    """Pages per second after the first pages."""
    cpu: float
    """CPU seconds per page of the crawl's process, start included."""
    requests: int
    """Answers of the console meanwhile."""


def crawl(server: WebServer[DemoWeb], pages: int, *, with_console: bool) -> Measured:
    """Run one crawl and measure it."""
    with tempfile.TemporaryDirectory() as name:
        out = Path(name)
        more = ("TOPICCRAWL_CONTROL_SECONDS=2", "LOG_FILE=")
        words = crawl_command(server.web.seeds, out, pages, more)
        asyncio.run(make_store(out))
        with console(out, enabled=with_console) as answers:
            process = subprocess.Popen(
                [sys.executable, "-m", *words],
                env=environment(server.url),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            _pid, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        (run,) = find_runs(out / "crawls")
        state = run.state
        first = next(it for it in state.curve if it[0] >= WARM_PAGES)
        last = state.curve[-1]
        speed = (last[0] - first[0]) / (last[2] - first[2])
        return Measured(speed, (usage.ru_utime + usage.ru_stime) / state.pages, len(answers))


async def make_store(out: Path) -> None:
    """Make the empty store that a console can open before the crawl."""
    store = open_store(store_uri(out))
    await store.open()
    await store.close()


@contextmanager
def console(out: Path, *, enabled: bool) -> Iterator[list[int]]:
    """Run a console over the store in *out*, with a browser that refreshes; yield its answers.

    It answers already when the crawl begins: its start is no part of an open console.
    """
    answers: list[int] = []
    if not enabled:
        yield answers
        return
    port = _free_port()
    ended = threading.Event()
    words = ["console", "--port", str(port), "--store", store_uri(out), "--write"]
    process = subprocess.Popen(
        [sys.executable, "-m", "scrapy", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    while not _get(port, "/crawls"):
        time.sleep(0.05)

    def look() -> None:
        while not ended.wait(REFRESH_SECONDS / 4):
            runs = find_runs(out / "crawls")
            paths = ["/crawls/live", f"/t/{quote(TOPIC)}/crawls"]
            paths += [f"/crawls/{run.state.run}/live" for run in runs]
            for path in paths:
                status = _get(port, path)
                if status:
                    answers.append(status)
            if ended.wait(REFRESH_SECONDS * 3 / 4):
                return

    browser = threading.Thread(target=look)
    browser.start()
    try:
        yield answers
    finally:
        ended.set()
        browser.join()
        process.terminate()
        process.wait()


def _get(port: int, path: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        return answer.status
    except OSError:
        return 0
    finally:
        connection.close()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def interval(values: list[float]) -> tuple[float, float]:
    """Return an interval of at least 95 % for the median, by order statistics."""
    ordered = sorted(values)
    n = len(ordered)
    k, below, total = 0, 0.0, 0.5**n
    while below + total <= 0.025 and k < n // 2:
        below += total
        total *= (n - k) / (k + 1)
        k += 1
    return ordered[max(k - 1, 0)], ordered[n - max(k, 1)]


def main() -> None:
    """Measure the pairs and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--pairs", type=int, default=8)
    parser.add_argument("--pages", type=int, default=400)
    parser.add_argument("--size", type=int, default=3_000)
    options = parser.parse_args()
    speeds: list[float] = []
    costs: list[float] = []
    with WebServer(DemoWeb(7, options.size)) as server:
        for pair in range(options.pairs):
            found = {}
            for with_console in (True, False) if pair % 2 else (False, True):
                found[with_console] = crawl(server, options.pages, with_console=with_console)
            alone, watched = found[False], found[True]
            speeds.append(watched.speed / alone.speed)
            costs.append(watched.cpu / alone.cpu)
            print(
                f"pair {pair + 1}: alone {alone.speed:.1f} pages/s {alone.cpu * 1000:.1f} ms/page, with "
                f"console {watched.speed:.1f} pages/s {watched.cpu * 1000:.1f} ms/page "
                f"({watched.requests} answers), quotients {speeds[-1]:.3f} {costs[-1]:.3f}",
                flush=True,
            )
    for name, values in (("pages/s", speeds), ("CPU seconds/page", costs)):
        low, high = interval(values)
        print(f"{name}: median {statistics.median(values):.3f}, 95 % {low:.3f} … {high:.3f}")


if __name__ == "__main__":
    main()
