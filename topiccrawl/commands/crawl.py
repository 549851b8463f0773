"""``scrapy crawl`` with meaningful exit codes; Scrapy's own exits 0 even if everything failed.

Exit codes:

0. The crawl ran and fetched pages.  A single SIGINT or SIGTERM also ends a crawl in order: what
   was fetched is stored, and the stop reason of the run is the signal.
1. It could not start (configuration, store), fetched no page, stopped because nothing could be
   stored any more or the network was lost, or was cut short by a second signal.
2. The command line is wrong.

130. Ctrl-C before the crawl started.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from scrapy.commands.crawl import Command as ScrapyCrawlCommand
from scrapy.exceptions import UsageError

from topiccrawl.commandline.errors import INTERRUPTED, fail
from topiccrawl.errors import ConfigurationError

if TYPE_CHECKING:
    import argparse

    from scrapy.crawler import Crawler


class Command(ScrapyCrawlCommand):
    """Run a spider and return an exit code that shows whether it succeeded."""

    def short_desc(self) -> str:
        """Return the line shown by ``scrapy``."""
        return "Run a spider, e.g. crawl topic -a topic=侨情 (the exit code shows the result)"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add ``--yes``."""
        super().add_options(parser)
        parser.add_argument(
            "--yes", action="store_true", help="do not ask before -a fresh=1 erases the queue"
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Run the crawl; print the reason of a failure as one line on stderr."""
        if len(args) != 1:
            raise UsageError(
                "exactly one spider name is needed, e.g. scrapy crawl topic -a topic=侨情"
            )
        try:
            problem = _may_erase(opts) or self._crawl(args[0], opts)
        except ConfigurationError as error:
            problem = str(error)
        except KeyboardInterrupt:
            self.exitcode = INTERRUPTED
            return
        if problem:
            self.exitcode = fail(problem)

    def _crawl(self, name: str, opts: argparse.Namespace) -> str:
        """Run the spider *name*; return the error message, ``""`` on success."""
        process = self.crawler_process
        assert process is not None
        known = process.spider_loader.list()
        if name not in known:
            return f"there is no spider {name!r}; known: {', '.join(sorted(known))}"
        crawler = self._create_crawler(name)
        failure: list[BaseException] = []
        awaitable: Any = process.crawl(crawler, **opts.spargs)
        if hasattr(awaitable, "addErrback"):
            awaitable.addErrback(lambda f: failure.append(f.value))
        process.start()
        if hasattr(awaitable, "exception") and awaitable.done() and not awaitable.cancelled():
            failure += [error for error in [awaitable.exception()] if error is not None]
        if failure:
            return _message(failure[0])
        if process.bootstrap_failed:
            return "the crawl could not run; see the log"
        return _problem(crawler)


def _may_erase(opts: argparse.Namespace) -> str:
    """Ask before the queue of a topic is erased; return an error message, ``""`` to continue."""
    # Not at module level: Scrapy imports all command modules for every command, and the spider
    # takes a second (SciPy).
    from topiccrawl.spiders.topic import is_fresh

    value = str(opts.spargs.get("fresh", "")).strip().lower()
    if not is_fresh(value) or opts.yes or value == "yes":
        return ""
    topic = opts.spargs.get("topic", "")
    if not sys.stdin.isatty():
        return (
            f"-a fresh={value} erases the queue of {topic!r} and what it has seen;"
            " confirm it with --yes, or with -a fresh=yes where there are no options"
        )
    print(
        f"The queue of {topic!r} and the list of fetched pages will be erased; the collection stays.\n"
        f"将清空“{topic}”的待抓队列和已抓记录，已入库的页面保留。",
        file=sys.stderr,
    )
    answer = input("Erase? 确定？ [y/N] ").strip().lower()
    return "" if answer in ("y", "yes", "是") else "nothing was erased, nothing was crawled"


def _problem(crawler: Crawler) -> str:
    """Return the problem of a crawl that ended by itself, ``""`` if there is none."""
    # See _may_erase.
    from topiccrawl.crawl.control import FRONTIER_LOST, STORE_LOST
    from topiccrawl.crawl.session import CrawlSession

    session = CrawlSession.of(crawler) if CrawlSession.wanted(crawler) else None
    if session is None:
        return ""
    if session.control.start_error is not None:
        return str(session.control.start_error)
    if session.control.offline:
        return session.control.offline
    stats = crawler.stats.get_stats()
    if "finish_reason" not in stats:
        return "the crawl was cut short; pages that were being worked on are not stored"
    if stats["finish_reason"] in (FRONTIER_LOST, STORE_LOST):
        return f"the crawl stopped: {stats.get('topiccrawl/stop_reason')}; see the log"
    if not (session.progress.pages or session.resumed or session.others_fetched):
        return f"no page was fetched: {stats.get('topiccrawl/stop_reason')}"
    return ""


def _message(error: BaseException) -> str:
    if isinstance(error, ConfigurationError):
        return str(error)
    return f"the crawl could not run: {type(error).__name__}: {error}"
