"""``scrapy search``: full-text search in the store."""

from __future__ import annotations

import argparse

from topiccrawl.commandline.command import Action, StoreCommand
from topiccrawl.language import N_, _


class Command(StoreCommand):
    """Lists the stored pages that contain words or phrases."""

    usage = "WORDS [--topic TOPIC] [--sort ORDER] [options] | --index"
    summary = N_("Search titles and texts of the stored pages")
    description = N_(
        "Pages must contain all WORDS, in title or text; words of any length, traditional and "
        'simplified characters alike. In WORDS, "…" is a phrase, -WORD excludes, A | B finds '
        "either, title:WORD searches titles; site:, author:, source:, kind:, language:, story:, "
        "url:, since:DATE and until:DATE restrict the pages. Quote the whole for the shell. "
        "--index enters the pages of a store that an older version wrote; it can be interrupted "
        "and continued."
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--topic", metavar="TOPIC", action="append", default=[],
            help=_("search this topic only; can be repeated (default: all topics)"),
        )  # fmt: skip
        parser.add_argument(
            "--sort", choices=("relevance", "newest", "oldest"), default="relevance",
            help=_("order of the pages (default: relevance)"),
        )  # fmt: skip
        parser.add_argument("--copies", action="store_true", help=_("find copies, too"))
        parser.add_argument(
            "--limit", metavar="N", type=int, default=20, help=_("at most N rows (default: 20)")
        )
        parser.add_argument("--json", action="store_true", help=_("print JSON"))
        parser.add_argument(
            "--index", action="store_true", help=_("enter the pages of an older store in the index")
        )

    def action(self) -> Action:
        from topiccrawl.actions.search import search

        return search
