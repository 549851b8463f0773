"""``scrapy report``: one self-contained HTML file about the results of a crawl."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, cast

from topiccrawl.commandline.console import progress
from topiccrawl.commandline.store import (
    StoreCommand,
    choose_run,
    choose_topic,
    one_argument,
    opened_store,
)
from topiccrawl.export.atomic import atomic_file
from topiccrawl.language import N_, _
from topiccrawl.reporting.collect import collect
from topiccrawl.reporting.page import render
from topiccrawl.reporting.words import LANGUAGES, Language
from topiccrawl.store.uri import sqlite_path

if TYPE_CHECKING:
    import argparse
#: Characters that some file system does not allow in file names.
_UNSAFE = re.compile(r'[\x00-\x1f\\/:*?"<>|]+')


class Command(StoreCommand):
    """Writes the report of one topic, or of one of its runs."""

    def syntax(self) -> str:
        """Return the arguments after the command's name."""
        return "[TOPIC] [--out FILE] [--run ID] [--lang zh|en|both]"

    def short_desc(self) -> str:
        """Return one line for the list of commands."""
        return _("Write an HTML report of a topic crawl")

    def long_desc(self) -> str:
        """Return the text of ``scrapy report -h``."""
        return _(
            "Write one self-contained HTML file from the store: the stored pages in a list that can be "
            "ordered and filtered, pages per day, keywords; and, folded, what explains the crawl. TOPIC "
            "may be left out when the store holds one topic only."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add this command's options."""
        super().add_options(parser)
        parser.add_argument(
            "--out",
            metavar="FILE",
            help=_("where to write (default: TOPIC-report.html by the store)"),
        )
        parser.add_argument("--run", metavar="ID", help=_("this run only; 'last' for the newest"))
        parser.add_argument(
            "--lang",
            choices=LANGUAGES,
            default="both",
            help=_("language (default: both, a switch)"),
        )

    async def work(self, args: list[str], opts: argparse.Namespace) -> int:
        """Collect the data, write the report and print its path."""
        uri = self.store_uri(opts)
        async with opened_store(uri) as store:
            topic = await choose_topic(store, one_argument(args, N_("topic")))
            run_id = await choose_run(store, topic, opts.run)
            with progress(_("records")) as tick:
                data = await collect(
                    store, topic, run_id=run_id, generated_at=datetime.now(UTC), tick=tick
                )
        out = Path(opts.out) if opts.out else default_path(uri, topic)
        page = render(data, cast("Language", opts.lang))
        with atomic_file(out) as stream:
            stream.write(page.encode())
        print(f"{out.resolve()}")
        return 0


def default_path(uri: str, topic: str) -> Path:
    """Return ``TOPIC-report.html`` next to the SQLite file, else in the working folder."""
    name = f"{_UNSAFE.sub('_', topic).strip('. ') or 'topic'}-report.html"
    return sqlite_path(uri).parent / name if uri.startswith("sqlite:") else Path(name)
