"""``scrapy explain URL``: why a page was stored or dropped, and how its link was scored."""

from __future__ import annotations

import argparse

from topiccrawl.commandline.command import Action, StoreCommand
from topiccrawl.language import N_, _


class Command(StoreCommand):
    """Prints the store's records of one URL."""

    usage = "URL [--topic TOPIC] [--versions]"
    summary = N_("Explain why a URL was kept, dropped or queued")
    description = N_(
        "Print from the store why URL was kept, dropped, failed or is waiting: "
        "probability and threshold with the parts of the probability, relevance with "
        "the terms that contributed to it, the link's score part by part, the pages "
        "that led to it back to the seed, and its duplicates. With --versions: the versions "
        "of the page, and what changed from one to the next. Exit code 1 if the URL is unknown."
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--topic", metavar="TOPIC", help=_("topic (default: all in the store)"))
        parser.add_argument(
            "--versions", action="store_true", help=_("the page's versions, and what changed")
        )

    def action(self) -> Action:
        from topiccrawl.actions.explain import explain_url

        return explain_url
