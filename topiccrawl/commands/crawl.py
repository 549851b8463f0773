"""``scrapy crawl`` with meaningful exit codes; Scrapy's own exits 0 even if everything failed.

Exit codes:

0. The crawl ran and fetched pages.  A single SIGINT or SIGTERM also ends a crawl in order: what
   was fetched is stored, and the stop reason of the run is the signal.
1. It could not start (configuration, store), fetched no page, stopped because nothing could be
   stored any more or the network was lost, was cut short by a second signal, or lost requests of the
   spider that the queue cannot keep.
2. The command line is wrong.

130. Ctrl-C before the crawl started.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.commands.crawl import Command as ScrapyCrawlCommand
from scrapy.exceptions import UsageError

from topiccrawl.commandline.command import SpiderStart, reject_unknown_options
from topiccrawl.language import _

if TYPE_CHECKING:
    import argparse


class Command(SpiderStart, ScrapyCrawlCommand):
    """Run a spider and return an exit code that shows whether it succeeded."""

    def short_desc(self) -> str:
        """Return the line shown by ``scrapy``."""
        return _("Run a spider, e.g. crawl topic -a topic=侨情 (the exit code shows the result)")

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add ``--yes`` and ``--no-summary``."""
        super().add_options(parser)
        parser.add_argument(
            "--yes", action="store_true", help=_("do not ask before -a fresh=1 erases the queue")
        )
        parser.add_argument(
            "--no-summary", action="store_true", help=_("print no summary at the end of the run")
        )

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Log all statistics where the log is a file: the programs that read it expect them."""
        super().process_options(args, opts)
        assert self.settings is not None
        if self.settings.get("LOG_FILE"):
            self.settings.set("STATS_DUMP", True, "spider")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Run the crawl; print the reason of a failure as one line on stderr."""
        reject_unknown_options(args)
        if len(args) != 1:
            raise UsageError(
                _("exactly one spider name is needed, e.g. scrapy crawl topic -a topic=侨情")
            )
        assert self.settings is not None
        assert self.crawler_process is not None
        # Not at module level: see ActionCommand.
        from topiccrawl.actions.crawl import crawl

        self.exitcode = crawl(
            args[0], opts, self.settings, self.crawler_process, self._create_crawler
        )
