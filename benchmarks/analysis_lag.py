"""Longest stop of a crawl's event loop by hostile pages of 8 MB, in-process beside worker processes.

    python -m benchmarks.analysis_lag [--processes 0 1] [--rounds 3] [--only links,table]

Each page is crawled by itself, beside 20 ordinary ones, from a server on loopback.  From the start of the
engine to the end of the spider, of each crawl the longest
time between two ticks of the loop is given, in CPU seconds of its thread (what the loop did) and, in brackets,
by the clock (which also counts what the machine did meanwhile); and, with ``--stacks``, where the loop was then.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

from rich.console import Console
from scrapy import signals
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.utils.project import get_project_settings

from benchmarks.loop_lag import TICK_SECONDS, LoopLag

#: Bytes of a page.
SIZE: Final = 8_000_000
#: Ordinary pages beside each hostile one.
ORDINARY: Final = 20
_TEXT: Final = "侨批档案馆昨日开放，归侨带着孙辈前来参观。"


def _html(
    unit: Callable[[int], str], *, number: int = 0, size: int = SIZE, around: str = "{}"
) -> bytes:
    """Return a page of *number* units, or of *size* bytes."""
    parts, length, count = [], 0, 0
    while count < number if number else length < size:
        parts.append(unit(count))
        length += len(parts[-1].encode())
        count += 1
    body = around.replace("{}", "".join(parts))
    head = "<meta charset=utf-8><title>侨批档案馆昨日开放</title>"
    return f"<html><head>{head}</head><body><h1>侨批档案馆昨日开放</h1>{body}<p>{_TEXT * 9}</p></body></html>".encode()


PAGES: Final[dict[str, Callable[[], bytes]]] = {
    "lines": lambda: _html(lambda i: _TEXT, around="<p>{}</p>"),
    "boxes": lambda: _html(lambda i: "<div>侨", number=100_000),
    "table": lambda: _html(
        lambda i: f"<tr><td>{i}</td><td>{_TEXT}</td></tr>", around="<table>{}</table>"
    ),
    "links": lambda: _html(
        lambda i: f'<p><a href="/a/{i}.html">{_TEXT[i % 9 :]}{i}</a>', number=30_000
    ),
    "hosts": lambda: _html(
        lambda i: f'<a href="http://h{i}.example/{i}?id={i}">侨{i}</a> ', number=30_000
    ),
    "scripts": lambda: _html(lambda i: f"<script>var a{i} = '<div>{i}</div>';</script>"),
    "paragraphs": lambda: _html(lambda i: f"<p>{i}{_TEXT}</p>"),
}


def serve(page: bytes) -> ThreadingHTTPServer:
    """Serve *page* at ``/hostile`` and ordinary ones beside it."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path == "/hostile":
                status, body = 200, page
            elif self.path.startswith("/good/"):
                status, body = 200, _html(lambda i: f"<p>{self.path}{i}{_TEXT}</p>", number=12)
            else:
                status, body = 404, b""
            self.send_response(status)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    return server


class Clock(LoopLag):
    """Also measures the time between two ticks by the clock."""

    wall = 0.0

    def _tick(self) -> None:
        now = time.monotonic()
        self.wall = max(self.wall, now - self._ticked - TICK_SECONDS)
        super()._tick()


def child(base: str, processes: int, folder: Path) -> None:
    """Crawl in this process and print the figures as JSON."""
    settings = get_project_settings()
    settings.setdict(
        {
            "CONCURRENT_REQUESTS": 8,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
            "DOWNLOAD_DELAY": 0,
            "DOWNLOAD_MAXSIZE": 2 * SIZE,
            "AUTOTHROTTLE_ENABLED": False,
            "ROBOTSTXT_OBEY": False,
            "CLOSESPIDER_PAGECOUNT": ORDINARY + 1,
            "LOG_LEVEL": "ERROR",
            "TELNETCONSOLE_ENABLED": False,
            "TOPICCRAWL_STORE_URI": f"sqlite:///{folder}/bench.sqlite",
            "TOPICCRAWL_STORE_SPOOL_DIR": f"{folder}/spool",
            "TOPICCRAWL_PROGRESS_LIVE": "off",
            "TOPICCRAWL_ANALYSIS_PROCESSES": processes,
            "TOPICCRAWL_PRIVATE_ADDRESSES_ALLOWED": "127.0.0.0/8",
            "TOPICCRAWL_PAGE_CPU_SECONDS": 20,
        },
        "cmdline",
    )
    process = AsyncCrawlerProcess(settings)
    crawler = process.create_crawler("topic")
    lag = Clock(0.03)
    crawler.signals.connect(lag.start, signals.engine_started, weak=False)
    crawler.signals.connect(lag.stop, signals.spider_closed, weak=False)
    seeds = [f"{base}/hostile", *(f"{base}/good/{i}" for i in range(ORDINARY))]
    process.crawl(crawler, topic="侨情", seeds=",".join(seeds), fresh="1")
    process.start()
    stacks = [(it.seconds, it.stack) for it in lag.stalls]
    stats = crawler.stats.get_stats()
    json.dump(
        {
            "cpu": lag.worst,
            "wall": lag.wall,
            "stacks": stacks,
            "analyzed": stats.get("topiccrawl/pages/analyzed", 0),
            "links": stats.get("topiccrawl/links/scored", 0),
        },
        sys.stdout,
    )


def main() -> None:
    """Crawl each page with each number of processes and print the longest stops."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--processes", type=int, nargs="+", default=[0, 1])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default=",".join(PAGES))
    parser.add_argument("--stacks", action="store_true")
    parser.add_argument("--child", default="")
    parser.add_argument("--folder", type=Path, default=Path())
    options = parser.parse_args()
    if options.child:
        child(options.child, options.processes[0], options.folder)
        return
    console = Console(width=200)
    for name in options.only.split(","):
        server = serve(PAGES[name]())
        base = f"http://127.0.0.1:{server.server_port}"
        for processes in options.processes:
            found = []
            for __ in range(options.rounds):
                with tempfile.TemporaryDirectory() as folder:
                    command = [sys.executable, "-m", "benchmarks.analysis_lag", "--child", base]
                    command += ["--processes", str(processes), "--folder", folder]
                    done = subprocess.run(
                        command, check=True, stdout=subprocess.PIPE, text=True, env=dict(os.environ)
                    )
                    found.append(json.loads(done.stdout.splitlines()[-1]))
            cpu = [1e3 * it["cpu"] for it in found]
            wall = [1e3 * it["wall"] for it in found]
            console.print(
                f"{name:11} {processes} processes: {statistics.median(cpu):6.0f} ms CPU"
                f" ({min(cpu):.0f}–{max(cpu):.0f}), by the clock {statistics.median(wall):6.0f} ms;"
                f" {found[0]['analyzed']} pages, {found[0]['links']} links"
            )
            if options.stacks:
                for seconds, stack in found[0]["stacks"]:
                    console.print(f"--- {1e3 * seconds:.0f} ms", "".join(stack[-5:]), markup=False)
        server.shutdown()


if __name__ == "__main__":
    main()
