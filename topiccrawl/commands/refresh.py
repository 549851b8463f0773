"""``scrapy refresh [TOPIC]``: visit what is stored again, and fetch what lists have that is new."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from topiccrawl.commandline.command import reject_unknown_options
from topiccrawl.commandline.errors import check_arguments, exit_code
from topiccrawl.commandline.logs import prepare_json_log
from topiccrawl.commandline.streams import prepare_streams
from topiccrawl.freshness.config import POLICIES
from topiccrawl.language import _

if TYPE_CHECKING:
    import argparse


class Command(ScrapyCommand):
    """Runs the refresh spider and prints what the visits have found."""

    requires_project = False

    def __init__(self) -> None:
        """Prepare the standard streams: Scrapy makes all commands before it prints anything."""
        super().__init__()
        prepare_streams()

    def syntax(self) -> str:
        """Return the arguments after the command's name."""
        return "[TOPIC] [--store URI] [--pages N] [--budget N] [--policy NAME] [--go-on] [--report FILE]"

    def short_desc(self) -> str:
        """Return one line for the list of commands."""
        return _("Visit stored pages and lists again; the command for a timer")

    def long_desc(self) -> str:
        """Return the text of ``scrapy refresh -h``."""
        return _(
            "Visit the stored pages of TOPIC that are due, and its list pages and feeds; fetch the new "
            "pages that they lead to, store what has changed with its former version, and mark what has "
            "vanished. Links that wait in the queue stay there, unless --go-on is given. Without TOPIC: "
            "TOPICCRAWL_TOPIC, or the only topic in the store. Exit code 0: the run has done its work, "
            "also if nothing was due; 1: it could not, or no site answered."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add this command's options."""
        super().add_options(parser)
        parser.add_argument(
            "--store",
            metavar="URI",
            help=_("store to visit again (default: the setting TOPICCRAWL_STORE_URI)"),
        )
        parser.add_argument(
            "--pages",
            type=int,
            default=0,
            metavar="N",
            help=_("end after N pages, visited again or new (default: no limit)"),
        )
        parser.add_argument(
            "--budget",
            type=int,
            metavar="N",
            help=_("most articles visited within 24 hours, instead of TOPICCRAWL_REFRESH_PER_DAY"),
        )
        parser.add_argument(
            "--policy",
            choices=POLICIES,
            help=_("how the visits are ordered, instead of TOPICCRAWL_REFRESH_POLICY"),
        )
        parser.add_argument(
            "--go-on",
            action="store_true",
            help=_("also fetch the links that wait in the queue"),
        )
        parser.add_argument(
            "--report",
            metavar="FILE",
            help=_("write a report about what is new since the run before"),
        )

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Choose the form of the log before Scrapy writes its first line."""
        super().process_options(args, opts)
        assert self.settings is not None
        prepare_json_log(self.settings)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Run the visits, and set the exit code."""
        reject_unknown_options(args)
        if len(args) > 1:
            raise UsageError(_("at most one topic is needed: scrapy refresh TOPIC"))
        settings, process = self.settings, self.crawler_process
        assert settings is not None
        assert process is not None

        def work() -> int:
            check_arguments(args, opts, {"report", "logfile", "pidfile", "profile"})
            # Not at module level: see ActionCommand.
            from topiccrawl.actions.refresh import refresh

            return refresh(args, opts, settings, process)

        self.exitcode = exit_code(work)
