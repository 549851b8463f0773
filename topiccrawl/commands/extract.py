"""``scrapy extract``: title, body, time and more of saved pages or URLs, as JSON Lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topiccrawl.commandline.command import ActionCommand
from topiccrawl.language import _

if TYPE_CHECKING:
    import argparse

    from topiccrawl.commandline.command import Action


class Command(ActionCommand):
    """Analyzes pages without a topic, a store or a frontier."""

    requires_project = False
    file_options = ActionCommand.file_options | {"args", "jsonl"}

    def syntax(self) -> str:
        """Return the arguments after the command's name."""
        return "FILE_OR_URL… --jsonl OUT [--extractor NAME] [--url URL]"

    def short_desc(self) -> str:
        """Return one line for the list of commands."""
        return _("Extract title, body, time … of pages as JSON Lines")

    def long_desc(self) -> str:
        """Return the text of ``scrapy extract -h``."""
        # Not at module level: see ActionCommand.
        from topiccrawl.analysis.extraction import FIELDS

        return _(
            "Write one JSON object a page to OUT (- for standard output): {fields}. Files, "
            "folders and globs are read; URLs are fetched, obeying robots.txt. What cannot "
            "be read is named on standard error, the rest is written, and the exit code is "
            "1."
        ).format(fields=", ".join(FIELDS))

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add this command's options."""
        # Not at module level: see ActionCommand.
        from topiccrawl.page.body.extractors import DEFAULT_EXTRACTOR, extractor_names

        super().add_options(parser)
        parser.add_argument(
            "--jsonl", metavar="OUT", help=_("file to write, - for standard output")
        )
        parser.add_argument(
            "--extractor",
            metavar="NAME",
            default=DEFAULT_EXTRACTOR,
            help=_(
                "body extractor: {names}, or the dotted path of a class (default: {default})"
            ).format(names=", ".join(extractor_names()), default=DEFAULT_EXTRACTOR),
        )
        parser.add_argument(
            "--url",
            metavar="URL",
            help=_("URL of the page, for one file (default: what it states)"),
        )

    def action(self) -> Action:
        """Import and return the work of this command."""
        from topiccrawl.actions.extract import extract

        return extract
