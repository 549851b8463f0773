"""``scrapy shell``: plain Scrapy, without our scheduler, stores or models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.commands.shell import Command as ScrapyShellCommand

from topiccrawl.commandline.helptexts import translate_options
from topiccrawl.language import _

if TYPE_CHECKING:
    import argparse


class Command(ScrapyShellCommand):
    """Inspect a page interactively."""

    def short_desc(self) -> str:
        """Return Scrapy's line in the user's language."""
        return _(super().short_desc())

    def long_desc(self) -> str:
        """Return Scrapy's text in the user's language."""
        return _(super().long_desc())

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add Scrapy's own options."""
        super().add_options(parser)
        translate_options(parser)

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Disable the add-on: inspecting a page must not open a store or learn a topic."""
        super().process_options(args, opts)
        assert self.settings is not None
        self.settings.set("ADDONS", {}, "cmdline")
