"""``scrapy crawl``, with true exit codes: Scrapy's own exits 0 even when everything failed.

Exit codes: 0 the crawl ran; 1 it could not start (configuration, store) or no page was fetched;
2 the command line is wrong.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from scrapy.commands.crawl import Command as ScrapyCrawlCommand
from scrapy.exceptions import UsageError

from topiccrawl.errors import ConfigurationError

if TYPE_CHECKING:
    import argparse

    from scrapy.crawler import Crawler


class Command(ScrapyCrawlCommand):
    """Run a spider and say in the exit code how it went."""

    def short_desc(self) -> str:
        """Return the line shown by ``scrapy``."""
        return "Run a spider, e.g. crawl topic -a topic=侨情 (exit code tells how it went)"

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Run the crawl; a configuration error is one line on stderr."""
        if len(args) != 1:
            raise UsageError(
                "exactly one spider name is needed, e.g. scrapy crawl topic -a topic=侨情"
            )
        assert self.crawler_process is not None
        failure: list[BaseException] = []
        try:
            crawler = self._create_crawler(args[0])
            awaitable: Any = self.crawler_process.crawl(crawler, **opts.spargs)
            if hasattr(awaitable, "addErrback"):
                awaitable.addErrback(lambda f: failure.append(f.value))
            self.crawler_process.start()
            if hasattr(awaitable, "exception") and awaitable.done() and not awaitable.cancelled():
                error = awaitable.exception()
                if error is not None:
                    failure.append(error)
        except ConfigurationError as error:
            failure.append(error)
        if failure:
            self.exitcode = 1
            _say(failure[0])
        elif self.crawler_process.bootstrap_failed or _nothing_fetched(crawler):
            self.exitcode = 1


def _nothing_fetched(crawler: Crawler) -> bool:
    stats = crawler.stats.get_stats()
    return "topiccrawl/stop_reason" in stats and not stats.get("topiccrawl/pages/analysed")


def _say(error: BaseException) -> None:
    if isinstance(error, ConfigurationError):
        print(f"topiccrawl: {error}", file=sys.stderr)
    else:
        print(
            f"topiccrawl: the crawl could not run: {type(error).__name__}: {error}", file=sys.stderr
        )
