"""Real crawls of the demonstration web: ``scrapy crawl topic`` in a process of its own, and what it left."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.forked import ForkedCommand
from tests.support.stored import from_store
from topiccrawl.demo.crawl import crawl_command, store_uri
from topiccrawl.demo.web import DemoWeb
from topiccrawl.store.contract import OutcomeRecord, PageRecord, RunRecord, Store
from topiccrawl.webserver.environment import environment
from topiccrawl.webserver.forward import RequestRecord
from topiccrawl.webserver.server import WebServer

ROOT = Path(__file__).parents[2]
TOPIC = "侨情"
#: One request at a time: then the order is a function of the web and the seed alone.  A Crawl-delay puts
#: a page back for a second, and what is fetched meanwhile depends on the machine.
ONE_AT_A_TIME = (
    "CONCURRENT_REQUESTS=1",
    "CONCURRENT_REQUESTS_PER_DOMAIN=1",
    "TOPICCRAWL_CRAWL_DELAY_MAX_SECONDS=0",
)
#: For crawls that are compared: a page that failed is tried again after a time, and what was fetched
#: meanwhile depends on the machine.
NO_LATER_TRIES = "TOPICCRAWL_RETRY_DELAY_SECONDS=3600"
#: No crawl here takes a fifth of this; a crawl that hangs must fail its test, not the whole run.
PATIENCE_SECONDS = 240.0


@dataclass(frozen=True)
class CrawlResult:
    """A finished crawl: what the process said, what the server saw, what the store holds."""

    code: int
    stdout: str
    stderr: str
    log: str
    requests: Sequence[RequestRecord]
    pages: Sequence[PageRecord]
    outcomes: Sequence[OutcomeRecord]
    runs: Sequence[RunRecord]

    @property
    def tried(self) -> list[OutcomeRecord]:
        """Outcomes without the links that were still waiting, in their order."""
        tried = [record for record in self.outcomes if record.verdict != "queued"]
        return sorted(tried, key=lambda record: record.sequence)

    @property
    def stats(self) -> Mapping[str, Any]:
        """All stats, as Scrapy dumped them into the log; of the last run if there were several."""
        dump = self.log.rsplit("Dumping Scrapy stats:\n", 1)[1]
        text = re.split(r"\n\d{4}-\d\d-\d\d ", dump, maxsplit=1)[0]
        literals = re.sub(r"datetime\.datetime\([^)]*\)", "None", text)
        stats: dict[str, Any] = ast.literal_eval(literals)
        return stats

    def fetched(self) -> list[str]:
        """URLs in the order in which the server was asked for them, robots.txt left out."""
        return [r.url for r in self.requests if not r.url.endswith("/robots.txt")]


def scrapy(
    words: Sequence[str],
    env: Mapping[str, str] | None = None,
    *,
    cwd: Path = ROOT,
    fresh: bool = False,
    file_limit: int | None = None,
    ordinary: bool = False,
) -> subprocess.CompletedProcess[str]:
    """Run a scrapy command; it can reach nothing unless *env* says so.

    With *fresh* it has an interpreter of its own.  *file_limit* is the largest file that it may
    write, in bytes.  With *ordinary*, permissions of files count though the tests run as root.
    """
    env = env or environment("http://127.0.0.1:9")
    if not fresh:
        command = ForkedCommand(words, env, cwd=cwd, file_limit=file_limit, ordinary=ordinary)
        return command.result(PATIENCE_SECONDS)
    return subprocess.run(
        [sys.executable, "-m", "scrapy", *words],
        env=dict(env),
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_SECONDS,
    )


def crawl_words(out: Path, seeds: Sequence[str], pages: int, *settings: str) -> list[str]:
    """The words after ``scrapy``; *settings* win."""
    out.mkdir(parents=True, exist_ok=True)
    return crawl_command(seeds, out, pages, (*ONE_AT_A_TIME, *settings))[1:]


def crawl(
    web: DemoWeb,
    out: Path,
    pages: int,
    *settings: str,
    seeds: Sequence[str] = (),
    store: str = "",
    fresh: bool = False,
    file_limit: int | None = None,
) -> CrawlResult:
    """Crawl *web* with the real command, one request at a time unless *settings* say otherwise.

    *fresh* and *file_limit* as in :func:`scrapy`.
    """
    if store:
        settings = (*settings, f"TOPICCRAWL_STORE_URI={store}")
    with WebServer(web) as server:
        words = crawl_words(out, seeds or web.seeds, pages, *settings)
        done = scrapy(words, environment(server.url), fresh=fresh, file_limit=file_limit)
        requests = server.requests
    return finished(done, out, requests, store)


def finished(
    done: subprocess.CompletedProcess[str],
    out: Path,
    requests: Sequence[RequestRecord],
    store: str = "",
) -> CrawlResult:
    """Read back what a crawl left in *out*."""
    log = out / "crawl.log"
    pages, outcomes, runs = from_store(store or store_uri(out), all_records)
    return CrawlResult(
        done.returncode,
        done.stdout,
        done.stderr,
        log.read_text("utf-8") if log.exists() else "",
        requests,
        pages,
        outcomes,
        runs,
    )


async def all_records(
    store: Store, topic: str = TOPIC
) -> tuple[list[PageRecord], list[OutcomeRecord], list[RunRecord]]:
    """Return the kept pages, the outcomes and the runs of the topic."""
    pages = [page async for page in store.pages(topic)]
    outcomes = [outcome async for outcome in store.outcomes(topic)]
    return pages, outcomes, list(await store.runs(topic))
