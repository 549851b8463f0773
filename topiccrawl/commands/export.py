"""``scrapy export``: stored pages as CSV, JSON Lines or Excel."""

from __future__ import annotations

import argparse
from typing import get_args

from topiccrawl.commandline.command import Action, StoreCommand
from topiccrawl.commandline.options import add_unmasked_option, output_path
from topiccrawl.language import N_, _, listed, user_language


class Command(StoreCommand):
    """Writes the pages of one topic to a file or to standard output."""

    usage = "[TOPIC] --out FILE.{csv,jsonl,xlsx} [options]"
    summary = N_("Export stored pages to CSV, JSON Lines or Excel")

    def long_desc(self) -> str:
        """Return the text of ``scrapy export -h``."""
        # Not at module level: see ActionCommand.
        from topiccrawl.export.story_columns import EXPORT_COLUMNS

        return _(
            "Write the stored pages of TOPIC to FILE; its extension names the format. CSV "
            "is UTF-8 with a byte order mark for Excel, and text that looks like a formula "
            "gets an apostrophe. Mobile numbers, identity numbers and e-mail addresses are masked. "
            "Fields: {columns}."
        ).format(columns=listed(EXPORT_COLUMNS))

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        # Not at module level: see ActionCommand.
        from topiccrawl.export.fields import HEADINGS
        from topiccrawl.export.writers import WRITERS
        from topiccrawl.store.contract import PageOrder, Standing
        from topiccrawl.text.searching import KINDS

        super().add_options(parser)
        parser.add_argument(
            "--out",
            metavar="FILE",
            type=output_path,
            help=_("file to write; {date} in it is the day; - for standard output"),
        )
        parser.add_argument(
            "--format",
            metavar="FORMAT",
            help=_("{writers} (default: from FILE)").format(writers=listed(WRITERS)),
        )
        parser.add_argument("--fields", metavar="A,B,…", help=_("columns (default: all but event)"))
        parser.add_argument("--limit", metavar="N", help=_("at most N pages"))
        parser.add_argument(
            "--order",
            choices=get_args(PageOrder),
            default="fetched",
            help=_("fetched: oldest first; relevance: best first; published: newest first"),
        )
        parser.add_argument(
            "--lang",
            choices=HEADINGS,
            default=user_language(),
            help=_("headings of tables: Chinese, English or names of fields (default: by locale)"),
        )
        parser.add_argument(
            "--standing",
            choices=get_args(Standing),
            default="kept",
            help=_("pages of the collection (default), withdrawn ones, or near misses"),
        )
        parser.add_argument(
            "--copies",
            action="store_true",
            help=_("also pages that are copies of others; the column copy_of names the original"),
        )
        parser.add_argument(
            "--history",
            action="store_true",
            help=_("print who exported what of the topic, and when, instead"),
        )
        add_unmasked_option(parser)
        parser.add_argument(
            "--word",
            metavar="WORD",
            action="append",
            help=_("only pages that contain WORD, simplified or traditional; may be repeated"),
        )
        parser.add_argument(
            "--site", metavar="A,B,…", help=_("only pages of these hosts and the hosts below them")
        )
        parser.add_argument(
            "--kind",
            metavar="A,B,…",
            help=_("only pages of these kinds: {kinds}").format(kinds=listed(KINDS)),
        )
        parser.add_argument(
            "--run", metavar="ID", help=_("only pages of this run; 'last' for the newest")
        )
        spans = {
            "--new-since": _("only pages first fetched since WHEN: 2024-05-01, 24h, 7d, yesterday"),
            "--changed-since": _("only pages that changed since; with --new-since, new ones too"),
            "--since": _("only pages fetched since WHEN (China time)"),
            "--until": _("only pages fetched until WHEN, the whole day (China time)"),
            "--published-since": _("only pages published since WHEN (China time)"),
            "--published-until": _("only pages published until WHEN, the whole day (China time)"),
        }
        for option, help_ in spans.items():
            parser.add_argument(option, metavar="WHEN", help=help_)

    def action(self) -> Action:
        from topiccrawl.actions.export import export

        return export
