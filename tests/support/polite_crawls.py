"""Short real crawls of a politeness site, with the project's command in a process of its own."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.politeness_site import PolitenessSite
from tests.support.forked import ForkedCommand, start_logged
from topiccrawl.middlewares.politeness import POLITENESS_ORDER
from topiccrawl.webserver.environment import environment

MIDDLEWARE = "topiccrawl.middlewares.politeness.PolitenessMiddleware"
#: A crawl that hangs fails its test; on an idle machine no crawl takes a tenth of this.
PATIENCE_SECONDS = 150.0

#: Settings of an impatient operator: only the parts under test keep the crawler polite.
IMPATIENT: Mapping[str, object] = {
    "TOPICCRAWL_FRONTIER_BACKEND": "sqlite",
    "TOPICCRAWL_STORE_URI": "",
    "TOPICCRAWL_RETRY_DELAY_SECONDS": 0.1,
    "TOPICCRAWL_BACKOFF_SECONDS": 0.3,
    "CONCURRENT_REQUESTS": 16,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
    "DOWNLOAD_DELAY": 0,
    "AUTOTHROTTLE_ENABLED": 0,
    "LOG_LEVEL": "INFO",
    "STATS_DUMP": True,
}


@dataclass(frozen=True)
class PoliteCrawl:
    """A finished crawl."""

    code: int
    log: str

    @property
    def stats(self) -> Mapping[str, Any]:
        """All stats, as Scrapy dumped them into the log."""
        dump = self.log.rsplit("Dumping Scrapy stats:\n", 1)[1]
        text = re.split(r"\n\d{4}-\d\d-\d\d ", dump, maxsplit=1)[0]
        stats: dict[str, Any] = ast.literal_eval(
            re.sub(r"datetime\.datetime\([^)]*\)", "None", text)
        )
        return stats

    def counted(self, what: str) -> int:
        """Return a stat of the politeness middleware."""
        value: int = self.stats.get(f"topiccrawl/politeness/{what}", 0)
        return value


def crawl_politely(
    site: PolitenessSite, folder: Path, *, middleware: bool = True, **settings: object
) -> PoliteCrawl:
    """Crawl *site* to its end with ``scrapy crawl topic``; without *middleware* it is switched off."""
    return crawl_together(site, folder, 1, middleware=middleware, **settings)[0]


def crawl_together(
    site: PolitenessSite, folder: Path, workers: int, *, middleware: bool = True, **settings: object
) -> list[PoliteCrawl]:
    """The same with several workers at a time; *settings* must name a frontier they can share."""
    order = POLITENESS_ORDER if middleware else None
    given = {
        **IMPATIENT,
        "DOWNLOADER_MIDDLEWARES": json.dumps({MIDDLEWARE: order}),
        "TOPICCRAWL_STORE_SPOOL_DIR": str(folder / "spool"),
        "TOPICCRAWL_FRONTIER_DIR": str(folder),
        **settings,
    }
    words = ["crawl", "topic", "-a", "topic=侨情"]
    words += ["-a", f"seeds={','.join(site.web.seeds)}"]
    for name, value in given.items():
        words += ["-s", f"{name}={value}"]
    processes: list[ForkedCommand] = []
    try:
        for number in range(workers):
            log = folder / f"crawl-{number}.log"
            processes.append(start_logged(words, environment(site.url), log))
        codes = [process.wait(PATIENCE_SECONDS) for process in processes]
    finally:
        for process in processes:
            process.kill()
            process.wait()
    return [
        PoliteCrawl(code, (folder / f"crawl-{number}.log").read_text("utf-8"))
        for number, code in enumerate(codes)
    ]
