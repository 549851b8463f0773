"""``scrapy import PATH [TOPIC]``: pages of a folder, an archive or a saved file, without fetching anything."""  # noqa: N999 - the command's name

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from topiccrawl.commandline.command import reject_unknown_options
from topiccrawl.commandline.errors import check_arguments, exit_code
from topiccrawl.commandline.logs import prepare_json_log
from topiccrawl.commandline.streams import prepare_streams
from topiccrawl.language import _

if TYPE_CHECKING:
    import argparse


class Command(ScrapyCommand):
    """Runs the import spider and prints what it has brought."""

    requires_project = False

    def __init__(self) -> None:
        """Prepare the standard streams: Scrapy makes all commands before it prints anything."""
        super().__init__()
        prepare_streams()

    def syntax(self) -> str:
        """Return the arguments after the command's name."""
        return "PATH [TOPIC] [--again] [--queue-links]"

    def short_desc(self) -> str:
        """Return one line for the list of commands."""
        return _("Import pages from a folder, an archive, a WARC file or saved pages")

    def long_desc(self) -> str:
        """Return the text of ``scrapy import -h``."""
        return _(
            "Import the pages of PATH into the collection of TOPIC, through the steps of a crawl: "
            "analysis, judgment, copies, store. PATH is a folder, a zip or tar archive, a WARC file, an "
            "export of WeChat articles, an MHTML file or a page that a browser has saved, or a list of "
            "URLs, which are added to the queue for the next crawl. Nothing is fetched. The same "
            "command again goes on where it was stopped. Without TOPIC: TOPICCRAWL_TOPIC, or the only "
            "topic in the store."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add this command's options."""
        super().add_options(parser)
        parser.add_argument(
            "--again", action="store_true", help=_("import what was imported before, too")
        )
        parser.add_argument(
            "--queue-links",
            action="store_true",
            help=_("add the links of the pages to the queue, for the next crawl"),
        )

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Choose the form of the log before Scrapy writes its first line."""
        super().process_options(args, opts)
        assert self.settings is not None
        prepare_json_log(self.settings)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Run the import, and set the exit code."""
        reject_unknown_options(args)
        if len(args) not in (1, 2):
            raise UsageError(_("what is to be imported? usage: scrapy import PATH [TOPIC]"))
        settings, process = self.settings, self.crawler_process
        assert settings is not None
        assert process is not None

        def work() -> int:
            check_arguments(args, opts, {"args", "logfile", "pidfile", "profile"})
            # Not at module level: see ActionCommand.
            from topiccrawl.actions.imports import import_pages

            return import_pages(args, opts, settings, process)

        self.exitcode = exit_code(work)
