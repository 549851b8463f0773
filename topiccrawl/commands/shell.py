"""``scrapy shell``: plain Scrapy, without our scheduler, stores or models."""

from __future__ import annotations

import argparse

from scrapy.commands.shell import Command as ScrapyShellCommand

from topiccrawl.commandline.command import TranslatedCommand


class Command(TranslatedCommand, ScrapyShellCommand):
    """Inspect a page interactively."""

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Disable the add-on: inspecting a page must not open a store or learn a topic."""
        super().process_options(args, opts)
        assert self.settings is not None
        self.settings.set("ADDONS", {}, "cmdline")
