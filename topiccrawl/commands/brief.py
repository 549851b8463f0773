"""``scrapy brief``: a briefing of a period as Word, HTML or Markdown."""

from __future__ import annotations

import argparse

from topiccrawl.commandline.command import Action, StoreCommand
from topiccrawl.commandline.options import add_unmasked_option, output_path
from topiccrawl.language import N_, _, user_language


class Command(StoreCommand):
    """Proposes a briefing of one topic and writes it to files."""

    usage = "[TOPIC] --out FILE.{docx,html,md} [--since WHEN] [options]"
    summary = N_("Write a briefing of a period: Word, HTML to print, or Markdown")
    description = N_(
        "Propose a briefing of TOPIC: the most important stories of a period, the newest, and "
        "those of each category. Every sentence links to the page it comes from. --save keeps the "
        "proposal in the store, where the console edits it; --saved writes one that is kept. "
        "Mobile numbers, identity numbers and e-mail addresses are masked."
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--out",
            metavar="FILE",
            type=output_path,
            action="append",
            help=_(
                "file to write; {date} in it is the day; may be repeated; - for standard output"
            ),
        )
        parser.add_argument(
            "--format", metavar="FORMAT", help=_("docx, html or md (default: from FILE)")
        )
        parser.add_argument(
            "--since",
            metavar="WHEN",
            default="7d",
            help=_("stories published since WHEN: 2024-05-01, 24h, 7d, yesterday (default: 7d)"),
        )
        parser.add_argument(
            "--until", metavar="WHEN", help=_("stories published until WHEN, the whole day")
        )
        parser.add_argument(
            "--entries",
            metavar="N",
            type=int,
            default=8,
            help=_("at most N entries of a section (default: 8; of a category 5)"),
        )
        parser.add_argument("--title", metavar="TEXT", help=_("title of the briefing"))
        parser.add_argument("--organization", metavar="TEXT", help=_("who issues it"))
        parser.add_argument(
            "--lang",
            choices=("zh", "en"),
            default=user_language(),
            help=_("language of headings (default: by locale)"),
        )
        parser.add_argument(
            "--save", action="store_true", help=_("keep the proposal in the store, for the console")
        )
        parser.add_argument("--saved", metavar="ID", help=_("write this kept briefing"))
        parser.add_argument("--list", action="store_true", help=_("list the kept briefings"))
        add_unmasked_option(parser)

    def action(self) -> Action:
        from topiccrawl.actions.brief import brief

        return brief
