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

import argparse
from typing import Final

from scrapy.commands.crawl import Command as ScrapyCrawlCommand
from scrapy.exceptions import UsageError

from topiccrawl.commandline.command import SpiderStart, reject_unknown_options
from topiccrawl.language import N_, _

#: Arguments of the spider ``topic``, for the help.
ARGUMENTS: Final = {
    "topic=NAME": N_("topic: a name, an alias, a folder, or any word together with seeds"),
    "seeds=URL,URL": N_(
        "pages to start from, in place of the topic's: URLs, or the file of a list"
    ),
    "pages=N": N_("end after N pages; the same command goes on"),
    "allow=A.cn,B.cn/x": N_("keep to these sites: hosts, host/path, * for any characters"),
    "deny=A.cn,/x": N_("leave out these addresses"),
    "whole=1": N_("crawl the whole sites of the seeds (docs/sites.md)"),
    "search=1": N_("ask search engines for pages to start from (docs/search.md)"),
    "browser=1": N_("load pages in a browser that show nothing without one (docs/browser.md)"),
    "record=FILE": N_("write all responses to FILE (docs/webs.md)"),
    "fresh=1": N_("start over: erase the queue; stored pages stay"),
}


class Command(SpiderStart, ScrapyCrawlCommand):
    """Run a spider and return an exit code that shows whether it succeeded."""

    def syntax(self) -> str:
        """Return the arguments after the command's name."""
        return "topic -a topic=NAME [-a NAME=VALUE ...] [options]"

    def short_desc(self) -> str:
        """Return the line shown by ``scrapy``."""
        return _("Run a spider, e.g. crawl topic -a topic=侨情 (the exit code shows the result)")

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add ``--yes`` and ``--no-summary``, and the spider's arguments to the help."""
        super().add_options(parser)
        parser.add_argument(
            "--yes", action="store_true", help=_("do not ask before -a fresh=1 erases the queue")
        )
        parser.add_argument(
            "--no-summary", action="store_true", help=_("print no summary at the end of the run")
        )
        described = parser.add_argument_group(_("Spider Arguments"))
        for argument, meaning in ARGUMENTS.items():
            described.add_argument(
                f"-a {argument}",
                action="store_true",
                dest=argparse.SUPPRESS,
                default=argparse.SUPPRESS,
                help=_(meaning),
            )
        # First: they are what a user looks for.
        parser._action_groups.insert(0, parser._action_groups.pop())

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Log all statistics where the log is a file: the programs that read it expect them."""
        super().process_options(args, opts)
        assert self.settings is not None
        if self.settings.get("LOG_FILE"):
            self.settings.set("STATS_DUMP", True, "spider")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Run the crawl; print the reason of a failure as one line on stderr."""
        reject_unknown_options(args, opts)
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
