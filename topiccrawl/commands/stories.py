"""``scrapy stories``: stories with their copies, the spread of one, and events."""

from __future__ import annotations

import argparse

from topiccrawl.commandline.command import Action, StoreCommand
from topiccrawl.commandline.options import add_row_limit, add_table_options, add_unmasked_option
from topiccrawl.language import N_, _


class Command(StoreCommand):
    """Lists the stories or events of one topic, or prints the spread of a story."""

    usage = "[TOPIC] [--story ID|URL | --events [--save] | --out FILE | --update] [options]"
    summary = N_("List stories with their copies, show who took one from whom, and list events")
    description = N_(
        "A story is the set of pages that are copies of one text. Without options, list the "
        "stories of TOPIC that have copies. --story prints who published a story first and who "
        "took it from whom, each with its reason and probability. --events groups the stories "
        "into events, with time, places, persons and organizations. --out writes a table to a "
        "file. --update compares the pages of an older store that were never compared; it can "
        "be interrupted and continued."
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        what = parser.add_mutually_exclusive_group()
        what.add_argument(
            "--story",
            metavar="ID|URL",
            help=_("print the spread of the story with this id or page"),
        )
        what.add_argument("--events", action="store_true", help=_("list events instead of stories"))
        add_table_options(parser, what)
        what.add_argument(
            "--update", action="store_true", help=_("compare the pages that were not compared yet")
        )
        parser.add_argument(
            "--table",
            choices=("spread", "pages", "events"),
            default="spread",
            help=_("table for --out: stories with reposting sites (default), pages, or events"),
        )
        parser.add_argument(
            "--order",
            choices=("size", "newest"),
            default="size",
            help=_("size: most copies first (default); newest: the last grown first"),
        )
        add_row_limit(parser)
        parser.add_argument(
            "--save",
            action="store_true",
            help=_("with --events: compute them anew and keep them in the store, for the console"),
        )
        parser.add_argument("--json", action="store_true", help=_("print JSON"))
        add_unmasked_option(parser)

    def action(self) -> Action:
        from topiccrawl.actions.stories import stories

        return stories
