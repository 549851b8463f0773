"""``scrapy forget TOPIC``: delete the data of a topic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topiccrawl.commandline.command import StoreCommand
from topiccrawl.language import _

if TYPE_CHECKING:
    import argparse

    from topiccrawl.commandline.command import Action


class Command(StoreCommand):
    """Counts what there is of a topic, asks, and deletes it."""

    def syntax(self) -> str:
        """Return the arguments after the command's name."""
        return "TOPIC [--judgments] [--yes]"

    def short_desc(self) -> str:
        """Return one line for the list of commands."""
        return _("Delete the data of a topic: pages, outcomes, runs and the queue")

    def long_desc(self) -> str:
        """Return the text of ``scrapy forget -h``."""
        return _(
            "Delete what crawls of TOPIC have left: pages, near misses, outcomes and runs in the "
            "store, the queue with its journal, and records that wait in the spool. What there is, is "
            "shown first. The topic's folder stays, and so do your judgments, unless --judgments is "
            "given. No crawl of the topic may be running."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add this command's options."""
        super().add_options(parser)
        parser.add_argument("--judgments", action="store_true", help=_("delete judgments, too"))
        parser.add_argument("--yes", action="store_true", help=_("do not ask"))

    def action(self) -> Action:
        """Import and return the work of this command."""
        from topiccrawl.actions.forget import forget_topic

        return forget_topic
