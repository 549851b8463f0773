"""The process of a hostile crawl: ``scrapy`` with the names of the hostile web.

    python -m benchmarks.hostile.child crawl topic …

The crawl itself is unchanged.  An extension measures the event loop and writes what it saw to the file
that the setting ``HOSTILE_MEASURED`` names.  It also keeps a crawl that has run dry open: the end is
always SIGTERM.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Self

from scrapy import signals
from scrapy.cmdline import execute
from scrapy.crawler import Crawler
from scrapy.exceptions import DontCloseSpider

from benchmarks.hostile.resolver import install
from benchmarks.loop_lag import LoopLag


class Measurement:
    """Extension that measures how long the event loop stands still."""

    def __init__(self, crawler: Crawler) -> None:
        self._file = Path(crawler.settings["HOSTILE_MEASURED"])
        self._crawler = crawler
        self._lag = LoopLag()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Build it and connect it to the start and the end of the crawl."""
        measurement = cls(crawler)
        crawler.signals.connect(measurement.start, signals.engine_started)
        crawler.signals.connect(measurement.stop, signals.engine_stopped)
        crawler.signals.connect(measurement.idle, signals.spider_idle)
        return measurement

    def start(self) -> None:
        """Begin to measure."""
        self._lag.start()

    def idle(self) -> None:
        """Keep the crawl open until SIGTERM."""
        raise DontCloseSpider

    def stop(self) -> None:
        """Write the measurement and the statistics of the crawl."""
        self._lag.stop()
        stats = self._crawler.stats
        measured = {
            "worst": self._lag.worst,
            "stalls": [asdict(stall) for stall in self._lag.stalls],
            "stats": stats.get_stats() if stats else {},
        }
        self._file.write_text(json.dumps(measured, default=str, ensure_ascii=False))


def main() -> None:
    """Become ``scrapy``."""
    os.environ["SCRAPY_SETTINGS_MODULE"] = "benchmarks.hostile.settings"
    install()
    execute(["scrapy", *sys.argv[1:]])


if __name__ == "__main__":
    main()
