"""``scrapy parse``: show what the spider extracts from one page, without storing it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.commands.parse import Command as ScrapyParseCommand

if TYPE_CHECKING:
    import argparse


class Command(ScrapyParseCommand):
    """Try a page: ``scrapy parse --spider topic -a topic=侨情 URL``."""

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Disable store and frontier.

        Scrapy's own scheduler is used: this command replaces the callback by a local function, and
        the frontier stores callbacks by name.
        """
        super().process_options(args, opts)
        assert self.settings is not None
        self.settings.set("TOPICCRAWL_STORE_URI", "", "cmdline")
        self.settings.set("TOPICCRAWL_FRONTIER_BACKEND", "memory", "cmdline")
        self.settings.set("TOPICCRAWL_RESEED", False, "cmdline")
        self.settings.set("SCHEDULER", "scrapy.core.scheduler.Scheduler", "cmdline")
