"""``scrapy trends``: volume, bursts, terms, hosts and categories of a topic, and comparisons."""

from __future__ import annotations

import argparse

from topiccrawl.commandline.command import Action, StoreCommand
from topiccrawl.commandline.options import add_row_limit, add_table_options, add_unmasked_option
from topiccrawl.language import N_, _


class Command(StoreCommand):
    """Shows how much was published when, what burst, and what differs from before."""

    usage = "[TOPIC] [--since WHEN] [--until WHEN] [--against FROM..TO|TOPIC] [options]"
    summary = N_("Show pages per day, bursts, terms that differ from before, and productive hosts")
    description = N_(
        "Without options, show the last 90 days of TOPIC: pages per week, days with clearly more "
        "pages than is ordinary, terms that clearly more pages have than in the period before, "
        "and the hosts with most pages. --against compares the period with another one, or the "
        "topic with another one. --out writes a table to a file."
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--since",
            metavar="WHEN",
            help=_("first day: a date, or so long ago (30d; default: 90 days)"),
        )
        parser.add_argument(
            "--until", metavar="WHEN", help=_("last day (default: that of the newest page)")
        )
        parser.add_argument(
            "--by",
            choices=("published", "seen"),
            default="published",
            help=_("day of a page: when it was published (default), or first seen by a crawl"),
        )
        parser.add_argument("--site", metavar="HOST", help=_("only pages of this host"))
        parser.add_argument("--term", metavar="WORD", help=_("only pages with this keyword"))
        parser.add_argument(
            "--against",
            metavar="FROM..TO|TOPIC",
            help=_("compare with another period, or with another topic of the store"),
        )
        parser.add_argument(
            "--table",
            choices=("volume", "bursts", "terms", "hosts", "comparison", "categories"),
            help=_("table for --out and --json (default: volume, with --against comparison)"),
        )
        add_table_options(parser)
        parser.add_argument(
            "--step",
            choices=("day", "week", "month"),
            help=_("step of the printed bars (default: day up to 31 days, week up to a year)"),
        )
        add_row_limit(parser)
        parser.add_argument("--json", action="store_true", help=_("print JSON"))
        add_unmasked_option(parser)

    def action(self) -> Action:
        from topiccrawl.actions.trends import show_trends

        return show_trends
