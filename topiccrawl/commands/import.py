"""``scrapy import PATH [TOPIC]``: pages of a folder, an archive or a saved file, without fetching anything."""  # noqa: N999 - the command's name

from __future__ import annotations

import argparse
from functools import partial

from scrapy.exceptions import UsageError

from topiccrawl.commandline.command import Action, SpiderCommand
from topiccrawl.language import N_, _


class Command(SpiderCommand):
    """Runs the import spider and prints its results."""

    usage = "PATH [TOPIC] [--store FILE] [--again] [--queue-links]"
    summary = N_("Import pages from a folder, an archive, a WARC file or saved pages")
    description = N_(
        "Import the pages of PATH into the collection of TOPIC, through the steps of a crawl: "
        "analysis, judgment, copies, store. PATH is a folder, a zip or tar archive, a WARC file, an "
        "export of WeChat articles, an MHTML file or a page that a browser has saved, or a list of "
        "URLs, which are added to the queue for the next crawl. Nothing is fetched. The same "
        "command again goes on where it was stopped. Without TOPIC: TOPICCRAWL_TOPIC, or the only "
        "topic in the store."
    )

    file_options = SpiderCommand.file_options | {"args"}

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--again", action="store_true", help=_("import what was imported before, too")
        )
        parser.add_argument(
            "--queue-links",
            action="store_true",
            help=_("add the links of the pages to the queue, for the next crawl"),
        )

    def check_usage(self, args: list[str]) -> None:
        """Raise ``UsageError`` for a wrong number of arguments."""
        if len(args) not in (1, 2):
            raise UsageError(_("what is to be imported? usage: scrapy import PATH [TOPIC]"))

    def action(self) -> Action:
        """Import and return the function that does the work."""
        from topiccrawl.actions.imports import import_pages

        assert self.crawler_process is not None
        return partial(import_pages, process=self.crawler_process)
