"""``scrapy queue TOPIC``: what is in a topic's queue, and a new one in place of a damaged one."""

from __future__ import annotations

import argparse

from topiccrawl.commandline.command import Action, StoreCommand
from topiccrawl.language import N_, _


class Command(StoreCommand):
    """Prints the counts of a queue, or rebuilds it."""

    usage = "TOPIC [--rebuild]"
    summary = N_("Count the links in a topic's queue, or rebuild a damaged one")
    description = N_(
        "Print how many links of TOPIC wait, are done and were given up. With --rebuild, make a new "
        "queue from the outcomes in the store and from the links and journal entries of the old "
        "queue that can still be read. The old queue is kept under another name. No crawl of the "
        "topic may be running."
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--rebuild", action="store_true", help=_("put a new queue in place of a damaged one")
        )

    def action(self) -> Action:
        from topiccrawl.actions.queue import queue

        return queue
