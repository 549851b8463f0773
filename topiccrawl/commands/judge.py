"""``scrapy judge URL yes|no``: the user's judgment of pages, which outweighs the crawler's."""

from __future__ import annotations

import argparse

from topiccrawl.commandline.command import Action, StoreCommand
from topiccrawl.language import N_, _


class Command(StoreCommand):
    """Records which pages are on the topic and which are not."""

    usage = "URL [URL …] yes|no [--topic TOPIC] [--note TEXT] | --list"
    summary = N_("Judge pages relevant or not; this outweighs the crawler")
    description = N_(
        "Record that the pages URL are on the topic (yes) or not (no). The judgment "
        "outweighs everything: no withdraws a stored page (it is marked, not deleted), "
        "yes keeps it, and a page that was never stored is fetched by the next crawl. "
        "A running crawl learns it at once. Judgments are in judgments.tsv in the "
        "topic's folder; a new one replaces the old."
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--topic", metavar="TOPIC", help=_("topic (default: the only one in the store)")
        )
        parser.add_argument(
            "-a", dest="spargs", action="append", default=[], metavar="topic=TOPIC",
            help=_("the same, as for scrapy crawl"),
        )  # fmt: skip
        parser.add_argument("--note", metavar="TEXT", default="", help=_("note in the file"))
        parser.add_argument(
            "--list",
            action="store_true",
            dest="listing",
            help=_("list the judgments"),
        )

    def action(self) -> Action:
        from topiccrawl.actions.judge import judge

        return judge
