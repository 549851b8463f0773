"""``scrapy sources TOPIC``: the search engines of a topic, what they were asked, and what they found."""

from __future__ import annotations

import argparse

from topiccrawl.commandline.command import Action, ActionCommand
from topiccrawl.language import N_, _


class Command(ActionCommand):
    """Shows, tests and refreshes the sources of a topic."""

    usage = "TOPIC [--test | --refresh]"
    summary = N_("Show, test and refresh what search engines find for a topic")
    description = N_(
        "Without options, show the engines, the queries that were sent and the best sources that"
        " a crawl with -a search=1 has found for TOPIC, a topic or any word."
    )

    requires_project = False

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--test", action="store_true",
            help=_("send one query to each engine and show what comes back; exit 1 if one fails"),
        )  # fmt: skip
        parser.add_argument(
            "--refresh", action="store_true",
            help=_("forget what was asked, and ask now; the next crawl starts from what is found"),
        )  # fmt: skip

    def action(self) -> Action:
        from topiccrawl.actions.sources import sources

        return sources
