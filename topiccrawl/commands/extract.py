"""``scrapy extract``: title, body, time and more of saved pages or URLs."""

from __future__ import annotations

import argparse

from topiccrawl.commandline.command import Action, ActionCommand
from topiccrawl.commandline.extract_options import (
    FILE_OPTIONS,
    SYNTAX,
    add_extract_options,
    extract_description,
)
from topiccrawl.language import N_


class Command(ActionCommand):
    """Analyzes pages without a topic, a store or a frontier."""

    usage = SYNTAX
    summary = N_("Extract title, body, time … of pages as JSON Lines, text or Markdown")

    requires_project = False
    file_options = ActionCommand.file_options | FILE_OPTIONS

    def long_desc(self) -> str:
        """Return the text of ``scrapy extract -h``."""
        return extract_description()

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add_extract_options(parser)

    def action(self) -> Action:
        from topiccrawl.actions.extract import extract
        from topiccrawl.crawl.settings.extraction import ExtractionSettings

        return lambda args, opts, settings: extract(
            args, opts, ExtractionSettings.from_settings(settings), lambda: settings
        )
