"""``scrapy report``: one self-contained HTML file about the results of a crawl."""

from __future__ import annotations

import argparse

from topiccrawl.commandline.command import Action, StoreCommand
from topiccrawl.commandline.options import add_unmasked_option, output_path
from topiccrawl.language import N_, _
from topiccrawl.reporting.words.labels import LANGUAGES


class Command(StoreCommand):
    """Writes the report of one topic, or of one of its runs."""

    usage = "[TOPIC] [--out FILE] [--since WHEN | --run ID] [--format html|text|json] [options]"
    summary = N_("Write a report of a topic crawl: HTML, text or JSON")
    description = N_(
        "Write one self-contained HTML file from the store: the stored pages in a list that can be "
        "ordered and filtered, pages per day, keywords; and, folded, what explains the crawl. With "
        "--since: what is new, changed and gone since then. TOPIC may be left out when the store "
        "holds one topic only."
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--out",
            metavar="FILE",
            type=output_path,
            help=_(
                "where to write (default: TOPIC-report.html by the store); {date} in it is the day; "
                "- for standard output"
            ),
        )
        parser.add_argument(
            "--since",
            metavar="WHEN",
            help=_("what happened since: 2024-05-01, 24h, 7d, yesterday (China time)"),
        )
        parser.add_argument(
            "--format",
            metavar="FORMAT",
            help=_("html, text or json (default: from FILE; text and json go to standard output)"),
        )
        parser.add_argument("--run", metavar="ID", help=_("this run only; 'last' for the newest"))
        parser.add_argument(
            "--lang",
            choices=LANGUAGES,
            default="both",
            help=_("language (default: both, a switch)"),
        )
        add_unmasked_option(parser)

    def action(self) -> Action:
        from topiccrawl.actions.report import report

        return report
