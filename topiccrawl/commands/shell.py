"""``scrapy shell``: plain Scrapy, without our scheduler, stores or models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.commands.shell import Command as ScrapyShellCommand

if TYPE_CHECKING:
    import argparse


class Command(ScrapyShellCommand):
    """Look at a page by hand."""

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Leave the add-on out: looking at a page must not open a store or learn a topic."""
        super().process_options(args, opts)
        assert self.settings is not None
        self.settings.set("ADDONS", {}, "cmdline")
