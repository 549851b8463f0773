"""``scrapy parse``: show what the spider extracts from one page, without storing it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.commands.parse import Command as ScrapyParseCommand

from topiccrawl.commandline.helptexts import translate_options
from topiccrawl.commandline.trials import TRIAL_SETTINGS
from topiccrawl.language import _

if TYPE_CHECKING:
    import argparse


class Command(ScrapyParseCommand):
    """Try a page: ``scrapy parse --spider topic -a topic=侨情 URL``."""

    def short_desc(self) -> str:
        """Return Scrapy's line in the user's language."""
        return _(super().short_desc())

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add Scrapy's own options."""
        super().add_options(parser)
        translate_options(parser)

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Disable store and frontier, also for the topic spider, which opens them before the add-on is built."""
        super().process_options(args, opts)
        assert self.settings is not None
        self.settings.update(TRIAL_SETTINGS, "cmdline")
