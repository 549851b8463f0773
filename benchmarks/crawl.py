"""Pages per second of a whole crawl, compared with a bare Scrapy spider that only follows links.

    python -m benchmarks.crawl [--pages 600] [--rounds 5] [--concurrency 16] [--profile OUT]
    python -m benchmarks.crawl --kinds topic off --concurrency 1 --slices  # the cost of finding copies
    python -m benchmarks.crawl --kinds topic workers  # analysis in the crawl's own process beside one more
    python -m benchmarks.crawl --web WEB --topic basic  # a stored web, an argument of ``scrapy evaluate``

Both crawl the generated demonstration web, or a stored one, served by one process on loopback, in alternating
runs.
The bare spider yields a request for every link (``LinkExtractor``) and nothing else: no scores, no
items, no store; the lean one reads hrefs with a CSS selector and yields each URL once per page.  ``off``
is our own crawl that does not look for copies, ``workers`` our own with one process that analyzes pages.  The
figures are ratios of our pages/s to theirs, by wall time and by CPU time of the crawling process and its worker
processes, with median, minimum and maximum over the rounds.

With several requests at once, two crawls fetch other pages, of which other shares are kept; with
``--concurrency 1``, ``topic`` and ``off`` fetch nearly the same.  With ``--slices``, the crawls of a round take turns
every tenth of a second, so that what else the machine does slows all of them alike; only their CPU times count then.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from rich.console import Console
from rich.progress import track
from scrapy import Spider, signals
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.linkextractors import LinkExtractor
from scrapy.settings import Settings
from scrapy.utils.project import get_project_settings

from topiccrawl.demo.web import DemoWeb
from topiccrawl.evaluation.conditions import CONDITIONS
from topiccrawl.evaluation.replay.proxy import ReplayServer
from topiccrawl.evaluation.webs.open import open_web
from topiccrawl.webserver.server import ProxyServer, WebServer

#: Seconds after which ``--slices`` lets the next crawl go on.
_SLICE_SECONDS = 0.1

#: Spiders that are compared.
KINDS = ("bare", "lean", "topic", "off", "workers")


def child(
    kind: str,
    topic: str,
    seeds: list[str],
    pages: int,
    concurrency: int,
    folder: Path,
    *,
    keep_all: bool,
) -> None:
    """Run one crawl in this process and print its figures as JSON on stdout."""

    class BareSpider(Spider):
        name = "bare"
        start_urls = seeds
        extractor = LinkExtractor()

        def parse(self, response):  # type: ignore[no-untyped-def]
            if "html" not in response.headers.get("Content-Type", b"").decode():
                return
            if kind == "bare":
                for link in self.extractor.extract_links(response):
                    yield response.follow(link)
                return
            for href in dict.fromkeys(response.css("a::attr(href)").getall()):
                if not href.startswith(("javascript:", "mailto:", "#")):
                    yield response.follow(href)

    common = {
        "CONCURRENT_REQUESTS": concurrency,
        "CONCURRENT_REQUESTS_PER_DOMAIN": concurrency,
        "DOWNLOAD_DELAY": 0,
        "AUTOTHROTTLE_ENABLED": False,
        "ROBOTSTXT_OBEY": True,
        "CLOSESPIDER_PAGECOUNT": pages,
        "DOWNLOAD_MAXSIZE": 1 << 20,
        "LOG_LEVEL": "ERROR",
        "TELNETCONSOLE_ENABLED": False,
        "COOKIES_ENABLED": False,
    }
    if kind not in ("topic", "off", "workers"):
        settings = Settings(common | {"REMOTE_CONTROL_ENABLED": False})
    else:
        settings = get_project_settings()
        settings.setdict(
            CONDITIONS
            | common
            | {
                "TOPICCRAWL_STORE_URI": f"sqlite:///{folder}/bench.sqlite",
                "TOPICCRAWL_STORE_SPOOL_DIR": f"{folder}/spool",
                "TOPICCRAWL_PROGRESS_LIVE": "off",
                "TOPICCRAWL_DUPLICATES": "off" if kind == "off" else "stories",
                "TOPICCRAWL_ANALYSIS_PROCESSES": int(kind == "workers"),
                **({"TOPICCRAWL_RELEVANCE_THRESHOLD": 0.001} if keep_all else {}),
            },
            "cmdline",
        )
    process = AsyncCrawlerProcess(settings)
    crawler = process.create_crawler(BareSpider if kind in ("bare", "lean") else "topic")
    arguments = {} if kind in ("bare", "lean") else {"topic": topic, "seeds": ",".join(seeds)}
    begun: list[tuple[float, float]] = []
    crawler.signals.connect(
        lambda: begun.append((time.perf_counter(), _cpu_seconds())),
        signals.engine_started,
        weak=False,
    )
    process.crawl(crawler, **arguments)
    process.start()
    wall, cpu = time.perf_counter() - begun[0][0], _cpu_seconds() - begun[0][1]
    fetched = crawler.stats.get_value("response_received_count", 0)
    json.dump({"pages": fetched, "wall": wall, "cpu": cpu}, sys.stdout)


def _cpu_seconds() -> float:
    """Return the CPU time of this process and of its children that have ended."""
    return sum(os.times()[:4])


def started(
    kind: str, proxy: str, seeds: list[str], options: argparse.Namespace, folder: str
) -> subprocess.Popen[str]:
    """Start one crawl in a new process that prints its figures."""
    environment = dict(os.environ, http_proxy=proxy, no_proxy="", PYTHONUTF8="1")
    # As topiccrawl.settings sets it for ``scrapy crawl``, which has not imported numpy yet.
    environment.setdefault("OPENBLAS_NUM_THREADS", "1")
    profile = (
        ["-m", "cProfile", "-o", options.profile] if options.profile and kind == "topic" else []
    )
    command = [
        sys.executable,
        *profile,
        "-m",
        "benchmarks.crawl",
        "--child",
        kind,
        "--topic",
        options.topic,
        "--seeds",
        *seeds,
    ]
    command += ["--pages", str(options.pages), "--concurrency", str(options.concurrency)]
    command += ["--folder", folder]
    command += ["--keep-all"] if options.keep_all else []
    return subprocess.Popen(
        command,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=Path.cwd(),
    )


def figures(crawl: subprocess.Popen[str]) -> dict[str, float]:
    """Wait for a crawl and return its figures."""
    output, _ = crawl.communicate()
    if crawl.returncode:
        raise subprocess.CalledProcessError(crawl.returncode, crawl.args, output)
    found: dict[str, float] = json.loads(output.splitlines()[-1])
    return found


def one_after_another(
    kinds: list[str], proxy: str, seeds: list[str], options: argparse.Namespace
) -> dict[str, dict[str, float]]:
    """Run a crawl of each kind and return their figures."""
    found = {}
    for kind in kinds:
        with tempfile.TemporaryDirectory() as folder:
            found[kind] = figures(started(kind, proxy, seeds, options, folder))
    return found


def in_slices(
    kinds: list[str], proxy: str, seeds: list[str], options: argparse.Namespace
) -> dict[str, dict[str, float]]:
    """Run a crawl of each kind, each for a moment in turn, and return their figures."""
    with ExitStack() as stack:
        crawls = {}
        for kind in kinds:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            crawls[kind] = started(kind, proxy, seeds, options, folder)
            crawls[kind].send_signal(signal.SIGSTOP)
        waiting = list(crawls.values())
        while waiting:
            for crawl in list(waiting):
                crawl.send_signal(signal.SIGCONT)
                try:
                    crawl.wait(_SLICE_SECONDS)
                    waiting.remove(crawl)
                except subprocess.TimeoutExpired:
                    crawl.send_signal(signal.SIGSTOP)
        return {kind: figures(crawl) for kind, crawl in crawls.items()}


def served_web(options: argparse.Namespace) -> tuple[ProxyServer, list[str]]:
    """Return the server of the web that is crawled, and the seeds."""
    if not options.web:
        web = DemoWeb(seed=1, size=options.size)
        return WebServer(web), list(web.seeds)
    stored = open_web(options.web)
    topic = next((each for each in stored.topics if each.name == options.topic), None)
    if topic is None:
        names = ", ".join(each.name for each in stored.topics)
        sys.exit(f"--topic: {options.web} has no topic {options.topic!r}, only {names}")
    options.topic = topic.bare_word or topic.keywords[0]
    return ReplayServer(stored), list(topic.seeds["near"])


def main() -> None:
    """Run the crawls alternately and print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=600)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--concurrency", type=int, default=16)
    parser.add_argument("--size", type=int, default=1500)
    parser.add_argument("--profile", default="")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS[:3])
    parser.add_argument("--web", default="", help="a stored web in place of the generated one")
    parser.add_argument("--topic", default="侨情", help="with --web, the name of one of its topics")
    parser.add_argument("--slices", action="store_true", help="crawls in turn, .1 s each")
    parser.add_argument("--keep-all", action="store_true", help="keep every page with a body")
    parser.add_argument("--child", choices=KINDS)
    parser.add_argument("--seeds", nargs="*", default=[])
    parser.add_argument("--folder", type=Path, default=Path())
    options = parser.parse_args()
    if options.child:
        child(
            options.child,
            options.topic,
            options.seeds,
            options.pages,
            options.concurrency,
            options.folder,
            keep_all=options.keep_all,
        )
        return

    console = Console()
    results: dict[str, list[dict[str, float]]] = {kind: [] for kind in options.kinds}
    server, seeds = served_web(options)
    with server:
        for number in track(range(options.rounds), "rounds", console=Console(stderr=True)):
            # Each kind is as often before the others as after them.
            kinds = list(options.kinds if number % 2 == 0 else reversed(options.kinds))
            run = in_slices if options.slices else one_after_another
            for kind, found in run(kinds, server.url, seeds, options).items():
                results[kind].append(found)
    for clock in ("cpu",) if options.slices else ("wall", "cpu"):
        rates = {k: [r["pages"] / r[clock] for r in results[k]] for k in options.kinds}
        ours = rates.pop("topic")
        for kind, theirs in rates.items():
            ratios = [t / b for t, b in zip(ours, theirs, strict=True)]
            console.print(
                f"{clock:4}  {kind} {statistics.median(theirs):6.1f} pages/s"
                f"  topic {statistics.median(ours):6.1f} pages/s"
                f"  ratio {statistics.median(ratios):.3f}"
                f" (min {min(ratios):.3f}, max {max(ratios):.3f})"
            )


if __name__ == "__main__":
    main()
