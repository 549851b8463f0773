"""``scrapy refresh [TOPIC]``: visit what is stored again, and fetch what lists have that is new."""

from __future__ import annotations

import argparse
from functools import partial

from scrapy.exceptions import UsageError

from topiccrawl.commandline.command import Action, SpiderCommand
from topiccrawl.freshness.config import POLICIES
from topiccrawl.language import N_, _


class Command(SpiderCommand):
    """Runs the refresh spider and prints what the visits have found."""

    usage = (
        "[TOPIC] [--store FILE] [--pages N] [--budget N] [--policy NAME] [--go-on] [--report FILE]"
    )
    summary = N_("Visit stored pages and lists again; the command for a timer")
    description = N_(
        "Visit the stored pages of TOPIC that are due, and its list pages and feeds; fetch the new "
        "pages that they lead to, store what has changed with its former version, and mark what has "
        "vanished. Links that wait in the queue stay there, unless --go-on is given. Without TOPIC: "
        "TOPICCRAWL_TOPIC, or the only topic in the store. Exit code 0: the run has done its work, "
        "also if nothing was due; 1: it could not, or no site answered."
    )

    file_options = SpiderCommand.file_options | {"report"}

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--pages",
            type=int,
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

    def check_usage(self, args: list[str]) -> None:
        """Raise ``UsageError`` for a wrong number of arguments."""
        if len(args) > 1:
            raise UsageError(_("at most one topic is needed: scrapy refresh TOPIC"))

    def action(self) -> Action:
        """Import and return the function that does the work."""
        from topiccrawl.actions.refresh import refresh

        assert self.crawler_process is not None
        return partial(refresh, process=self.crawler_process)
