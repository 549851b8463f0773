"""``scrapy parse``: show what the spider extracts from one page, without storing it."""

from __future__ import annotations

import argparse

from scrapy.commands.parse import Command as ScrapyParseCommand

from topiccrawl.commandline.command import TranslatedCommand
from topiccrawl.commandline.trials import TRIAL_SETTINGS


class Command(TranslatedCommand, ScrapyParseCommand):
    """Try a page: ``scrapy parse --spider topic -a topic=侨情 URL``."""

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Disable store and frontier, also for the topic spider, which opens them before the add-on is built."""
        super().process_options(args, opts)
        assert self.settings is not None
        self.settings.update(TRIAL_SETTINGS, "cmdline")
